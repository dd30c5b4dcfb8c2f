"""Cosine of vectors of counts, and of all pairs of many at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from tplcrawl.fingerprints.tag_paths import Hashes

_BLOCK = 1024
"""Rows that are compared with all others at once: bounds the memory."""
_DECIMALS = 12
"""To which cosines are told apart: beyond them is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often each of some hashed things is there."""

    members: Hashes
    numbers: npt.NDArray[np.int64]

    @classmethod
    def of(cls, hashes: npt.NDArray[np.uint32]) -> Counts:
        """The counts of *hashes*, in any order, each as often as it is there.

        >>> one = Counts.of(np.array([7, 9, 7], np.uint32))
        >>> one.members.tolist(), one.numbers.tolist()
        ([7, 9], [2, 1])
        """
        members, numbers = np.unique(hashes, return_counts=True)
        return cls(members, numbers.astype(np.int64, copy=False))

    @property
    def square(self) -> float:
        """The square of the vector's length."""
        return float(self.numbers @ self.numbers)


def cosine(a: Counts, b: Counts) -> float:
    """a · b / √(|a|² |b|²): 1 for counts in equal proportions; two empty vectors are alike.

    >>> one, two = (Counts.of(np.array(x, np.uint32)) for x in ([1, 1, 1, 2], [2]))
    >>> round(cosine(one, two), 4)
    0.3162
    """
    squares = a.square * b.square
    if not squares:
        return 1.0 if a.square == b.square else 0.0
    _, left, right = np.intersect1d(a.members, b.members, assume_unique=True, return_indices=True)
    return float(_ratio(float(a.numbers[left] @ b.numbers[right]), np.sqrt(squares)))


def linked_counts(vectors: Sequence[Counts], at_least: float) -> Iterator[tuple[int, int]]:
    """The pairs of *vectors* with a cosine of at least this. All pairs at once, in blocks of rows.

    >>> rows = [Counts.of(np.array(row, np.uint32)) for row in ([1, 2], [1, 1, 2, 2], [3])]
    >>> list(linked_counts(rows, 0.9))
    [(1, 0)]
    """
    owners = np.repeat(np.arange(len(vectors)), [len(one.members) for one in vectors])
    flat = [one.members for one in vectors] or [np.empty(0, np.uint32)]
    numbers = [one.numbers for one in vectors] or [np.empty(0, np.int64)]
    members, columns = np.unique(np.concatenate(flat), return_inverse=True)
    data = np.concatenate(numbers).astype(np.float64)
    shape = (len(vectors), max(len(members), 1))
    table = csr_array((data, (owners, columns)), shape=shape)
    squares = np.array([one.square for one in vectors])
    for start in range(0, len(vectors), _BLOCK):
        own = squares[start : start + _BLOCK, None]
        others = squares[None, : start + _BLOCK]
        common = (table[start : start + _BLOCK] @ table[: start + _BLOCK].T).toarray()
        lengths = np.sqrt(own * others)
        found = np.where(lengths > 0, _ratio(common, np.maximum(lengths, 1)), own == others)
        for row, column in zip(*np.nonzero(found >= at_least), strict=True):
            if column < start + row:
                yield int(start + row), int(column)


def _ratio(common: Any, lengths: Any) -> Any:
    return np.minimum(np.round(common / lengths, _DECIMALS), 1)
