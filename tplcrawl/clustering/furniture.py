"""What all pages of one part of a cluster have and none of the other part.

Variants of a template lack what others have, or have more of it. That each part has what the other
lacks is no variant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.evidence import STRUCTURE, TAG_PATHS, Evidence
from tplcrawl.similarity.sets import Matrix

ALL, NONE = 0.95, 0.05
"""The shares of pages that count as all and as none."""

OF_BOTH, OF_ONE = 2, 3
"""How much furniture is enough where both parts have some, and where one has."""

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Furniture:
    """The furniture of two parts, for each of several ways to divide pages.

    One piece of it must be told by tags alone: a class may say no more than which entry of a menu
    is the current one.
    """

    both: Ints
    """How much the part with less has; 0 where that is not enough."""
    one: Flags
    """Whether the part with more has enough."""
    telling: Flags
    """Whether anything at all tells the parts apart, as a rule."""

    @classmethod
    def of(cls, members: Ints, divided: Flags, evidence: Mapping[str, Evidence]) -> Furniture:
        """The furniture of the parts of *members* by each row of *divided*."""
        telling = np.zeros(len(divided), bool)
        counts = {}
        for kind in (STRUCTURE, TAG_PATHS):
            table = evidence[kind].table.rows[members].toarray()
            part, other = (_shares(flags, table) for flags in (divided, ~divided))
            of_part = ((part >= ALL) & (other <= NONE)).sum(axis=1)
            of_other = ((other >= ALL) & (part <= NONE)).sum(axis=1)
            counts[kind] = of_part, of_other
            telling |= (np.abs(part - other) >= ALL - NONE).any(axis=1)
        less, more = np.minimum(*counts[STRUCTURE]), np.maximum(*counts[STRUCTURE])
        plain = np.maximum(*counts[TAG_PATHS]) > 0
        return cls(np.where(plain & (less >= OF_BOTH), less, 0), plain & (more >= OF_ONE), telling)


def _shares(flags: Flags, table: Matrix) -> Matrix:
    """The share of the pages of each row of *flags* that have each column of *table*."""
    ones = flags.astype(np.float32)
    shares: Matrix = (ones @ table) / np.maximum(ones.sum(axis=1, keepdims=True), 1)
    return shares
