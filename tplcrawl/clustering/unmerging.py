"""Undoing merges that looks alone have made, where looks deny them.

Parts that were chosen for their looks differ, whatever page type they are of. So much is asked of
them: each must have furniture that the other lacks, more than a variant has, and they must have
little else in common, the less the less furniture there is. Each part is held against the one that
it was merged with, not against the whole cluster: of three page types none may have anything that
neither of the others has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tplcrawl.clustering.evidence import STRUCTURE, Evidence
from tplcrawl.clustering.furniture import Furniture
from tplcrawl.clustering.looks import looks
from tplcrawl.clustering.pairs import Flags, Floats, Ints, Pairs

FEW, ROOT, PART = 6, 1.2, 8
"""The fewest pages of either part: so many, and so many times the square root of both parts' pages,
since the oddest few of many are odd; this many are enough of any."""

UNLIKE, MUCH = 0.27, 6
"""The part of structure in which they differ, and the furniture that each must have: the contents
of a book stand on all its pages, and may be built a little otherwise than another's."""

HALF, SOME = 0.5, 3
"""The part of structure from which on it is enough that one has :data:`MUCH` furniture and the
other so much: a story may show no more than a picture and text, a recipe many parts."""


class Merges:
    """The merges that made clusters, in their order, over pages that are so much *alike* in
    structure."""

    def __init__(self, merges: Sequence[tuple[Sequence[int], Sequence[int]]], alike: Pairs) -> None:
        self._alike = alike
        self._merges = merges
        self._large = [at for at, parts in enumerate(merges) if min(map(len, parts)) >= FEW]
        self._ones, self._others = np.zeros((2, len(self._large), len(alike)), bool)
        for number, at in enumerate(self._large):
            one, other = merges[at]
            self._ones[number, one] = True
            self._others[number, other] = True

    def worst(self, members: Ints, evidence: Mapping[str, Evidence]) -> Flags | None:
        """The merge of *members* whose parts have least in common, undone: flags of the pages of
        one side; ``None`` where all parts have enough."""
        ones, others = self._ones[:, members], self._others[:, members]
        sizes = ones.sum(axis=1), others.sum(axis=1)
        least = np.clip(ROOT * np.sqrt(sizes[0] + sizes[1]), FEW, PART)
        tried = np.flatnonzero(np.minimum(*sizes) >= least)
        if len(tried):
            furniture = Furniture.of(members, ones[tried], others[tried], evidence)
            enough = (furniture.both >= SOME) & (furniture.most >= MUCH)
            tried, both = tried[enough], furniture.both[enough]
        if not len(tried):
            return None
        _, differ = looks(members, ones[tried], others[tried], evidence[STRUCTURE])
        differ = np.where(differ >= np.where(both >= MUCH, UNLIKE, HALF), differ, 0)
        best = int(np.argmax(differ))
        return self._side(self._large[tried[best]], members) if differ[best] else None

    def _side(self, merge: int, members: Ints) -> Flags:
        """The first part of *merge*, with all of what was merged with both later that is more like
        it than like the second: flags of *members*."""
        ones, others = (_flags(part, len(self._alike))[members] for part in self._merges[merge])
        some = members[ones][0]
        means = [self._means(members, members[part]) for part in (ones, others)]
        for one, other in self._merges[merge + 1 :]:
            if some in one or some in other:
                joined = _flags(other if some in one else one, len(self._alike))[members]
                if joined.any():
                    ones |= joined & (means[0][joined].mean() >= means[1][joined].mean())
        return ones

    def _means(self, members: Ints, part: Ints) -> Floats:
        """How much alike each of *members* is to those of *part*, by how much these are to each
        other."""
        means = self._alike.between(members, part).mean(axis=1)
        return np.asarray(means / max(self._alike.average(part), 1e-9), np.float64)


def _flags(part: Sequence[int], pages: int) -> Flags:
    """Which of *pages* are of *part*."""
    flags = np.zeros(pages, bool)
    flags[part] = True
    return flags
