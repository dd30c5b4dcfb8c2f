"""All that the default method compares of a page, in one compact value of about 1.5 kB."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from zlib import crc32

import numpy as np

from tplcrawl.fingerprints.steps import step_parts
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.fingerprints.url_shape import url_shape
from tplcrawl.outline import Outline


@dataclass(frozen=True, slots=True)
class Features:
    """A page's structure as sets of hashes."""

    tag_paths: Hashes
    class_paths: Hashes
    classes: Hashes
    body: Hashes
    """Classes of the ``body`` element."""
    url: Hashes
    """Marks of the URL."""
    lzw: bytes

    def encode(self) -> bytes:
        """These features as bytes; :meth:`decode` gives them back."""
        sets = (self.tag_paths, self.class_paths, self.classes, self.body, self.url)
        head = np.array([len(one) for one in sets], "<u4")
        numbers = np.concatenate((head, *sets)).astype("<u4", copy=False)
        return numbers.tobytes() + self.lzw

    @classmethod
    def decode(cls, blob: bytes) -> Features:
        """The features that :meth:`encode` wrote. O(1): the sets are views of *blob*."""
        a, b, c, d, e = accumulate(np.frombuffer(blob, "<u4", 5).tolist())
        sets = np.frombuffer(blob, "<u4", e, 20)
        return cls(sets[:a], sets[a:b], sets[b:c], sets[c:d], sets[d:], blob[20 + 4 * e :])


def features_of(url: str, outline: Outline, lzw: bytes) -> Features:
    """The features of a page, from its profile's parts."""
    return Features(*_sets(outline.parents, outline.steps), url_shape(url), lzw)


@lru_cache(maxsize=256)
def _sets(
    parents: tuple[int, ...], steps: tuple[str, ...]
) -> tuple[Hashes, Hashes, Hashes, Hashes]:
    """What paths show, kept for the next pages: every other page of a site has the same distinct
    paths as one of the last few hundred.

    One pass for what :mod:`~tplcrawl.fingerprints.tag_paths` and
    :mod:`~tplcrawl.fingerprints.class_paths` define one by one.
    """
    paths: list[int] = []
    pairs: set[int] = set()
    names: list[tuple[int, ...]] = []
    body: list[int] = []
    for parent, (tag, folded, hashes) in zip(parents, map(step_parts, steps), strict=True):
        path = crc32(tag, paths[parent] if parent >= 0 else 0)
        paths.append(path)
        if folded:
            names.append(hashes)
            if tag == b"/body":
                body += hashes
            for name in folded:
                pairs.add(crc32(name, path))
    return hash_set(paths), hash_set(pairs), hash_set(chain.from_iterable(names)), hash_set(body)
