"""How far the looks of two sets of pages differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.evidence import Evidence
from tplcrawl.similarity.sets import Matrix

DISTINCT = 5
"""Pages of different structure that each part must have: copies of a page are no evidence."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


def looks(members: Ints, ones: Flags, others: Flags, structure: Evidence) -> tuple[Flags, Floats]:
    """For each row of *ones* and *others*, flags of *members*: whether either part has enough pages
    of different structure, and how far the parts differ; copies of a page count once."""
    copies, first = _copies(structure, members)
    one = (ones @ copies.T) > 0
    other = (others @ copies.T) > 0
    distinct = np.minimum(one.sum(axis=1), other.sum(axis=1)) >= DISTINCT
    return distinct, unlike(structure.common(members[first].tolist()), one, other)


def unlike(common: Matrix, ones: Flags, others: Flags) -> Floats:
    """How far two sets of pages are from being drawn from one: for each row of *ones* and *others*.
    Content that varies from page to page falls out, so for two random halves of a varied page type
    it is near 0. O(pages²) for each row.
    """
    shared = Shared.of(common, ones, others)
    return tanimoto(shared.one, shared.other, shared.across)


def tanimoto(one: Floats, other: Floats, across: Floats) -> Floats:
    """The Tanimoto distance of the mean pages of two sets, by the average weight that two different
    pages have in common inside either and across: 1 - c / (a + b - c)."""
    whole = one + other - across
    alike = np.divide(across, whole, out=np.ones_like(whole), where=whole > 1e-9)
    return np.where(one + other < 1e-6, 0.0, 1 - np.clip(alike, 0, 1))


@dataclass(frozen=True, slots=True)
class Shared:
    """The average weight that two different pages have in common, for several pairs of sets."""

    one: Floats
    """Of pages inside the first set, and inside the second."""
    other: Floats
    across: Floats
    own_one: Floats
    """What a page of the first set has, of the second."""
    own_other: Floats

    @classmethod
    def of(cls, common: Matrix, ones: Flags, others: Flags) -> Shared:
        """By what each two pages have in *common*, for each row of *ones* and *others*."""
        one, other = ones.astype(np.float32), others.astype(np.float32)
        own = np.diag(common)
        shared = one @ common
        sizes = one.sum(axis=1), other.sum(axis=1)
        across = (shared * other).sum(axis=1) / np.maximum(sizes[0] * sizes[1], 1)
        # Where every page is in one of the two, what the others share is the rest of what all do.
        rest = common.sum(axis=0) - shared if (ones ^ others).all() else other @ common

        def inside(flags: Matrix, shared: Matrix, count: Matrix) -> tuple[Floats, Floats]:
            kept = flags @ own
            pairs = np.maximum(count * (count - 1), 1)
            sums = (shared * flags).sum(axis=1) - kept
            return np.asarray(sums / pairs, np.float64), np.asarray(
                kept / np.maximum(count, 1), np.float64
            )

        (a, own_a), (b, own_b) = inside(one, shared, sizes[0]), inside(other, rest, sizes[1])
        return cls(a, b, np.asarray(across, np.float64), own_a, own_b)


def _copies(structure: Evidence, members: Ints) -> tuple[npt.NDArray[np.float32], list[int]]:
    """Which of *members* have each distinct structure, and the first that has it."""
    rows = structure.table.rows[members]
    kinds: dict[bytes, int] = {}
    first: list[int] = []
    owners = []
    for page in range(len(members)):
        key = rows.indices[rows.indptr[page] : rows.indptr[page + 1]].tobytes()
        kind = kinds.setdefault(key, len(kinds))
        if kind == len(first):
            first.append(page)
        owners.append(kind)
    copies = np.zeros((len(first), len(members)), np.float32)
    copies[owners, np.arange(len(members))] = 1
    return copies, first
