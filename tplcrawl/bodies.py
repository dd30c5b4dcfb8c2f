"""Whose HTML is kept: some pages of each template, also of those that nobody knows yet."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable

from tplcrawl.clustering.sampling import spread
from tplcrawl.records import Assignment
from tplcrawl.store.store import Store

KEPT_BODIES = 12
"""Pages of each template whose HTML is kept, unless all or none are wanted."""
_SPARE = 3
"""Pages of a template at each place where links to it stand whose HTML is kept until the crawl
ends: what is one template for now may be several."""
_STRANGE = 0.9
"""Pages with less confidence are kept as if nothing were known of them: they may be the first of a
template."""


class Bodies:
    """Decides page by page, and thins out when templates are found. *wanted* is ``samples``,
    ``all`` or ``none``."""

    def __init__(self, store: Store, wanted: str) -> None:
        self._store = store
        self._wanted = wanted
        self._usual: Counter[int | None] = Counter()
        self._strange: Counter[int | None] = Counter()
        self._there: Counter[Hashable] = Counter()
        """Those that were kept since templates were found: of each template, of those of them with
        little confidence, and at each place."""

    def keeps(self, given: Assignment, location: int | None) -> bool:
        """Whether the HTML of a page that has just come is kept; if so, it counts."""
        if self._wanted != "samples":
            return self._wanted == "all"
        template = given.template
        if template is None:
            return True
        if given.confidence < _STRANGE and self._strange[template] < KEPT_BODIES:
            self._strange[template] += 1
            return True
        place = template, location
        keeps = self._usual[template] < KEPT_BODIES or self._there[place] < _SPARE
        self._usual[template] += keeps
        self._there[place] += keeps
        return keeps

    def thin(self, templates: Iterable[tuple[int, int | None]], *, spare: int = _SPARE) -> None:
        """Keep those of some pages of each template, spread over the crawl, and of *spare* ones at
        each place. *templates* has that of every page."""
        if self._wanted != "samples":
            return
        of = dict(templates)
        own: defaultdict[int | None, list[int]] = defaultdict(list)
        there: defaultdict[Hashable, list[int]] = defaultdict(list)
        places = self._store.pages.body_places()
        for docid, location in places.items():
            template = of.get(docid)
            own[template].append(docid)
            there[template, location].append(docid)
        usual = {template: spread(docids, KEPT_BODIES) for template, docids in own.items()}
        first = {place: docids[:spare] for place, docids in there.items()}
        stay = {docid for chosen in (*usual.values(), *first.values()) for docid in chosen}
        self._store.pages.drop_bodies([docid for docid in places if docid not in stay])
        self._usual = Counter({template: len(chosen) for template, chosen in usual.items()})
        self._there = Counter({place: len(chosen) for place, chosen in first.items()})
        self._strange.clear()
