"""How far the looks of two sets of pages differ."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from tplcrawl.clustering.evidence import Evidence
from tplcrawl.clustering.pairs import Flags, Floats, Ints, Pairs, counted

DISTINCT = 5
"""Pages of different structure that each part must have: copies of a page are no evidence."""

MOSTLY, BARE = 0.5, 2
"""The part of structure from which on so few are enough: where a page is a heading and a text, all
that are of one type show the same."""


def looks(members: Ints, ones: Flags, others: Flags, structure: Evidence) -> tuple[Ints, Floats]:
    """For each row of *ones* and *others*, flags of *members*: how many pages of different
    structure the part with fewer of them has, and how far the parts differ; copies of a page count
    once."""
    common = structure.common(members)
    one, other = (counted(flags, common.rows) > 0 for flags in (ones, others))
    distinct = np.minimum(one.sum(axis=1), other.sum(axis=1))
    return distinct, unlike(Pairs.of_all(common.values), one, other)


def unlike(common: Pairs, ones: Flags, others: Flags) -> Floats:
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

    def __add__(self, more: Shared) -> Shared:
        """The weight of all that is in this or in *more*, which have nothing in common."""
        return Shared(*(getattr(self, a.name) + getattr(more, a.name) for a in fields(self)))

    @classmethod
    def of(cls, common: Pairs, ones: Flags, others: Flags) -> Shared:
        """By what each two pages have in *common*, for each row of *ones* and *others*. Sums of
        weights are exact in double precision, in whatever order."""
        weights = common.values.astype(np.float64)
        own = np.diag(weights)
        one, other = counted(ones, common.rows), counted(others, common.rows)
        shared = one @ weights
        sizes = one.sum(axis=1), other.sum(axis=1)
        across = (shared * other).sum(axis=1) / np.maximum(sizes[0] * sizes[1], 1)
        if (ones ^ others).all():
            # Every page is in one of the two: what the others share is the rest of what all do.
            rest = np.bincount(common.rows).astype(np.float64) @ weights - shared
        else:
            rest = other @ weights

        def inside(counts: Floats, shared: Floats, size: Floats) -> tuple[Floats, Floats]:
            kept = counts @ own
            sums = (shared * counts).sum(axis=1) - kept
            return sums / np.maximum(size * (size - 1), 1), kept / np.maximum(size, 1)

        (a, own_a), (b, own_b) = inside(one, shared, sizes[0]), inside(other, rest, sizes[1])
        return cls(a, b, across, own_a, own_b)
