"""TEXT-MAX (paper 004, section 2.7, after Kim and Shim, its reference [8]): TEXT-MDL on signatures,
which tries for each cluster only those that are most like it.

A cluster's signature has, for each of L permutations of the paths, the lowest rank among its pages'
essential paths (MinHash) and the number of its pages that have that path (the extension). Signature
and signature give those of the merged cluster: the lower rank with its number, or for equal ranks
the sum. The path of the lowest rank is any of the cluster's paths, each as likely as the other, so
the numbers say how many paths there are of each support (lemma 3 of [8]): with u paths in all and
the share f(k) of the permutations whose number is k, for a cluster of s pages

    ones of M_T = u · Σ f(k) over k > s/2,  ones of M_Δ = u · Σ k f(k) over k <= s/2,
    minus ones of M_Δ = u · Σ (s - k) f(k) over k > s/2

u follows from the sizes of the sets, which are known: it is their sum by the mean of the numbers.

The share of equal ranks estimates the Jaccard coefficient of two clusters. GetBestPair tries each
cluster with those of the maximal coefficient alone, ties included; where that is 0, with none.
Documents of the same signature are merged first. L is not given in paper 004; it is 128 here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from datasketch import MinHash

from tplcrawl.clustering.essential import Essential, Groups
from tplcrawl.clustering.text_mdl import Agglomeration, Pairs
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.essential_paths import Ints
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.similarity.mdl import Counts, Floats, in_template

_SEED = 1
_SCHEME = "affine32"
"""Named, so that another release of datasketch gives the same signatures or none."""
_NOTHING = -1
"""Equal ranks of a cluster with itself, or with one that is gone: it is never the most alike."""

Ranks = npt.NDArray[np.uint32]


class TextMax(Essential):
    """TEXT-MDL by estimates. O(n² · L) for the coefficients of n distinct signatures, O(n · L) for
    each of up to n merges, and O(n) for each cluster whose likeliest partner was merged."""

    name: ClassVar[str] = "text-max"
    limit: ClassVar[int] = 2000

    def __init__(
        self, *, support: str = "mode", permutations: int = 128, most: int | None = None
    ) -> None:
        super().__init__(support=support, most=most)
        if permutations < 1:
            raise UsageError(f"text-max: permutations must be at least 1, not {permutations}")
        self.permutations = permutations

    def partition(self, sets: Sequence[Hashes], pages: Ints) -> Groups:
        """Merge by estimated costs.

        >>> sets = [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 6], [1, 7, 8, 9]]
        >>> sets = [np.array(one, np.uint32) for one in sets]
        >>> TextMax().partition(sets, np.array([1, 1, 1, 2]))
        [[0, 1, 2], [3]]
        """
        paths = len(np.unique(np.concatenate(sets)))
        equal: dict[bytes, int] = {}
        members: Groups = []
        ranks = signatures(sets, self.permutations)
        for number, signature in enumerate(ranks):
            at = equal.setdefault(signature.tobytes(), len(members))
            if at == len(members):
                members.append([])
            members[at].append(number)
        lengths = np.array([len(one) for one in sets], np.int64)
        found = Estimated(
            ranks[[same[0] for same in members]],
            np.array([pages[same].sum() for same in members], np.int64),
            np.array([pages[same] @ lengths[same] for same in members], np.int64),
            paths,
        ).run()
        return [sorted(n for signature in group for n in members[signature]) for group in found]


def signatures(sets: Sequence[Hashes], permutations: int) -> Ranks:
    """The lowest rank of each of *sets* in each permutation: a row for each. O(paths · L).

    >>> whole, half = np.arange(100, dtype=np.uint32), np.arange(50, dtype=np.uint32)
    >>> a, b = signatures([whole, half], 4096)
    >>> 0.48 < float((a == b).mean()) < 0.52
    True
    """
    made = MinHash.generator(
        (one.tolist() for one in sets),
        num_perm=permutations,
        seed=_SEED,
        hashfunc=int,
        scheme=_SCHEME,
    )
    ranks = np.empty((len(sets), permutations), np.uint32)
    for row, one in enumerate(made):
        ranks[row] = one.hashvalues
    return ranks


def estimate(numbers: Ints, sizes: Ints, totals: Ints, paths: int) -> Floats:
    """The entries of clusters of *sizes* pages, from the numbers of their signatures and from how
    many essential paths all pages of each have; none has more than *paths* different ones.

    Three pages that share four paths, of which one page has two more: u = 14 / (14/6) = 6.

    >>> numbers = np.array([3, 3, 1, 3, 1, 3])
    >>> estimate(numbers, np.array(3), np.array(14), 10).tolist()
    [4.0, 2.0, 0.0]
    """
    different = np.minimum(totals / np.maximum(numbers.mean(axis=-1), 1), paths)
    kept = in_template(numbers, sizes[..., None])
    lacking = (sizes[..., None] - numbers) * kept
    shares = (kept.mean(axis=-1), (numbers * ~kept).mean(axis=-1), lacking.mean(axis=-1))
    entries: Floats = different * np.stack(shares)
    return entries


class Estimated(Agglomeration):
    """Tries each cluster with the likeliest, by signatures."""

    def __init__(self, ranks: Ranks, sizes: Ints, totals: Ints, paths: int) -> None:
        self._ranks = ranks
        self._sizes = sizes
        """0 of those that are gone."""
        self._totals = totals
        self._numbers = np.repeat(sizes[:, None], ranks.shape[1], axis=1)
        own = estimate(self._numbers, sizes, totals, paths)
        super().__init__(Counts(paths, int(sizes.sum())), own)
        count = len(ranks)
        self._equal = np.full((count, count), _NOTHING, np.int32)
        """How many ranks of each two clusters are equal."""
        for row in range(count):
            self._compare(row, np.arange(row))
        self._most = np.full(count, _NOTHING, np.int32)
        self._nearest = [np.empty(0, np.int64)] * count
        """For each cluster, those with the maximal coefficient."""
        self._joined = [np.empty((3, 0))] * count
        """The entries of the cluster that each of these would make."""
        for row in range(count):
            self._look(row)

    def _compare(self, row: int, others: Ints) -> None:
        equal = (self._ranks[others] == self._ranks[row]).sum(axis=1)
        self._equal[row, others] = self._equal[others, row] = equal

    def _look(self, row: int) -> None:
        """Find the clusters that are most like this one."""
        equal = self._equal[row]
        most = equal.max()
        nearest = np.flatnonzero(equal == most) if most > 0 else np.empty(0, np.int64)
        self._most[row] = most
        self._nearest[row] = nearest
        self._joined[row] = estimate(
            self._join(row, nearest),
            self._sizes[nearest] + self._sizes[row],
            self._totals[nearest] + self._totals[row],
            self.counts.rows,
        )

    def _join(self, row: int, others: Ints) -> Ints:
        """The numbers of the signatures of this cluster merged with each of *others*."""
        own, theirs = self._ranks[row], self._ranks[others]
        numbers = np.where(own <= theirs, self._numbers[row], 0)
        numbers += np.where(theirs <= own, self._numbers[others], 0)
        return numbers

    def candidates(self) -> Pairs:
        rows = np.repeat(np.arange(len(self._nearest)), list(map(len, self._nearest)))
        others = np.concatenate((*self._nearest, np.empty(0, np.int64)))
        joined = np.concatenate((*self._joined, np.empty((3, 0))), axis=1)
        changes = joined - self.own[:, rows] - self.own[:, others]
        return Pairs(np.minimum(rows, others), np.maximum(rows, others), changes)

    def combine(self, a: int, b: int) -> None:
        self._numbers[a] = self._join(a, np.array([b]))[0]
        self._ranks[a] = np.minimum(self._ranks[a], self._ranks[b])
        self._sizes[a] += self._sizes[b]
        self._totals[a] += self._totals[b]
        self._sizes[b] = self._totals[b] = 0
        stale = np.maximum(self._equal[a], self._equal[b]) == self._most
        self._equal[b] = self._equal[:, b] = _NOTHING
        others = np.flatnonzero(self._sizes)
        self._compare(a, others[others != a])
        stale |= self._equal[a] >= self._most
        stale[a] = True
        for row in np.flatnonzero(stale & (self._sizes > 0)).tolist():
            self._look(row)
        self._look(b)
