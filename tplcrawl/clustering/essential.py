"""Methods that compare pages by their essential paths (paper 004): what they share.

Pages with equal essential paths are taken together first; a method says which of these sets belong
together. The template of a cluster is the paths that are essential to more than half of its pages.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from tplcrawl.clustering.base import Arrival, Classifier, Clustering, Method, with_others
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.sampling import stratified
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.essential_paths import THRESHOLDS, Ints, Supports, distinct_sets
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.records import Assignment
from tplcrawl.similarity.mdl import in_template
from tplcrawl.similarity.sets import SetTable

STRANGER = Assignment(None, 0.0, "has too little of any known template")

Groups = list[list[int]]
"""Clusters of sets by their numbers, each ascending."""


class Essential(Method):
    """Says which essential sets belong together; the rest is here.

    At most *most* pages are compared; supports are counted over these alone. *support* says which
    threshold a page has (:mod:`~tplcrawl.fingerprints.essential_paths`). Where no page is left out,
    their order does not matter: ties go to the lowest of the sets in the order of their members.
    """

    limit: ClassVar[int]
    """How many pages are compared, unless the user says otherwise."""

    def __init__(self, *, support: str = "mode", most: int | None = None) -> None:
        self.support = support
        self.most = self.limit if most is None else most
        if support not in THRESHOLDS:
            known = " or ".join(THRESHOLDS)
            raise UsageError(f"{self.name}: support must be {known}, not {support}")
        if self.most < 1:
            raise UsageError(f"{self.name}: most must be at least 1, not {most}")

    @abstractmethod
    def partition(self, sets: Sequence[Hashes], pages: Ints) -> Groups:
        """Group *sets*, at least one, all different and ascending; *pages* says how many pages
        have each."""

    def cluster(self, pages: Pages) -> Clustering:
        threshold = THRESHOLDS[self.support]
        sample = stratified(pages.first_locations, pages.urls, self.most)
        supports = Supports.of([pages.features[i].tag_paths for i in sample])
        found = distinct_sets(
            [supports.essential(pages.features[i].tag_paths, threshold) for i in sample]
        )
        groups = self.partition(found.sets, found.pages) if found.sets else []
        group_of = {number: at for at, group in enumerate(groups) for number in group}
        order = list(dict.fromkeys(group_of[number] for number in found.of_page))
        labels = {group: label for label, group in enumerate(order)}
        templates = [
            template_paths([found.sets[i] for i in groups[g]], found.pages[groups[g]])
            for g in order
        ]
        classifier = ByTemplate(supports, self.support, templates)
        known: dict[int, Assignment] = {
            page: Assignment(labels[group_of[number]], 1.0, "clustered by its essential paths")
            for page, number in zip(sample, found.of_page, strict=True)
        }
        return with_others(pages, known, classifier)


def template_paths(sets: Sequence[Hashes], pages: Ints) -> Hashes:
    """The template of a cluster of essential sets, of which so many *pages* have each.

    >>> sets = [np.array([1, 2], np.uint32), np.array([1, 3], np.uint32)]
    >>> template_paths(sets, np.array([2, 1])).tolist()
    [1, 2]
    """
    paths, at = np.unique(np.concatenate(sets), return_inverse=True)
    each = np.repeat(pages, [len(one) for one in sets])
    supports = np.bincount(at, weights=each, minlength=len(paths))
    return paths[in_template(supports, pages.sum())]


class ByTemplate(Classifier):
    """A page is of the template that says it with the fewest entries of M_Δ, the first of several:
    ``|E(d) Δ T|``. A page apart needs an entry of M_T for each of its essential paths, so it joins
    only where ``|E(d) Δ T| < |E(d)|``: it must have more than half of the template's paths.

    O(p + total size of the templates) for a page of p paths.
    """

    def __init__(self, supports: Supports, support: str, templates: Sequence[Hashes]) -> None:
        self._supports = supports
        self._threshold = THRESHOLDS[support]
        self._sizes = np.array([len(one) for one in templates], np.int64)
        self._table = SetTable.of(templates)

    def assign(self, page: Arrival) -> Assignment:
        paths = self._supports.essential(page.features.tag_paths, self._threshold)
        if not len(self._sizes):
            return STRANGER
        own = np.zeros(self._table.rows.shape[1], np.float32)
        own[np.flatnonzero(np.isin(self._table.members, paths, assume_unique=True))] = 1
        common = self._table.rows @ own
        differences = self._sizes - 2 * common
        best = int(np.argmin(differences))
        if differences[best] >= 0:
            return STRANGER
        shared = float(common[best])
        alike = shared / (len(paths) + float(self._sizes[best]) - shared)
        return Assignment(best, round(alike, 3), "told best by its template's paths")
