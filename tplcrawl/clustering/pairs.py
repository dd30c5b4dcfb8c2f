"""A number for every two pages: how alike they are, or how much they have in common.

Pages that show the same are related to all others in the same way, so they share a row and a
column. On most sites a third of the pages or fewer differ in structure, and still fewer in their
classes or in what leads to them: nearly all of what would be computed for each two pages falls
away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from tplcrawl.similarity.sets import Matrix

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Members = Sequence[int] | Ints
"""Some of the pages."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """A symmetric table over pages."""

    values: Matrix
    """For every two of the rows that differ."""
    rows: Ints
    """The row of each page."""

    @classmethod
    def of_all(cls, values: Matrix) -> Pairs:
        """The same for pages that all have a row of their own."""
        return cls(values, np.arange(len(values)))

    def __len__(self) -> int:
        """How many pages there are."""
        return len(self.rows)

    def between(self, ones: Members, others: Members) -> Matrix:
        """The table spread out: for each page of *ones*, its numbers with *others*."""
        found: Matrix = self.values[np.ix_(self.rows[ones], self.rows[others])]
        return found

    def among(self, members: Ints) -> tuple[Pairs, Ints]:
        """The table over *members*, and how many of these have each of its rows."""
        used, rows, times = np.unique(self.rows[members], return_inverse=True, return_counts=True)
        return Pairs(self.values[np.ix_(used, used)], rows), times

    def average(self, members: Members) -> float:
        """The mean over two different pages of *members*, that has two or more."""
        own = self.between(members, members).astype(np.float64)
        return float(own.sum() - np.trace(own)) / (len(own) * (len(own) - 1))

    def sums(self, labels: Ints) -> Floats:
        """For each page the sums of its numbers with the pages of each of *labels*."""
        found: Floats = (self._labelled(labels) @ self.values.astype(np.float64)).T[self.rows]
        return found

    def totals(self, labels: Ints) -> Floats:
        """The sums of all numbers between the pages of each two of *labels*."""
        labelled = self._labelled(labels)
        found: Floats = labelled @ (labelled @ self.values.astype(np.float64)).T.copy()
        return found.T

    def _labelled(self, labels: Ints) -> csr_array:
        """How many pages of each label each row has. Products with it add up in a fixed order and
        in double precision; those of dense matrices depend on the machine in their last digits."""
        count, width = int(labels.max(initial=-1)) + 1, max(len(self.values), 1)
        cells, times = np.unique(labels * width + self.rows, return_counts=True)
        ends = np.searchsorted(cells, np.arange(count + 1) * width)
        parts = (times.astype(np.float64), cells % width, ends)
        return csr_array(parts, shape=(count, len(self.values)))


def counted(flags: Flags, rows: Ints) -> Floats:
    """How many of the flagged pages have each of the *rows* that are given for all pages; for each
    row of *flags*.

    >>> counted(np.array([[True, True, False, True]]), np.array([0, 1, 1, 0])).tolist()
    [[2.0, 1.0]]
    """
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(int(rows.max(initial=-1)) + 1))
    if not len(rows):
        return np.zeros((len(flags), 0))
    found: Floats = np.add.reduceat(flags[:, order], starts, axis=1, dtype=np.float64)
    return found
