"""Similarity of sequences: by what is left when both are thinned to one, and by edits."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq, Levenshtein

from tplcrawl.fingerprints.tag_sequence import Tags

Symbols = Sequence[Hashable]
"""A sequence in a form that is compared fast."""

_COUNTED = 1024
"""Words that are counted each for itself: bounds the memory."""
_CHARACTERS = 0xD800
"""The first number that is no character."""


def common_subsequence(a: Symbols, b: Symbols) -> float:
    """|lcs(a, b)| / max(|a|, |b|), the longest common subsequence; two empty sequences are alike.
    O(|a| · |b| / 64).

    >>> common_subsequence("html body p p".split(), "html p b p".split())
    0.75
    """
    most = max(len(a), len(b))
    return LCSseq.similarity(a, b) / most if most else 1.0


def has_common(a: Symbols, b: Symbols, needed: int) -> bool:
    """Whether a common subsequence of *needed* symbols exists; several times faster than its
    length, as the search stops early.

    >>> has_common("abcd", "acbd", 3), has_common("abcd", "acbd", 4)
    (True, False)
    """
    return LCSseq.similarity(a, b, score_cutoff=needed) >= needed


def few_edits(a: Symbols, b: Symbols) -> float:
    """1 - levenshtein(a, b) / max(|a|, |b|); two empty sequences are alike. O(|a| · |b| / 64).

    >>> few_edits(b"abcd", b"abd")
    0.75
    """
    most = max(len(a), len(b))
    return 1 - Levenshtein.distance(a, b) / most if most else 1.0


def one_edit_apart(a: Symbols, b: Symbols) -> bool:
    """Whether *a* becomes *b* by at most one insertion, deletion or substitution: the relation
    "same template" of paper 000, definition 3.1.

    >>> one_edit_apart(b"abcd", b"abd"), one_edit_apart(b"abcd", b"badc")
    (True, False)
    """
    return Levenshtein.distance(a, b, score_cutoff=1) <= 1


def compacted(sequences: Sequence[Tags]) -> tuple[list[Symbols], npt.NDArray[np.int64]]:
    """*sequences* over the small vocabulary that they have in common, as texts (rapidfuzz takes
    these several times faster than numbers), and how often each has each word of it. Of a large
    vocabulary, several words are counted together: what two have in common is never more than that.

    >>> one, two = np.array([9, 7, 9], np.uint32), np.array([7], np.uint32)
    >>> symbols, counts = compacted([one, two])
    >>> symbols, counts.tolist()
    (['\\x01\\x00\\x01', '\\x00'], [[1, 2], [1, 0]])
    """
    flat = np.concatenate(sequences) if len(sequences) else np.empty(0, np.uint32)
    words, places = np.unique(flat, return_inverse=True)
    ends = np.cumsum([len(one) for one in sequences], dtype=np.int64)
    parts = np.split(places, ends)[:-1]
    width = min(len(words), _COUNTED)
    counts = np.zeros((len(parts), width), np.int64)
    for row, part in zip(counts, parts, strict=True):
        row[:] = np.bincount(part % max(width, 1), minlength=width)[:width]
    if len(words) <= _CHARACTERS:
        return [part.astype("<u2").tobytes().decode("utf-16-le") for part in parts], counts
    return [part.tolist() for part in parts], counts
