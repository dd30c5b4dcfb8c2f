"""Methods that compare pages by aligning their trees: dear, so bounds come first."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from tplcrawl.clustering.base import Arrival, Classifier, Clustering
from tplcrawl.clustering.linked import EXAMPLES, STRANGER, Linked
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.sampling import spread, stratified
from tplcrawl.fingerprints.shapes import Shape
from tplcrawl.records import Assignment
from tplcrawl.similarity.top_down import Known, top_down_distance

R = TypeVar("R")

_MOST_KNOWN = 1_000_000
"""Distances of subtrees that are kept: some 200 MB."""


class Aligned(Linked[R]):
    """Says between which bounds a similarity lies, so that it is seldom computed."""

    def __init__(self, *, similarity: float | None = None, most: int | None = None) -> None:
        super().__init__(similarity=similarity, most=most)
        self._known: Known = {}

    @abstractmethod
    def ceiling(self, a: R, b: R) -> float:
        """A quick bound that :meth:`similarity` does not exceed. Where this is below the threshold,
        it need not be tight."""

    def floor(self, a: R, b: R) -> float:
        """A quicker bound that :meth:`similarity` does not fall below."""
        return self.similarity(a, b)

    def alike(self, a: R, b: R) -> bool:
        """Whether :meth:`similarity` reaches the threshold."""
        least = self.at_least
        return self.ceiling(a, b) >= least and (
            self.floor(a, b) >= least or self.similarity(a, b) >= least
        )

    def top_down(self, a: Shape, b: Shape) -> int:
        """The restricted top-down distance; those of subtrees are kept for the next pages."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        return top_down_distance(a, b, self._known)

    def links(self, pages: Sequence[R]) -> Iterator[tuple[int, int]]:
        """Enough pairs to connect what all pairs that are alike enough would connect: a page that
        is reached is not compared again."""
        apart = list(range(len(pages)))
        while apart:
            reached = [apart.pop()]
            while reached:
                one = reached.pop()
                alike = [other for other in apart if self.alike(pages[one], pages[other])]
                yield from ((one, other) for other in alike)
                reached += alike
                apart = sorted(set(apart).difference(alike))

    def cluster(self, pages: Pages) -> Clustering:
        sample = stratified(pages.first_locations, pages.urls, self.most)
        found = super().cluster(_part(pages, sample))
        members: defaultdict[int, list[int]] = defaultdict(list)
        for page, given in zip(sample, found.assignments, strict=True):
            if given.template is not None:
                members[given.template].append(page)
        examples = [
            (template, self.represent(pages.features[page], pages.outlines[page]))
            for template in sorted(members)
            for page in spread(members[template], EXAMPLES)
        ]
        classifier = NearestAligned(self, examples)
        assignments = dict(zip(sample, found.assignments, strict=True))
        for page in range(len(pages)):
            if page not in assignments:
                arrival = Arrival(pages.features[page], pages.outlines[page])
                assignments[page] = classifier.assign(arrival)
        everything = tuple(assignments[page] for page in range(len(pages)))
        return replace(found, assignments=everything, classifier=classifier)


class NearestAligned(Classifier):
    """A page is of the template of the example that it is most like, if it is alike enough.

    Which one it is most like is told by lower bounds; where these leave open whether any is alike
    enough, by the first that proves to be.
    """

    def __init__(self, method: Aligned[R], examples: Sequence[tuple[int, R]]) -> None:
        self._method = method
        self._examples = examples

    def assign(self, page: Arrival) -> Assignment:
        method = self._method
        own = method.represent(page.features, page.outline)
        hopeful = [
            (ceiling, template, example)
            for template, example in self._examples
            if (ceiling := method.ceiling(own, example)) >= method.at_least
        ]
        hopeful.sort(key=lambda row: -row[0])
        best, chosen = 0.0, None
        for ceiling, template, example in hopeful:
            if ceiling <= best:
                break
            alike = method.floor(own, example)
            if alike > best or chosen is None:
                best, chosen = alike, template
        if best < method.at_least:
            for _, template, example in hopeful:
                alike = method.similarity(own, example)
                if alike >= method.at_least:
                    best, chosen = alike, template
                    break
        if chosen is None or best < method.at_least:
            return STRANGER
        return Assignment(chosen, round(best, 3), "like an example of its template")


def _part(pages: Pages, chosen: Sequence[int]) -> Pages:
    """The *chosen* pages; their links do not count here."""
    return Pages(
        [pages.urls[i] for i in chosen],
        [pages.features[i] for i in chosen],
        [pages.outlines[i] for i in chosen],
        pages.inbound,
        [pages.first_locations[i] for i in chosen],
    )
