"""Methods that compare pages two by two: pages that are alike enough are one template.

Links chain: two pages are in one cluster where a path of similar pages leads from one to the other
(single link), which paper 000, section 5.1, finds to serve structure well. The outcome does not
depend on the order of the pages.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tplcrawl.clustering.base import Arrival, Classifier, Clustering, Method, with_others
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.sampling import spread, stratified
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.records import Assignment

R = TypeVar("R")
"""What a method sees of a page."""

EXAMPLES = 5
"""Pages of each cluster that later pages are compared with."""

STRANGER = Assignment(None, 0.0, "like no known page")


class Linked(Method, Generic[R]):
    """Says how to look at a page and how alike two of them are; the rest is here.

    At most *most* pages are compared with each other, which is quadratic unless :meth:`links` knows
    better; every other page joins the cluster of the most similar of some examples of each.
    """

    threshold: ClassVar[float]
    """From which similarity two pages are linked, unless the user says otherwise."""

    limit: ClassVar[int] = 5000
    """How many pages are compared, unless the user says otherwise."""

    def __init__(self, *, similarity: float | None = None, most: int | None = None) -> None:
        self.at_least = self.threshold if similarity is None else similarity
        self.most = self.limit if most is None else most
        if not 0 <= self.at_least <= 1:
            raise UsageError(f"{self.name}: similarity must be between 0 and 1, not {similarity}")
        if self.most < 1:
            raise UsageError(f"{self.name}: most must be at least 1, not {most}")

    def parameters(self) -> dict[str, Any]:
        return super().parameters() | {"similarity": self.at_least}

    @abstractmethod
    def represent(self, features: Features, outline: Outline) -> R:
        """What is compared of a page."""

    @abstractmethod
    def similarity(self, a: R, b: R) -> float:
        """How alike two pages are: 0 to 1, symmetric, 1 for equal ones."""

    def key(self, page: R) -> Hashable:
        """Equal for pages that are all the same to :meth:`similarity`."""
        return page

    def links(self, pages: Sequence[R]) -> Iterator[tuple[int, int]]:
        """The pairs of *pages*, all different, that are alike enough. O(n²) comparisons."""
        for i, a in enumerate(pages):
            for j in range(i):
                if self.similarity(a, pages[j]) >= self.at_least:
                    yield i, j

    def cluster(self, pages: Pages) -> Clustering:
        sample = stratified(pages.first_locations, pages.urls, self.most)
        seen = [self.represent(pages.features[i], pages.outlines[i]) for i in sample]
        first: dict[Hashable, int] = {}
        kinds: list[R] = []
        kind_of = []
        for page in seen:
            kind = first.setdefault(self.key(page), len(kinds))
            if kind == len(kinds):
                kinds.append(page)
            kind_of.append(kind)
        clusters = components(len(kinds), self.links(kinds))
        numbers = {c: n for n, c in enumerate(dict.fromkeys(clusters[kind] for kind in kind_of))}
        labels = [numbers[clusters[kind]] for kind in kind_of]
        members: defaultdict[int, list[int]] = defaultdict(list)
        for kind in dict.fromkeys(kind_of):
            members[numbers[clusters[kind]]].append(kind)
        examples = [
            (number, kinds[kind])
            for number in range(len(numbers))
            for kind in spread(members[number], EXAMPLES)
        ]
        classifier = Nearest(self, examples)
        given: dict[int, Assignment] = {
            page: Assignment(label, 1.0, "linked by similarity")
            for page, label in zip(sample, labels, strict=True)
        }
        return with_others(pages, given, classifier)


class Nearest(Classifier, Generic[R]):
    """Instance-based classification (paper 000, section 4): a page is of the template of the
    example that it is most like, if it is alike enough. O(examples) comparisons."""

    def __init__(self, method: Linked[R], examples: Sequence[tuple[int, R]]) -> None:
        self._method = method
        self._examples = examples

    def assign(self, page: Arrival) -> Assignment:
        own = self._method.represent(page.features, page.outline)
        best, template = 0.0, None
        for number, example in self._examples:
            alike = self._method.similarity(own, example)
            if alike > best or template is None:
                best, template = alike, number
                if best >= 1:
                    break
        if template is None or best < self._method.at_least:
            return STRANGER
        return Assignment(template, round(best, 3), "like an example of its template")


def components(count: int, links: Iterator[tuple[int, int]]) -> list[int]:
    """The number of the component of each of *count* nodes.

    >>> components(4, iter([(0, 2), (2, 3)]))
    [0, 1, 0, 0]
    """
    pairs = np.fromiter(links, np.dtype((np.int64, 2)))
    ones = np.ones(len(pairs), bool)
    graph = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    labels: list[int] = connected_components(graph, directed=False)[1].tolist()
    return labels
