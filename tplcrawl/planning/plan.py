"""Whether a URL is needed, by the template that it is expected to be of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.clustering.saturation import Saturation
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.yields import Kind, Yields
from tplcrawl.recording import Recording
from tplcrawl.store.urls import QueuedUrl

LEVEL = 8
"""Where rare templates come first: so many pages of each before more of any; then twice as many."""

_FRESH, _GROWN = 5, 0.1
"""Pages since the last round, and their share of all, that make another one worth while at the end.
"""

WINDOW, EARLY_WINDOW = 16, 8
"""URLs that may be under way: what is needed next depends on what they turn out to be."""

UNSURE = 3
"""URLs of which nothing is expected that are fetched from one location on pages of one template;
then they are taken for what is likeliest."""

_HUBS = 4
"""Pages of one template that are asked for at once for what they lead to."""

NEEDED, UNKNOWN, HUB, RANDOM = "needed", "unknown", "hub", "random"
"""Why a URL is fetched: pages of its template are needed, nothing is expected of it, it leads to
what is needed, or it was drawn."""

SAMPLE = 30
"""Random pages that say something of the templates that there are."""

LIKELY = 0.05
"""The chance of a new template on a random page from which on none is likely."""

SURE = 0.5
"""A prediction that is less likely than this is none."""

Names = Callable[[], Mapping[int, str]]
"""The names of all templates, as the outputs have them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a plan says of a URL."""

    needed: bool
    expected: Kind


class Plan:
    """Counts the pages of each template, those under way too, against the aims of a crawl. O(1) a
    URL."""

    def __init__(self, aims: Aims, recording: Recording, names: Names) -> None:
        self.aims = aims
        self.yields = Yields()
        self.fetched: Counter[Kind] = Counter()
        self.elsewhere: Counter[Kind] = Counter()
        """The pages of each template that other workers have."""
        self.wanted: set[Kind] = set()
        """The templates that are looked for, as far as they are known."""
        self.rounds = 0
        """How often templates were found anew."""
        self.taken: Counter[str] = Counter()
        """How many URLs were taken for each reason."""
        self.done = False
        """Whether enough is known: nothing more is to be fetched."""
        self._random: set[int] = set()
        self._recording = recording
        self._read_names = names
        self._under_way: dict[int, Kind] = {}
        self._coming: Counter[Kind] = Counter()
        self._unsure: Counter[Hashable] = Counter()
        self._level = LEVEL if aims.rare_first else None
        self.renew()

    def renew(self) -> None:
        """Templates were found anew: count their pages."""
        self.rounds += 1
        model, urls = self._recording.model, self._recording.store.urls
        current = dict(model.templates_of_pages())
        failures = self.fetched[NO_PAGE]
        self.fetched = Counter(current.values())
        self.fetched[NO_PAGE] = failures
        budgets = self.aims.budgets
        self._names = self._read_names() if budgets and budgets.need_names else {}
        self.wanted = set()
        for id_ in urls.known(self.aims.like).values():
            ends = [id_, *(url.id for url in urls.led_to(id_))]
            self.wanted.add(current.get(ends[-1]))
        self.wanted.discard(None)

    def judge(self, url: QueuedUrl) -> Verdict:
        """Whether *url* is needed. Start pages are."""
        if url.place.location is None:
            return Verdict(True, None)
        told = self._recording.expect(url.url, url.place)
        if told is None or told.confidence < SURE:
            limit = self._limit(None)
            if limit is None or self._unsure[self._corner(url)] < min(limit, UNSURE):
                return Verdict(True, None)
        if told is None:
            return Verdict(False, None)
        return Verdict(self.room(told.template), told.template)

    def room(self, kind: Kind) -> bool:
        """Whether more pages of a template are needed."""
        limit = self._limit(kind)
        has = self.fetched[kind] + self._coming[kind] + self.elsewhere[kind]
        return limit is None or has < limit

    def counts(self) -> dict[int, int]:
        """The pages of each template, those under way too."""
        kinds = {kind for kind in (*self.fetched, *self._coming) if kind is not None}
        return {kind: self.fetched[kind] + self._coming[kind] for kind in sorted(kinds)}

    def _limit(self, kind: Kind) -> int | None:
        name = self._names.get(kind) if kind is not None else None
        # Before a page that is looked for has a template, any may be of it.
        wanted = kind in self.wanted or not self.wanted
        limit = self.aims.limit(kind, name, wanted=wanted)
        if self._level is None or kind is None:
            return limit
        return self._level if limit is None else min(limit, self._level)

    @property
    def window(self) -> int:
        """How many may be under way: few as long as nothing is known."""
        return WINDOW if self._recording.model.templates else EARLY_WINDOW

    @property
    def under_way(self) -> int:
        """How many URLs were taken and have not left."""
        return len(self._under_way)

    def has(self, id_: int) -> bool:
        """Whether a URL is under way."""
        return id_ in self._under_way

    def take(self, url: QueuedUrl, kind: Kind, why: str) -> None:
        """*url* is asked for."""
        self.taken[why] += 1
        if why == RANDOM:
            self._random.add(url.id)
        self._under_way[url.id] = kind
        self._coming[kind] += 1
        if kind is None:
            self._unsure[self._corner(url)] += 1

    def _corner(self, url: QueuedUrl) -> Hashable:
        return url.place.location, self._template_of(url.place.source)

    def leave(self, id_: int) -> None:
        """*id_* was answered, or never will be."""
        if id_ in self._under_way:
            self._coming[self._under_way.pop(id_)] -= 1
        if id_ in self._random:
            self._random.discard(id_)
            self.done = self.done or (self.aims.saturation is not None and self.saturated)

    def arrived(self, template: Kind, source: int | None) -> None:
        """A page of *template* came, to which the page *source* led."""
        on = self._template_of(source)
        if on is not None and self.room(template):
            self.yields.credit(on, template)
        self.fetched[template] += 1
        if template is not None:
            self.yields.note(template)

    def failed(self, url: QueuedUrl) -> None:
        """No page came of *url*, and none will."""
        self._recording.fail(url.id, url.url, url.place)
        self.fetched[NO_PAGE] += 1

    def _template_of(self, docid: int | None) -> Kind:
        return None if docid is None else self._recording.model.template_of(docid)

    def hubs(self, held: Iterable[int]) -> list[int]:
        """Those of the *held* templates whose pages lead to what is needed, best first."""
        found = {
            template: self.yields.of(template, self.room)
            for template in held
            if self._coming[template] < _HUBS
        }
        least = self.aims.least_yield
        worth = [template for template, given in found.items() if given >= least]
        return sorted(worth, key=lambda template: (-found[template], template))

    def rise(self, held: Iterable[int]) -> bool:
        """Where rare templates come first: let there be more pages of each, if any wait for it."""
        waiting, level = list(held), self._level
        self._level = None
        if level is None or not any(map(self.room, waiting)):
            return False
        self._level = level
        while not any(map(self.room, waiting)):
            self._level *= 2
        return True

    def look_again(self) -> bool:
        """Find the templates anew, if enough pages have come since; return whether they were."""
        if self._recording.model.fresh < max(_FRESH, _GROWN * len(self._recording)):
            return False
        self._recording.round()
        self.renew()
        return True

    def saturation(self) -> Saturation:
        """What the random URLs say of the templates that there are."""
        sample = list(self._recording.store.draws.templates())
        return Saturation.of(sample, self._recording.model.templates)

    @property
    def saturated(self) -> bool:
        """Whether few more templates are likely."""
        found = self.saturation()
        enough = LIKELY if self.aims.saturation is None else self.aims.saturation
        return found.fetches >= SAMPLE and found.unseen <= enough

    def unsaturated(self) -> bool:
        """Whether random URLs are to be fetched when nothing is needed any more: where every
        template is to be found, until no more are likely; with budgets, as many as tell."""
        if not self.aims.explore or self.aims.like:
            return False
        if self.aims.samples:
            return not self.saturated
        return self.saturation().fetches < SAMPLE
