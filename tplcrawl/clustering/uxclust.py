"""UXClust (paper 001): pages grouped by where the links to them stand, groups merged by structure.

Section 3.3: each URL belongs to the location of the first link to it; groups below the cut-off are
dropped; of each other group, five pages give a fingerprint, the tag paths that occur on at least
0.3 of them; groups whose fingerprints share at least 0.8 of their paths (formula 3) are merged,
until there is nothing left to merge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import ClassVar

import numpy as np
from networkx.utils import UnionFind

from tplcrawl.clustering.base import Arrival, Classifier, Clustering, Method
from tplcrawl.clustering.groups import Cutoff, effective_cutoff, groups_by_location
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.sampling import spread
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.records import Assignment
from tplcrawl.similarity.sets import SetTable

LINKED = "linked from its template's locations"
UNGROUPED = Assignment(None, 0.0, "no group, or one below the cut-off")
_UNKNOWN = Assignment(None, 0.0, "from no known location")


class UXClust(Method):
    """Paper 001 as printed, over positional locations or general ones.

    O(pages) for the grouping; O(g²) for merging g groups, with sparse matrices.
    """

    name: ClassVar[str] = "uxclust"
    needs_links: ClassVar[bool] = True

    def __init__(
        self,
        *,
        cutoff: Cutoff = None,
        samples: int = 5,
        occurrence: float = 0.3,
        similarity: float = 0.8,
    ) -> None:
        if cutoff is not None and cutoff < 1:
            raise UsageError(f"uxclust: the cut-off must be at least 1, not {cutoff}")
        if samples < 1:
            raise UsageError(f"uxclust: samples must be at least 1, not {samples}")
        for name, share in (("occurrence", occurrence), ("similarity", similarity)):
            if not 0 <= share <= 1:
                raise UsageError(f"uxclust: {name} must be between 0 and 1, not {share}")
        self.cutoff, self.samples = cutoff, samples
        self.occurrence, self.similarity = occurrence, similarity

    def cluster(self, pages: Pages) -> Clustering:
        cutoff = effective_cutoff(self.cutoff, len(pages))
        groups = [g for g in groups_by_location(pages.first_locations) if len(g) >= cutoff]
        prints = [self.fingerprint(pages, group) for group in groups]
        templates = self.merge(prints)
        assignments = [UNGROUPED] * len(pages)
        known: dict[Hashable, Assignment] = {}
        for group, template in zip(groups, templates, strict=True):
            given = Assignment(template, 1.0, LINKED)
            known[pages.first_locations[group[0]]] = given
            for page in group:
                assignments[page] = given
        return Clustering(tuple(assignments), ByLocation(known), len(pages))

    def fingerprint(self, pages: Pages, group: Sequence[int]) -> Hashes:
        """The tag paths that occur on enough of a sample of the group's pages."""
        sample = spread(group, self.samples)
        counts = Counter(
            path for page in sample for path in pages.features[page].tag_paths.tolist()
        )
        needed = self.occurrence * len(sample) - 1e-6
        kept = sorted(path for path, count in counts.items() if count >= needed)
        return np.array(kept, np.uint32)

    def merge(self, prints: Sequence[Hashes]) -> list[int]:
        """The number of the template of each group: union-find over the pairs alike enough."""
        if not prints:
            return []
        table = SetTable.of(prints).rows
        common = (table @ table.T).tocoo()
        lengths = np.maximum([len(one) for one in prints], 1)
        most = np.maximum(lengths[common.row], lengths[common.col])
        union = UnionFind(range(len(prints)))
        alike = common.data >= self.similarity * most - 1e-6
        for a, b in zip(common.row[alike].tolist(), common.col[alike].tolist(), strict=True):
            union.union(a, b)
        roots = [union[i] for i in range(len(prints))]
        numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
        return [numbers[root] for root in roots]


class ByLocation(Classifier):
    """A page is of the template that its first location leads to."""

    def __init__(self, known: dict[Hashable, Assignment]) -> None:
        self._known = known

    def assign(self, page: Arrival) -> Assignment:
        return self._known.get(page.first_location, _UNKNOWN)
