"""Whether a URL is needed, by the template that it is expected to be of."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.bunches import Bunch, Corner, Expected
from tplcrawl.planning.errands import RANDOM, Errand
from tplcrawl.planning.leads import Leads
from tplcrawl.planning.sample import Sample
from tplcrawl.planning.stock import Stock
from tplcrawl.planning.yields import Kind, Yields
from tplcrawl.recording import Recording
from tplcrawl.store.urls import Place, QueuedUrl, State

_FRESH, _GROWN, _SEARCHED = 5, 0.2, 0.05
"""Pages since the last round that make another worth while; their share of all, and in a search."""

WINDOW, EARLY_WINDOW = 16, 8
"""URLs that may be under way: what is needed next depends on what they turn out to be."""

UNSURE = 3
"""URLs of a corner of which nothing is expected that are fetched; then they are taken for what is
likeliest."""

_HUBS = 4
"""Pages of one template that are asked for at once for what they lead to."""

THRIFT = 0.5
"""The needed links that a page of a template that is not needed itself must bring."""

DOUBTFUL = 0.6
"""A prediction that is wrong with more than this chance is none."""

Names = Callable[[], Mapping[int, str]]
"""The names of all templates, as the outputs have them."""


class Plan:
    """Weighs what is expected of a URL, and how likely, against the aims of a crawl. O(1)
    a URL."""

    def __init__(self, aims: Aims, recording: Recording, names: Names) -> None:
        self.aims = aims
        self.yields = Yields()
        self.stock = Stock(aims)
        self.sample = Sample(aims, recording, self.stock)
        self.wanted: set[Kind] = set()
        """The templates that are looked for, as far as they are known."""
        self.rounds = 0
        """How often templates were found anew."""
        self.seconds = 0.0
        """CPU time of the rounds that were asked for, and of learning from them."""
        self.done = False
        """Whether enough is known: nothing more is to be fetched."""
        self._recording = recording
        self._read_names = names
        self._under_way: dict[int, Errand] = {}
        self._told: Counter[Expected] = Counter()
        self._asked: Counter[Corner] = Counter()
        self._answered: Counter[Corner] = Counter()
        self._news: list[Corner] = []
        self.led: deque[tuple[int, Errand]] = deque()
        """Where URLs led to that have left, and what those were fetched for."""
        self.leads: Leads | None = Leads(self.template_of, aims.like) if aims.like else None
        """In a search: what places have led to."""
        if self.leads is not None:
            self.leads.recall(recording.store)
        self.renew()

    def renew(self) -> None:
        """Templates were found anew: count their pages."""
        self.rounds += 1
        model, urls = self._recording.model, self._recording.store.urls
        current = dict(model.templates_of_pages())
        budgets = self.aims.budgets
        names = self._read_names() if budgets and budgets.need_names else {}
        self.stock.renew(Counter(current.values()), names)
        ends = map(urls.end_of, urls.known(self.aims.like).values())
        self.wanted = {kind for kind in map(current.get, ends) if kind is not None}
        self._answered = Counter(
            self.corner(url.place)
            for url, state, _ in urls.judged()
            if state is not State.REDIRECTED and url.id not in self._under_way
        )
        self._asked = Counter(self.corner(errand.place) for errand in self._under_way.values())
        if self.leads is not None:
            self.leads.renew(self.wanted)

    def corner(self, place: Place) -> Corner:
        """Where a link stands, as far as it tells what it leads to."""
        return place.location, self.template_of(place.source)

    def template_of(self, docid: int | None) -> Kind:
        """The template of a page."""
        return None if docid is None else self._recording.model.template_of(docid)

    def expect(self, url: QueuedUrl) -> Expected:
        """The template that *url* is expected to be of, ``None`` where nothing is; and how likely
        it is that something else comes. A search has no use for what is not likely; elsewhere, that
        nothing comes is not believed of a corner that nobody has tried: it would be lost."""
        told = self._recording.expect(url.url, url.place)
        if told is None:
            return None, 1.0
        doubt, corner = 1 - told.confidence, self.corner(url.place)
        if self.aims.like:
            unknown = doubt > DOUBTFUL and not self._explored(corner)
        else:
            unknown = told.template == NO_PAGE and not self._answered[corner]
        return (None, 1.0) if unknown else (told.template, doubt)

    def needs(self, kind: Kind, doubt: float, corner: Corner) -> bool:
        """Whether a URL of *corner* of which *kind* is expected is needed. Start pages are."""
        location, _ = corner
        if location is None:
            return True
        if kind is None:
            return self._asks(corner)
        return self.room(kind) and self._likely(kind, doubt)

    def _likely(self, kind: Kind, doubt: float) -> bool:
        """Whether it is likely enough that *kind* comes, where that matters."""
        return doubt <= DOUBTFUL or self.stock.budget(kind) is None

    def _asks(self, corner: Corner) -> bool:
        """Whether it is to be found out what a corner leads to: one URL at first, then more."""
        if self.stock.limit(None) is None:
            return True
        return not self._explored(corner) and self._asked[corner] <= self._answered[corner]

    def _explored(self, corner: Corner) -> bool:
        limit = self.stock.limit(None)
        most = UNSURE if limit is None else min(limit, UNSURE)
        return self._answered[corner] + self._asked[corner] >= most

    def room(self, kind: Kind) -> bool:
        """Whether more pages of a template are needed."""
        return self.stock.room(kind)

    def free(self, bunch: Bunch) -> bool:
        """Whether a try of *bunch*, whose template has room, if not on this level, costs nothing:
        as long as what is expected comes."""
        return self._likely(bunch.kind, bunch.doubt) and self.lone(bunch)

    def lone(self, bunch: Bunch) -> bool:
        """Whether nothing is under way that tells the same as a try of *bunch*."""
        return not self._told[bunch.kind, bunch.doubt]

    @property
    def spare(self) -> bool:
        """Whether some pages beyond budgets may be fetched to learn more. In a search, none are."""
        if self.aims.like:
            return False
        paid = Counter(self._recording.store.draws.drawn())
        paid.update(filter(None, map(self.template_of, self.stock.paid)))
        return self.stock.spare(paid)

    @property
    def window(self) -> int:
        """How many may be under way: few as long as nothing is known."""
        return WINDOW if self._recording.model.templates else EARLY_WINDOW

    @property
    def under_way(self) -> int:
        """How many URLs were taken and have not left."""
        return len(self._under_way)

    def errand(self, id_: int) -> Errand | None:
        """What a URL is fetched for, if it is under way."""
        return self._under_way.get(id_)

    def take(self, url: QueuedUrl, kind: Kind, why: str, doubt: float = 0.0) -> None:
        """*url* is asked for."""
        self._under_way[url.id] = Errand(url.place, kind, why, doubt)
        self._told[kind, doubt] += 1
        self.stock.coming[kind] += 1
        self._asked[self.corner(url.place)] += 1

    def leave(self, id_: int, *, answered: bool = True) -> None:
        """*id_* is not under way any more. What was not *answered* tells nothing of its corner."""
        errand = self._under_way.pop(id_, None)
        if errand is None:
            return
        self._told -= Counter([(errand.kind, errand.doubt)])
        urls = self._recording.store.urls
        end = urls.end_of(id_)
        if end != id_ and urls.state(end) is State.QUEUED:
            self.led.append((end, errand))
        if self.leads is not None:
            self.leads.leave(id_)
            if urls.led_back(id_):
                url = urls.get(id_)
                self.leads.note(id_, url.url, url.place, errand.kind, page=False)
        corner = self.corner(errand.place)
        self.stock.coming[errand.kind] -= 1
        self._asked[corner] -= 1
        if answered:
            self._answered[corner] += 1
            if self._answered[corner] == UNSURE:
                self._news.append(corner)
        if errand.why == RANDOM:
            self.done = self.done or (self.aims.saturation is not None and self.sample.saturated)

    def leave_all(self) -> None:
        """Nothing is under way any more, and what was got no answer that would tell anything."""
        self._under_way.clear()
        self._told.clear()
        self.stock.coming.clear()
        self._asked.clear()

    def news(self) -> list[Corner]:
        """The corners of which enough URLs have left since this was asked last."""
        news, self._news = self._news, []
        return news

    def arrived(self, template: Kind, url: QueuedUrl) -> None:
        """A page of *template* came under *url*."""
        if url.id not in self._under_way:
            self.stock.paid.append(url.id)
        if self.leads is not None:
            self.leads.note(url.id, url.url, url.place, self._expected(url), page=True)
            if template in self.wanted:
                self.leads.found(url.id)
        on = self.template_of(url.place.source)
        if on is not None and self.room(template):
            self.yields.credit(on, template)
        self.stock.fetched[template] += 1
        if template is not None:
            self.yields.note(template)

    def failed(self, url: QueuedUrl) -> None:
        """No page came of *url*, and none will."""
        self._recording.fail(url.id, url.url, url.place)
        if self.leads is not None:
            self.leads.note(url.id, url.url, url.place, self._expected(url), page=False)

    def _expected(self, url: QueuedUrl) -> Kind:
        errand = self._under_way.get(url.id)
        return errand.kind if errand else None

    def hubs(self, held: Iterable[Kind]) -> list[int]:
        """Those of the *held* templates whose pages lead to what is needed, best first."""
        found = {
            template: self.yields.of(template, self.room)
            for template in held
            if template is not None and self.stock.coming[template] < _HUBS
        }
        worth = [template for template, given in found.items() if given >= THRIFT]
        return sorted(worth, key=lambda template: (-found[template], template))

    def menu(self) -> list[int]:
        """The URLs that most pages link to, in order of discovery."""
        return self._recording.model.inbound.widely(len(self._recording))

    def look_again(self) -> bool:
        """Find the templates anew, if enough pages have come since, any where none are known;
        return whether they were."""
        enough = _FRESH if self._recording.model.templates else 1
        share = (_SEARCHED if self.aims.like else _GROWN) * len(self._recording)
        if self._recording.model.fresh < max(enough, share):
            return False
        began = time.process_time()
        self._recording.round()
        self.renew()
        self.seconds += time.process_time() - began
        return True
