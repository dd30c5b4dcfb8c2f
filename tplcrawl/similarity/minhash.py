"""MinHash signatures of many sets at once, and their bands (paper 003, section 3.4).

The signatures are those of datasketch's ``affine32`` scheme, number for number; but datasketch
makes an object for each set and calls Python for each member. Here a block of sets is hashed by
each permutation in one go: ten times faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from datasketch import MinHash

from tplcrawl.fingerprints.tag_paths import Hashes

Signatures = npt.NDArray[np.uint32]
"""A row for each set, a column for each permutation."""
Keys = npt.NDArray[np.uint64]

_BLOCK = 1 << 15
"""Members that are hashed at once: they stay in the processor's cache."""


def bands_and_rows(threshold: float, permutations: int) -> tuple[int, int]:
    """How many bands of how many rows make sets candidates from about this Jaccard similarity.

    The cut-off of b bands of r rows is (1/b)^(1/r); of all b·r that fit, the one nearest to the
    *threshold*.

    >>> bands_and_rows(0.5, 128), round((1 / 25) ** (1 / 5), 3)
    ((25, 5), 0.525)
    """
    choices = [(permutations // rows, rows) for rows in range(1, permutations + 1)]
    return min(choices, key=lambda choice: abs((1 / choice[0]) ** (1 / choice[1]) - threshold))


def chance(similarity: float, bands: int, rows: int) -> float:
    """How probably two sets of this Jaccard similarity agree in all rows of a band at least:
    1 - (1 - s^r)^b.

    >>> round(chance(0.8, 25, 5), 4), round(chance(0.3, 25, 5), 2)
    (1.0, 0.06)
    """
    return float(1 - (1 - similarity**rows) ** bands)


def signatures(sets: Sequence[Hashes], permutations: int = 128) -> Signatures:
    """The MinHash signature of each of *sets*. O(members · permutations).

    >>> row = signatures([np.array([1, 2, 3], np.uint32)], 4)[0]
    >>> known = MinHash(4, hashfunc=int, scheme="affine32")
    >>> known.update_batch([1, 2, 3])
    >>> row.tolist() == known.hashvalues.tolist()
    True
    """
    factors, terms = _permutations(permutations)
    found = np.full((len(sets), permutations), 0xFFFFFFFF, np.uint32)
    lengths = np.fromiter(map(len, sets), np.int64, len(sets))
    filled = np.flatnonzero(lengths)
    ends = np.cumsum(lengths[filled])
    start = 0
    while start < len(filled):
        before = ends[start - 1] if start else 0
        stop = max(int(np.searchsorted(ends, before + _BLOCK, "right")), start + 1)
        block = filled[start:stop]
        members = _finalized(np.concatenate([sets[i] for i in block.tolist()]))
        starts = ends[start:stop] - lengths[block] - before
        columns = np.empty((permutations, len(block)), np.uint32)
        for column, factor, term in zip(columns, factors, terms, strict=True):
            np.minimum.reduceat(members * factor + term, starts, out=column)
        found[block] = columns.T
        start = stop
    return found


@lru_cache(maxsize=8)
def _permutations(count: int) -> tuple[Hashes, Hashes]:
    factors, terms = MinHash(count, seed=1, scheme="affine32").permutations
    return factors, terms


def _finalized(members: Hashes) -> Hashes:
    """The finalizer of MurmurHash3, which datasketch mixes 32-bit hashes with."""
    members = members ^ (members >> np.uint32(16))
    members *= np.uint32(0x85EBCA6B)
    members ^= members >> np.uint32(13)
    members *= np.uint32(0xC2B2AE35)
    members ^= members >> np.uint32(16)
    return members


def band_keys(rows: Signatures, bands: int, width: int) -> Keys:
    """For each of *bands*, a column of 64-bit keys: equal where all *width* rows of it are equal.

    >>> keys = band_keys(np.array([[1, 2, 3, 4], [1, 2, 9, 4]], np.uint32), 2, 2)
    >>> (keys[0] == keys[1]).tolist()
    [True, False]
    """
    keys = np.zeros((len(rows), bands), np.uint64)
    columns = rows[:, : bands * width].reshape(len(rows), bands, width)
    for i in range(width):
        keys ^= columns[:, :, i]
        keys *= np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    return keys
