"""The online model: templates while the crawl goes on.

Each page is assigned when it arrives, by the classifier of the last round; a round finds the
templates anew from all pages so far. Rounds come when the crawl has grown by a constant factor, so
that all of them together cost a constant times the last one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Protocol

import numpy as np

from tplcrawl.clustering.ancestors import Ancestor, inbound_of
from tplcrawl.clustering.base import Arrival, Classifier, Method
from tplcrawl.clustering.by_host import cluster_by_host
from tplcrawl.clustering.inbound import InboundCounter
from tplcrawl.clustering.pages import Lazy, Pages, Stands
from tplcrawl.clustering.predictions import NO_PAGE, Link, Predictor
from tplcrawl.clustering.template_ids import TemplateIds
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.records import Assignment, Prediction

FIRST_ROUND = 25
GROWTH, GROWTH_OF_SAMPLED = 1.5, 3.0
"""A round comes at 25 pages, then whenever there are half as many again as at the last one; three
times as many where that one no longer compared all pages: what more of them add is little."""

_UNLIKE, _UNLIKE_SHARE, _GROWN = 8, 0.02, 1.1
"""A round comes early when so many pages, and this share of all, are unlike all known templates,
and there are a tenth more than at the last one: a new part of the site has begun. Where the last
one left many pages alone, it takes as many."""

_EARLY = Assignment(None, 0.0, "too early to tell")


class Shelf(Protocol):
    """Where a model finds what it does not keep of pages."""

    def features(self, docid: int) -> Features: ...

    def outline(self, docid: int) -> Outline: ...

    def stands(self, docids: Sequence[int]) -> Stands:
        """See :attr:`Pages.stands`."""
        ...

    def ends(self) -> Mapping[int, int]:
        """Where the URLs led at last that were redirected."""
        ...


class Model:
    """The templates of one crawl.

    Memory: some 600 bytes a page and 16 for each distinct (page, location); all else stays on the
    *shelf*. With *by_host*, the pages of each host are clustered by themselves.
    """

    def __init__(
        self,
        method: Method,
        shelf: Shelf,
        ids: TemplateIds | None = None,
        *,
        by_host: bool = False,
        ancestors: Sequence[Ancestor] = (),
    ) -> None:
        self.method = method
        self._by_host = by_host
        self.ids = ids or TemplateIds()
        self.inbound = InboundCounter()
        self.inbound.begin_with(inbound_of(ancestors))
        self._ancestors = ancestors
        self._predictor: Predictor | None = Predictor()
        self._shelf = shelf
        self._docids: list[int] = []
        self._links: list[Link] = []
        self._failed: list[tuple[int, Link, int | None]] = []
        self._assignments: list[Assignment] = []
        self._classifier: Classifier | None = None
        self._names: dict[int, int] = {}
        self._templates = 0
        self._next_round = FIRST_ROUND
        self._seen = self._unlike = self._alone = 0
        self.learned_from = 0
        """The pages that the last round compared; the others were assigned."""

    def __len__(self) -> int:
        return len(self._docids)

    @property
    def templates(self) -> int:
        """How many templates the pages had in the last round."""
        return self._templates

    @property
    def predictor(self) -> Predictor:
        """What to expect of URLs; after a round, it learns anew from all of them."""
        if self._predictor is None:
            self._predictor = self._taught()
        return self._predictor

    def templates_of_pages(self) -> Iterator[tuple[int, int | None]]:
        """Every page's docid and template."""
        for docid, given in zip(self._docids, self._assignments, strict=True):
            yield docid, given.template

    def predict(self, link: Link, *, on: int | None = None) -> Prediction | None:
        """The template of a URL before it is fetched. *on* is the template of the page that it was
        seen on, where that page has not been added yet."""
        expected = self.predictor.predict(link, on=on)
        return None if expected is not None and expected.template == NO_PAGE else expected

    def fail(self, docid: int, link: Link) -> None:
        """No page came of *link*, and none will."""
        self.predictor.learn(docid, link, NO_PAGE)
        self._failed.append((docid, link, NO_PAGE))

    def template_of(self, docid: int) -> int | None:
        """The template of a page."""
        return self.predictor.template_of(docid)

    def classify(
        self,
        docid: int,
        features: Features,
        outline: Outline,
        first_location: Hashable | None,
    ) -> Assignment:
        """The template of a page that has just come, by what the last round found. O(1)."""
        locations = self.inbound.locations_of(docid)
        return self.ask(Arrival(features, outline, first_location, locations))

    def ask(self, page: Arrival) -> Assignment:
        """The template of any page, by what the last round found."""
        if self._classifier is None:
            return _EARLY
        return _renamed(self._classifier.assign(page), self._names)

    def add(self, docid: int, link: Link, given: Assignment) -> Assignment:
        """Take in a page with the assignment that it was given, and return that as it goes now: a
        round may have merged its template since."""
        given = _renamed(given, self.ids.aliases)
        self.predictor.learn(docid, link, given.template)
        self._docids.append(docid)
        self._links.append(link)
        self._assignments.append(given)
        self._unlike += given.template is None and self._classifier is not None
        return given

    @property
    def due(self) -> bool:
        """Whether it is time for a round."""
        pages = len(self._docids)
        if pages >= self._next_round:
            return True
        new_part = self._unlike >= max(_UNLIKE, _UNLIKE_SHARE * pages, self._alone)
        return new_part and pages >= _GROWN * self._seen

    @property
    def fresh(self) -> int:
        """How many pages have come since the last round."""
        return len(self._docids) - self._seen

    @property
    def untaught(self) -> bool:
        """Whether there are pages of an earlier crawl that no round has seen."""
        return bool(self._ancestors) and self._classifier is None

    def round(self) -> list[tuple[int, Assignment]]:
        """Find the templates anew from all pages; return the assignments that changed, by docid."""
        pages = self.pages()
        before = self._assignments
        if self._by_host:
            clustering = cluster_by_host(self.method, pages)
        else:
            clustering = self.method.cluster(pages)
        known = [ancestor.template for ancestor in self._ancestors]
        self._names = self.ids.match(
            [*known, *(a.template for a in before)],
            [a.template for a in clustering.assignments],
            anchors=len(known),
        )
        found = clustering.assignments[len(known) :]
        sizes = Counter(a.template for a in found)
        self._alone = sizes.pop(None, 0) + sum(size == 1 for size in sizes.values())
        self._templates = len(sizes)
        self._classifier = clustering.classifier
        self.learned_from = min(clustering.learned_from, len(found))
        self._assignments = [_renamed(given, self._names) for given in found]
        self._predictor = None
        self._seen, self._unlike = len(self._docids), 0
        sampled = self.learned_from < self._seen
        growth = GROWTH_OF_SAMPLED if sampled else GROWTH
        self._next_round = max(FIRST_ROUND, int(len(self._docids) * growth))
        return [
            (docid, new)
            for docid, old, new in zip(self._docids, before, self._assignments, strict=True)
            if old != new
        ]

    def _taught(self) -> Predictor:
        """What to expect of URLs by all of them, in order of discovery."""
        predictor = Predictor()
        for number, one in enumerate(self._ancestors):
            predictor.learn(number - len(self._ancestors), one.link, one.template, on=one.on)
        given = (assignment.template for assignment in self._assignments)
        lessons = [*zip(self._docids, self._links, given, strict=True), *self._failed]
        for lesson in sorted(lessons, key=itemgetter(0)):
            predictor.learn(*lesson)
        return predictor

    def pages(self) -> Pages:
        """All pages so far, in order of discovery; those of the earlier crawl come first."""
        self._sort()
        first, shelf = self._ancestors, self._shelf
        docids = [*range(-len(first), 0), *self._docids]
        links = [*(one.link for one in first), *self._links]
        return Pages(
            urls=[link.url for link in links],
            features=Lazy(docids, lambda d: first[d].features if d < 0 else shelf.features(d)),
            outlines=Lazy(docids, lambda d: first[d].outline if d < 0 else shelf.outline(d)),
            inbound=self.inbound.result().moved(shelf.ends()).of_pages(np.array(docids, np.int64)),
            first_locations=[link.location for link in links],
            stands=lambda pages: shelf.stands([docids[page] for page in pages]),
        )

    def _sort(self) -> None:
        """Bring the pages into the order of discovery, whatever order they came in."""
        order = sorted(range(len(self._docids)), key=self._docids.__getitem__)
        self._docids = [self._docids[i] for i in order]
        self._links = [self._links[i] for i in order]
        self._assignments = [self._assignments[i] for i in order]


def _renamed(given: Assignment, names: Mapping[int, int]) -> Assignment:
    template = given.template
    if template is None or names.get(template, template) == template:
        return given
    return Assignment(names[template], given.confidence, given.reason)
