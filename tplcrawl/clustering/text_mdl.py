"""TEXT-MDL (paper 004, sections 2.5 and 2.6, after Kim and Shim, its reference [8]): agglomeration
while the description gets shorter.

At first each page is a cluster. GetBestPair tries every two and takes those whose merge leaves the
lowest MDL cost (:mod:`~tplcrawl.similarity.mdl`), as long as that is lower than before. Nobody says
how many templates there are, nor how alike their pages.

Pages with equal essential paths are merged before the first step, as in figure 3: no entry of M_Δ
comes of it, so it always pays. The rows of the matrices are the paths that are essential to some
page.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.essential import Essential, Groups
from tplcrawl.fingerprints.essential_paths import Ints
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.similarity.mdl import TOLERANCE, Counts, Floats, cluster_entries
from tplcrawl.similarity.sets import SetTable

_EXACT = 1 << 23
"""Twice this, whole numbers are exact in single precision; no number here is more than twice the
essential paths of all pages."""
_BLOCK = 1 << 20
"""Numbers that are worked on at once: bounds the memory."""


class TextMDL(Essential):
    """Merges what shortens the description most. O(n²) for each of up to n merges of n distinct
    essential sets, each with a few operations on whole arrays; O(n · paths) beside it."""

    name: ClassVar[str] = "text-mdl"
    limit: ClassVar[int] = 1000

    def partition(self, sets: Sequence[Hashes], pages: Ints) -> Groups:
        """Merge by exact costs.

        Five pages of two templates, one of them with a path less or more here and there:

        >>> sets = [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 6], [1, 7, 8, 9]]
        >>> sets = [np.array(one, np.uint32) for one in sets]
        >>> TextMDL().partition(sets, np.array([1, 1, 1, 2]))
        [[0, 1, 2], [3]]
        """
        return Exact(sets, pages).run()


class Pairs(NamedTuple):
    """Merges to choose from."""

    first: Ints
    second: Ints
    """Higher than the first."""
    changes: Floats
    """What each would add to the entries of all clusters."""


class Agglomeration(ABC):
    """Merges the best pair as long as the cost falls. A merged cluster has the lower number."""

    def __init__(self, counts: Counts, own: Floats) -> None:
        self.counts = counts
        self.own = own
        """The entries of each cluster; 0 of those that are gone."""
        self.groups: list[list[int]] = [[number] for number in range(own.shape[1])]
        """The members of each cluster; none of those that are gone."""
        self.clusters = own.shape[1]
        self.cost = float(counts.cost(self.clusters, own.sum(axis=1)))

    @abstractmethod
    def candidates(self) -> Pairs:
        """The merges that are tried in this step."""

    @abstractmethod
    def combine(self, a: int, b: int) -> None:
        """Make *a* the cluster of both; *b* is gone."""

    def run(self) -> Groups:
        """Merge to the end."""
        while self.step():
            pass
        return [sorted(group) for group in self.groups if group]

    def step(self) -> bool:
        """Merge the best pair, the lowest of several, if that lowers the cost."""
        pairs = self.candidates()
        if not len(pairs.first):
            return False
        entries = self.own.sum(axis=1)
        ties, cost = self.counts.cheapest(self.clusters - 1, entries, pairs.changes)
        if cost >= self.cost - TOLERANCE:
            return False
        best = ties[np.lexsort((pairs.second[ties], pairs.first[ties]))[0]]
        a, b = int(pairs.first[best]), int(pairs.second[best])
        self.own[:, a] += self.own[:, b] + pairs.changes[:, best]
        self.own[:, b] = 0
        self.groups[a] += self.groups[b]
        self.groups[b] = []
        self.clusters -= 1
        self.cost = float(self.counts.cost(self.clusters, self.own.sum(axis=1)))
        self.combine(a, b)
        return True


class Exact(Agglomeration):
    """Tries every pair, by the supports of all paths in each cluster."""

    def __init__(self, sets: Sequence[Hashes], pages: Ints) -> None:
        table = SetTable.of(sets)
        has, weights = _columns(table.rows.toarray() > 0)
        total = sum(len(one) * int(size) for one, size in zip(sets, pages, strict=True))
        kind: Any = np.float32 if total < _EXACT else np.float64
        self._weights = weights.astype(kind)
        self._sizes = pages.astype(kind)
        self._supports = has * self._sizes[:, None]
        own = cluster_entries(self._supports, self._sizes, self._weights)
        super().__init__(Counts(len(table.members), int(pages.sum())), own)
        first, second = np.triu_indices(len(sets), 1)
        self._pairs = Pairs(
            first, second, self._single(has, first, second) - self._both(first, second)
        )

    def _both(self, first: Ints, second: Ints) -> Floats:
        """The entries of two clusters before they are merged."""
        return self.own[:, first] + self.own[:, second]

    def _single(self, has: npt.NDArray[np.bool_], first: Ints, second: Ints) -> Floats:
        """The entries of each two sets as one cluster: only what both have must be counted. Of the
        rest, the template takes all that the one with more pages has."""
        table = has.astype(self._weights.dtype)
        common = ((table * self._weights) @ table.T)[first, second].astype(np.float64)
        of_one, of_other = (self.own[0, at] - common for at in (first, second))
        one, other = (self._sizes[at].astype(np.float64) for at in (first, second))
        return np.stack(
            (
                common + of_one * (one > other) + of_other * (other > one),
                of_one * one * (one <= other) + of_other * other * (other <= one),
                of_one * other * (one > other) + of_other * one * (other > one),
            )
        )

    def candidates(self) -> Pairs:
        return self._pairs

    def combine(self, a: int, b: int) -> None:
        self._supports[a] += self._supports[b]
        self._sizes[a] += self._sizes[b]
        self._drop(b)
        first, second, changes = self._pairs
        changed = np.flatnonzero((first == a) | (second == a))
        others = first[changed] + second[changed] - a
        step = max(1, _BLOCK // max(1, len(self._weights)))
        for start in range(0, len(changed), step):
            part = others[start : start + step]
            joined = cluster_entries(
                self._supports[part] + self._supports[a],
                self._sizes[part] + self._sizes[a],
                self._weights,
            )
            changes[:, changed[start : start + step]] = joined - self._both(part, np.array([a]))

    def _drop(self, cluster: int) -> None:
        """Drop the pairs of a cluster. The last pairs take their places: the order does not matter,
        and all others can stay where they are."""
        first, second, changes = self._pairs
        gone = (first == cluster) | (second == cluster)
        left = len(gone) - np.count_nonzero(gone)
        free = np.flatnonzero(gone[:left])
        last = left + np.flatnonzero(~gone[left:])
        for column in self._pairs:
            column[..., free] = column[..., last]
        self._pairs = Pairs(first[:left], second[:left], changes[:, :left])


def _columns(has: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.bool_], Ints]:
    """The distinct columns of *has*, and how often each occurs: paths that the same pages have are
    of the same templates, so one stands for all of them."""
    packed = np.ascontiguousarray(np.packbits(has, axis=0).T)
    _, at, counts = np.unique(packed, axis=0, return_index=True, return_counts=True)
    return has[:, at], counts.astype(np.int64)
