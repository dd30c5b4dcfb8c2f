"""The description length of a clustering (paper 004, sections 2.4 and 2.5, after Kim and Shim, its
reference [8]): the better a clustering, the fewer bits say the pages by it.

Three matrices of rows for paths: ``M_T`` (paths × clusters) is 1 where a path is of a cluster's
template, ``M_D`` (clusters × pages) is 1 where a page is of a cluster, ``M_E`` (paths × pages) is 1
where a path is essential to a page. ``M_Δ = M_E - M_T · M_D`` is what the templates get wrong: 1
for a path that a page has beyond its template, -1 for one that it lacks. With the entropy H of a
matrix's values,

    L(C) = L(M_T) + L(M_D) + L(M_Δ),   L(M) = |M| · H(M),   H(M) = -Σ Pr(x) log2 Pr(x)

The template of a cluster is the paths that are essential to more than half of its pages (theorem 2
of [8]): no other makes fewer entries of M_Δ.

A worked example: five paths, four pages, the first three in one cluster. M_T has seven ones of ten
(8.81 bits), M_D four of eight (8 bits), M_Δ a single -1 among twenty: the first page lacks the
fifth path (5.73 bits).

>>> pages = np.array([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 0], [0, 1, 1, 0]])
>>> for matrix in matrices(pages, [0, 0, 0, 1]):
...     print(matrix.tolist(), round(matrix_bits(matrix), 2))
[[1, 1], [1, 1], [1, 0], [1, 0], [1, 0]] 8.81
[[1, 1, 1, 0], [0, 0, 0, 1]] 8.0
[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [-1, 0, 0, 0]] 5.73
>>> round(clustering_bits(pages, [0, 0, 0, 1]), 2)
22.54
>>> round(clustering_bits(pages, [0, 0, 0, 0]), 2)
22.05

The cost depends on few counts, and a merge changes them by what its two clusters had and what the
new one has, so no matrix is made to try one (:class:`Counts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.int64]

TOLERANCE = 1e-6
"""Bits that do not count: costs this close are equal."""

_TERMS = np.array(((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, -1)), np.float64)
"""How often each value of M_T and M_Δ occurs, 1 and 0 and 1, -1 and 0, by the three entries."""

_FEW = 1024
"""So many costs are worked out without a look for bounds first."""


def bits(*counts: Any) -> Floats:
    """|M| · H(M) of a matrix whose values occur so often: numbers, or arrays for many matrices.

    >>> float(bits(4, 4)), float(bits(0, 9))
    (8.0, 0.0)
    """
    whole = sum(np.asarray(count, np.float64) for count in counts)
    return _n_log_n(whole) - sum(_n_log_n(count) for count in counts)


def _n_log_n(count: Any) -> Floats:
    count = np.asarray(count, np.float64)
    product: Floats = count * np.log2(np.where(count > 0, count, 1.0))
    return product


def matrix_bits(matrix: Matrix) -> float:
    """L(M) of a matrix of 1, 0 and -1. O(|M|)."""
    return float(bits(*(np.count_nonzero(matrix == value) for value in (1, 0, -1))))


def matrices(essential: Matrix, clusters: Sequence[int]) -> tuple[Matrix, Matrix, Matrix]:
    """M_T, M_D and M_Δ from M_E and the cluster of each page, numbered from 0. O(paths · pages ·
    clusters)."""
    membership = np.equal.outer(np.arange(max(clusters, default=-1) + 1), clusters).astype(np.int64)
    supports = essential @ membership.T
    templates = in_template(supports, membership.sum(axis=1)).astype(np.int64)
    return templates, membership, essential - templates @ membership


def clustering_bits(essential: Matrix, clusters: Sequence[int]) -> float:
    """L(C), from the matrices themselves."""
    return sum(matrix_bits(matrix) for matrix in matrices(essential, clusters))


def in_template(supports: Any, pages: Any) -> npt.NDArray[np.bool_]:
    """Which paths are of a cluster's template: those essential to more than half of its *pages*.

    >>> in_template(np.array([0, 1, 2, 3, 4]), 4).tolist()
    [False, False, False, True, True]
    """
    found: npt.NDArray[np.bool_] = 2 * np.asarray(supports) > pages
    return found


@dataclass(frozen=True, slots=True)
class Counts:
    """What of a clustering stays the same when its clusters are merged.

    Its *entries*, which do not, are three numbers, for a cluster or for all: the ones of M_T, the
    ones of M_Δ, the minus ones of M_Δ. They add up over the clusters.
    """

    rows: int
    """The paths."""
    pages: int

    def cost(self, clusters: int, entries: Floats) -> Floats:
        """L(C) of so many *clusters* with these entries in all; the first axis of *entries* is the
        three numbers, others are clusterings to compare. O(1) each.

        The worked example again:

        >>> counts = Counts(rows=5, pages=4)
        >>> three, one = cluster_entries(np.array([[3, 3, 3, 3, 2], [1, 1, 0, 0, 0]]), [3, 1]).T
        >>> three.tolist(), one.tolist()
        ([5.0, 0.0, 1.0], [2.0, 0.0, 0.0])
        >>> round(float(counts.cost(2, three + one)), 2)
        22.54

        and the merge of its two clusters, without a look at either:

        >>> both = cluster_entries(np.array([4, 4, 3, 3, 2]), 4)
        >>> both.tolist()
        [4.0, 2.0, 2.0]
        >>> round(float(counts.cost(1, three + one + (both - three - one))), 2)
        22.05
        """
        ones, plus, minus = entries
        templates = bits(ones, self.rows * clusters - ones)
        membership = bits(self.pages, self.pages * (clusters - 1))
        differences = bits(plus, minus, self.rows * self.pages - (plus + minus))
        cost: Floats = templates + membership + differences
        return cost

    def cheapest(
        self, clusters: int, entries: Floats, changes: Floats
    ) -> tuple[npt.NDArray[np.int64], float]:
        """Which of *changes* to *entries*, columns all, leave the lowest cost, and that cost.

        As :meth:`cost` of all says, but some ten times faster. The cost is a sum of terms -n log n,
        which are concave: over the range of the changes none is below its chord. So a linear
        function of the change is a lower bound, and most changes are dropped by it alone.

        >>> changes = np.array([[-3.0, -4.0], [2.0, 5.0], [1.0, 2.0]])
        >>> found, cost = Counts(rows=5, pages=4).cheapest(1, np.array([7.0, 0.0, 1.0]), changes)
        >>> found.tolist(), round(cost, 2)
        ([0], 22.05)
        """
        left = np.arange(changes.shape[1])
        while len(left) > _FEW:
            bounds = self._bounds(clusters, entries, changes)
            likely = entries + changes[:, np.argmin(bounds)]
            kept = np.flatnonzero(bounds <= self.cost(clusters, likely) + TOLERANCE)
            if len(kept) == len(left):
                break
            left, changes = left[kept], changes[:, kept]
        costs = self.cost(clusters, entries[:, None] + changes)
        least = float(costs.min())
        return left[costs <= least + TOLERANCE], least

    def _bounds(self, clusters: int, entries: Floats, changes: Floats) -> Floats:
        """Lower bounds of the costs."""
        cells = np.array((self.rows * clusters, self.rows * self.pages), np.float64)
        fixed = bits(self.pages, self.pages * (clusters - 1)) + _n_log_n(cells).sum()
        now = _TERMS @ entries + np.array((0, cells[0], 0, 0, cells[1]))
        least, most = changes.min(axis=1), changes.max(axis=1)
        low = now + np.where(_TERMS > 0, _TERMS * least, _TERMS * most).sum(axis=1)
        high = now + np.where(_TERMS > 0, _TERMS * most, _TERMS * least).sum(axis=1)
        slopes = (_n_log_n(low) - _n_log_n(high)) / np.where(high > low, high - low, 1)
        same = fixed + (slopes * (now - low) - _n_log_n(low)).sum()
        of_ones, of_plus, of_minus = slopes @ _TERMS
        bounds: Floats = of_ones * changes[0] + same
        bounds += of_plus * changes[1]
        bounds += of_minus * changes[2]
        return bounds


def cluster_entries(supports: Any, pages: Any, weights: Any = None) -> Floats:
    """The entries of a cluster from its size and from the number of its pages that each path is
    essential to; or of many, with a row of *supports* for each. O(paths) each.

    *weights* says how many paths each column stands for: paths that are essential to the same
    pages need to be counted once only.
    """
    supports = np.asarray(supports)
    sizes = np.asarray(pages, supports.dtype)
    if weights is None:
        weights = np.ones(supports.shape[-1], supports.dtype)
    # No product of matrices: a library with threads of its own is slower here by far.
    kept = in_template(supports, sizes[..., None]) * weights
    ones = kept.sum(axis=-1)
    whole = np.einsum("...i,i->...", supports, weights)
    held = np.einsum("...i,...i->...", supports, kept)
    return np.stack((ones, whole - held, sizes * ones - held)).astype(np.float64)
