"""What all pages of one part of a cluster have and none of the other part.

Variants of a template lack what others have, or have more of it. That each part has what the other
lacks is no variant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tplcrawl.clustering.evidence import STRUCTURE, TAG_PATHS, Evidence
from tplcrawl.clustering.pairs import Flags, Ints, counted
from tplcrawl.similarity.sets import distinct_columns

ALL, NONE = 0.95, 0.05
"""The shares of pages that count as all and as none."""

OF_BOTH, OF_ONE = 2, 3
"""How much furniture is enough where both parts have some, and where one has."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """The furniture of two parts, for each of several pairs of them.

    One piece of it must be told by tags alone: a class may say no more than which entry of a menu
    is the current one.
    """

    both: Ints
    """How much the part with less has; 0 where that is not enough."""
    most: Ints
    """How much the part with more has."""
    one: Flags
    """Whether the part with more has enough."""
    telling: Flags
    """Whether anything at all tells the parts apart, as a rule."""

    @classmethod
    def of(
        cls, members: Ints, ones: Flags, others: Flags, evidence: Mapping[str, Evidence]
    ) -> Furniture:
        """The furniture of the parts of *members* by each row of *ones* and *others*."""
        structure = evidence[STRUCTURE]
        used, rows = np.unique(structure.rows[members], return_inverse=True)
        table = structure.table.rows[used]
        sizes = ones.sum(axis=1, keepdims=True), others.sum(axis=1, keepdims=True)
        # What tells parts apart, one of them has and the other has not: so many pages each.
        least = (ALL - NONE) * int(np.minimum(*sizes).min(initial=len(members))) - 1e-9
        counts = table.T @ np.bincount(rows)
        known = np.flatnonzero((counts > 0) & (counts >= least) & (len(members) - counts >= least))
        tags = np.isin(structure.table.members[known], evidence[TAG_PATHS].table.members)
        first, which = distinct_columns(table[:, known])
        times, tags = np.bincount(which), np.bincount(which, tags) > 0
        dense = table[:, known[first]].toarray()
        part, other = (
            counted(flags, rows).astype(np.float32) @ dense / np.maximum(size, 1)
            for flags, size in zip((ones, others), sizes, strict=True)
        )
        of_part = (part >= ALL) & (other <= NONE)
        of_other = (other >= ALL) & (part <= NONE)
        numbers = of_part @ times, of_other @ times
        plain = ((of_part | of_other) & tags).any(axis=1)
        less, more = np.minimum(*numbers), np.maximum(*numbers)
        return cls(
            both=np.where(plain & (less >= OF_BOTH), less, 0),
            most=more,
            one=plain & (more >= OF_ONE),
            telling=(np.abs(part - other) >= ALL - NONE).any(axis=1),
        )
