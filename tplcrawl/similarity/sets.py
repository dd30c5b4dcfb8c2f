"""Similarity of sets, and of all pairs of many sets at once.

All pairs of a thousand sets of a few hundred hashes: some 30 ms with sparse matrices, a hundred
times faster than Python's sets.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array, csr_array

from tplcrawl.fingerprints.tag_paths import Hashes

Matrix = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_BLOCK = 1024
"""Rows that are compared with all others at once: bounds the memory."""

_DENSE = 32
"""A member of more than one in so many rows is frequent."""

_SMALL = 1 << 24
"""Multiplications that take less time than to find what need not be multiplied."""

_GRAIN = 1024
"""Weights are multiples of one in so many: sums of them are exact, in whatever order."""

_CACHED = 32
"""Rows that are divided at once: they stay in the processor's cache."""


def jaccard(a: Hashes, b: Hashes) -> float:
    """|a ∩ b| / |a ∪ b|; two empty sets are alike.

    >>> jaccard(np.array([1, 2], np.uint32), np.array([2, 3], np.uint32))
    0.3333333333333333
    """
    common = len(np.intersect1d(a, b, assume_unique=True))
    union = len(a) + len(b) - common
    return common / union if union else 1.0


def common_paths(a: Hashes, b: Hashes) -> float:
    """1 - CPD of paper 001, formula 3: |a ∩ b| / max(|a|, |b|).

    >>> common_paths(np.array([1, 2], np.uint32), np.array([2, 3, 4, 5], np.uint32))
    0.25
    """
    common = len(np.intersect1d(a, b, assume_unique=True))
    most = max(len(a), len(b))
    return common / most if most else 1.0


def linked_sets(
    sets: Sequence[Hashes], at_least: float, *, of_larger: bool
) -> Iterator[tuple[int, int]]:
    """The pairs of *sets* that have at least this similarity: :func:`common_paths` where it is
    measured by the larger set, else :func:`jaccard`. All pairs at once, in blocks of rows.

    >>> rows = [np.array(row, np.uint32) for row in ([1, 2], [2, 3], [1, 2, 3])]
    >>> sorted(linked_sets(rows, 0.6, of_larger=False))
    [(2, 0), (2, 1)]
    """
    columns = SetTable.of(sets).rows.tocsc()
    columns, weights = _without_twins(columns, np.ones(columns.shape[1], np.float32))
    table = columns.tocsr()
    heavy = table.multiply(weights[None, :]).tocsr()
    sizes = np.fromiter((len(one) for one in sets), np.float64, len(sets))
    for start in range(0, len(sets), _BLOCK):
        block = heavy[start : start + _BLOCK]
        common = (block @ table[: start + _BLOCK].T).toarray()
        own, others = sizes[start : start + _BLOCK, None], sizes[None, : start + _BLOCK]
        whole = np.maximum(own, others) if of_larger else own + others - common
        alike = common >= at_least * whole - 1e-9
        for row, column in zip(*np.nonzero(alike), strict=True):
            if column < start + row:
                yield int(start + row), int(column)


@dataclass(frozen=True, slots=True)
class SetTable:
    """Many sets over one vocabulary: a row for each set, a column for each member."""

    rows: csr_array
    members: Hashes
    """The member that each column stands for, ascending."""

    @classmethod
    def of(
        cls, sets: Sequence[Hashes], *, at_least: int = 1, times: Ints | None = None
    ) -> SetTable:
        """The table of *sets*, each of which is there so many *times* (once, where that is not
        given), without members of fewer than *at_least* of them."""
        lengths = np.fromiter((len(s) for s in sets), np.int64, len(sets))
        flat = np.concatenate(sets) if len(sets) else np.empty(0, np.uint32)
        members, found = np.unique(flat, return_inverse=True)
        columns: Ints = found.astype(np.int64, copy=False)
        ends = np.cumsum(np.append(np.int64(0), lengths))
        if at_least > 1:
            each = np.ones(len(sets), np.int64) if times is None else times
            frequent = np.bincount(columns, each.repeat(lengths), len(members)) >= at_least
            keep = frequent[columns]
            numbers: Ints = np.cumsum(frequent, dtype=np.int64)
            columns = numbers[columns[keep]] - np.int64(1)
            ends = np.append(np.int64(0), np.cumsum(keep, dtype=np.int64))[ends]
            members = members[frequent]
        ones = np.ones(len(columns), np.float32)
        shape = (len(sets), max(len(members), 1))
        return cls(csr_array((ones, columns, ends), shape=shape), members)

    def frequencies(self, times: Ints | None = None) -> Floats:
        """The share of the sets that hold each member; see :meth:`of` for *times*."""
        each = np.ones(self.rows.shape[0], np.int64) if times is None else times
        held = each.repeat(np.diff(self.rows.indptr))
        counts = np.bincount(self.rows.indices, held, self.rows.shape[1]).astype(np.float64)
        shares: Floats = counts / max(int(each.sum()), 1)
        return shares

    def distinct(self) -> tuple[SetTable, Ints]:
        """The table of the sets that differ, and which of its rows each set has."""
        first, rows = distinct(_slices(self.rows))
        return SetTable(self.rows[first], self.members), rows

    def shared(
        self,
        weights: npt.NDArray[np.float32],
        rows: Sequence[int] | Ints | None = None,
        others: npt.NDArray[np.int64] | None = None,
    ) -> Matrix:
        """The weight of what every pair of rows has in common, of all or of some *rows*; or of
        every one of these with those of them that are in *others*.

        The members of a template come together, so that most columns have twins: those are added up
        first. Frequent members go through a dense product, rare ones through a sparse one, and all
        of a small table through a dense one at once.
        """
        chosen = self.rows if rows is None else self.rows[rows]
        some = slice(None) if others is None else others
        if chosen.shape[0] ** 2 * chosen.shape[1] <= _SMALL:
            whole = chosen.toarray()
            few: Matrix = (whole * weights) @ whole[some].T
            return few
        columns, weights = _without_twins(chosen.tocsc(), weights)
        frequent = np.diff(columns.indptr) * _DENSE >= chosen.shape[0]
        dense = columns[:, np.flatnonzero(frequent)].toarray()
        sparse = columns[:, np.flatnonzero(~frequent)].tocsr()
        heavy = sparse.multiply(weights[~frequent][None, :]).tocsr()
        common: Matrix = (dense * weights[frequent]) @ dense[some].T
        common += (heavy @ sparse[some].T).toarray()
        return common

    def weighted_jaccard(
        self,
        weights: npt.NDArray[np.float32],
        columns: npt.NDArray[np.int64] | None = None,
        *,
        besides: float = 0.0,
    ) -> Matrix:
        """The Jaccard similarity of every pair of rows, or of every row with those that are to be
        *columns*; each member counts its weight, and each pair has the weight *besides* in common.
        Two rows without any weight are alike. Exact, and so symmetric, for weights that are
        multiples of 1 / :data:`_GRAIN`."""
        similar = self.shared(weights, others=columns)
        totals = np.asarray(self.rows @ weights, np.float32)
        others = totals if columns is None else totals[columns]
        for start in range(0, len(similar), _CACHED):
            part = similar[start : start + _CACHED]
            union = totals[start : start + _CACHED, None] + others[None, :] - part
            if besides:
                part += np.float32(besides)
                union += np.float32(besides)
            some = union > 1e-9
            np.divide(part, union, out=part, where=some)
            part[~some] = 1
            # Where weights are not exact, rounding takes a little more than the union out of it.
            np.minimum(part, 1, out=part)
        return similar


def distinct(keys: Sequence[Hashable]) -> tuple[Ints, Ints]:
    """Where each of *keys* is met first, and which one of these each is.

    >>> [one.tolist() for one in distinct([b"x", b"y", b"x"])]
    [[0, 1], [0, 1, 0]]
    """
    numbers: dict[Hashable, int] = {}
    which = [numbers.setdefault(key, len(numbers)) for key in keys]
    _, first = np.unique(np.array(which, np.int64), return_index=True)
    return first, np.array(which, np.int64)


def distinct_columns(table: csr_array | csc_array) -> tuple[Ints, Ints]:
    """The same of the columns of *table*: the members of a template come together, so that most
    have twins."""
    return distinct(_slices(table.tocsc()))


def _slices(table: csr_array | csc_array) -> list[bytes]:
    """The members of each row, or the rows of each column."""
    table.sort_indices()
    flat, size = table.indices.tobytes(), table.indices.itemsize
    return [flat[a * size : b * size] for a, b in pairwise(table.indptr.tolist())]


def _without_twins(
    table: csc_array, weights: npt.NDArray[np.float32]
) -> tuple[csc_array, npt.NDArray[np.float32]]:
    """The columns of *table* that differ and weigh anything, with the summed weights of their
    twins."""
    first, which = distinct_columns(table)
    sums = np.bincount(which, weights, len(first)).astype(np.float32)
    some = np.flatnonzero(sums)
    return table[:, first[some]], sums[some]


def entropy_weights(frequencies: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """How much each member says: the entropy of its presence, in bits.

    What every page has (the chrome) and what next to none has (content) says nothing of templates;
    what half of them have says most.
    """
    p = np.clip(frequencies, 1e-12, 1 - 1e-12)
    weights = -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
    weights[(frequencies <= 0) | (frequencies >= 1)] = 0
    grained: npt.NDArray[np.float32] = (np.round(weights * _GRAIN) / _GRAIN).astype(np.float32)
    return grained
