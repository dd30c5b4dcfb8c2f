"""The bag of tag paths (papers 001, section 3.3; 000, section 4.2; 004, section 2.3), hashed.

A path is the names of the tags from the root to an element. A page is the set of its paths, each as
the CRC-32 of its text: a pure function of the page, the same in every process, without a table of
strings to share between workers.
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tplcrawl.fingerprints.steps import step_parts
from tplcrawl.outline import Outline

Hashes = npt.NDArray[np.uint32]
"""A set of hashed things: sorted, each once."""


def path_hashes(outline: Outline) -> list[int]:
    """The hash of the tag path of each distinct path in *outline*. O(distinct paths).

    >>> outline = Outline((-1, 0), ("html", "body home"), (False, True), (0, 1))
    >>> path_hashes(outline) == [crc32(b"/html"), crc32(b"/html/body")]
    True
    """
    hashes: list[int] = []
    for parent, step in zip(outline.parents, outline.steps, strict=True):
        hashes.append(crc32(step_parts(step).tag, hashes[parent] if parent >= 0 else 0))
    return hashes


def tag_paths(outline: Outline) -> Hashes:
    """The set of tag paths of a page."""
    return hash_set(path_hashes(outline))


def hash_set(hashes: Iterable[int]) -> Hashes:
    """*hashes* as a set: sorted, each once."""
    distinct = set(hashes)
    array = np.fromiter(distinct, np.uint32, len(distinct))
    array.sort()
    return array
