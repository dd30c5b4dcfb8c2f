"""The next URL to fetch, out of the store: breadth first, or as a plan has it."""

from __future__ import annotations

from collections.abc import Callable

from tplcrawl.fingerprints.url_shape import url_build
from tplcrawl.planning.bunches import Bunch, Bunches, Shape
from tplcrawl.planning.errands import HUB, NEEDED, RANDOM, UNKNOWN
from tplcrawl.planning.lottery import draw
from tplcrawl.planning.plan import DOUBTFUL, THRIFT, UNSURE, Plan
from tplcrawl.planning.queue import Queue
from tplcrawl.planning.yields import Kind
from tplcrawl.store.store import Store
from tplcrawl.store.urls import QueuedUrl, State

LATER = "later"
"""No reason to leave a URL out, but a request to ask again."""

Refusal = Callable[[QueuedUrl], str | None]
"""Why a URL must not be fetched, whatever the plan; :data:`LATER` as long as that is not known."""

DOUBT = 0.05
"""How likely it must be that something else comes for a URL to be tried."""

_STRANGE = 0.1
"""How unsure it must be what comes of a corner that is tried although all is spent."""

_MENU = 20
"""URLs of menus that are asked for whatever is expected of them."""

_DRAWS = 50
"""Draws that may hit what is fetched already before exploring waits for its next chance."""


class Picker:
    """Picks queued URLs one by one, in their order."""

    def __init__(self, store: Store, refuse: Refusal, queue: Queue) -> None:
        self._store = store
        self._refuse = refuse
        self._queue = queue

    def next(self) -> QueuedUrl | None:
        """Pick a URL; ``None`` if there is none for now."""
        while (queued := self._queue.first()) is not None:
            reason = self._refuse(queued)
            if reason == LATER:
                return None
            self._queue.pop()
            if reason is None:
                return queued
            self._store.urls.settle(queued.id, State.SKIPPED, reason=reason)
        return None


class PlannedPicker:
    """Picks what a plan needs, and random URLs between. What it picks depends only on the store and
    on what has left since."""

    def __init__(self, store: Store, refuse: Refusal, plan: Plan, queue: Queue) -> None:
        self._store = store
        self._refuse = refuse
        self._queue = queue
        self._plan = plan
        self._bunches = self._no_bunches()
        self._renewed = plan.rounds
        self._drawn: set[int] = set()
        self._picked = store.draws.fetches()
        self._corners = 0
        self._menu: list[int] | None = None
        """What most pages link to, once it is asked for."""
        self._of_menus: list[int] = []
        """What was fetched because of that."""
        self._ended = False
        """Whether nothing more is needed, so far."""

    def _no_bunches(self) -> Bunches:
        plan, urls = self._plan, self._store.urls
        return Bunches(plan.template_of, lambda id_: plan.expect(urls.get(id_)))

    def next(self) -> QueuedUrl | None:
        """Pick a URL; ``None`` if there is none for now."""
        if self._plan.done:
            return None
        self._look()
        found = self._follow() or self._explore() or self._choose() or self._at_last()
        if found is not None:
            self._picked += 1
        self._ended = found is None and not self._plan.under_way
        return found

    def _follow(self) -> QueuedUrl | None:
        """Where a URL that was asked for led to: before others that may lead on as well."""
        while self._plan.led:
            id_, errand = self._plan.led.popleft()
            if (url := self._free(id_)) is not None:
                self._plan.take(url, errand.kind, errand.why, errand.doubt)
                self._drawn.add(id_)
                return url
        return None

    def _free(self, id_: int) -> QueuedUrl | None:
        """Take a URL that waits, if it may be fetched."""
        urls = self._store.urls
        if urls.state(id_) not in (State.QUEUED, State.HELD) or self._plan.errand(id_) is not None:
            return None
        url = urls.get(id_)
        return url if self._refuse(url) is None and self._queue.claim(url) else None

    def _choose(self) -> QueuedUrl | None:
        """What is needed, or leads to that."""
        return self._needed() or self._try_free() or self._hub()

    def _look(self) -> None:
        """Take in what has happened since the last time."""
        plan = self._plan
        if plan.rounds != self._renewed:
            self._renewed = plan.rounds
            self._renew()
        for corner in plan.news():
            self._bunches.explored(corner)
        for url in self._queue.drain(plan.aims.reason):
            self._add(url)

    def _add(self, url: QueuedUrl) -> None:
        self._bunches.add(url.id, url.place.location, url.place.source, self._shape(url))

    def _renew(self) -> None:
        """Templates were found anew."""
        self._bunches.renew()
        self._menu = None

    def _shape(self, url: QueuedUrl) -> Shape:
        """What URLs of one corner are bunched by."""
        return url_build(url.url)

    def _needed(self) -> QueuedUrl | None:
        """The URL that was discovered first, of those that are needed."""
        plan, bunches = self._plan, self._bunches
        while True:
            kinds = [kind for kind in bunches.kinds() if kind is None or plan.room(kind)]
            fit = [bunches.first(kind, self._needs) for kind in kinds]
            found = min((one for one in fit if one), key=lambda one: one.first, default=None)
            if found is None:
                return None
            if (url := self._out_of(found)) is None:
                return None
            kind, doubt = plan.expect(url)
            if plan.needs(kind, doubt, found.corner):
                plan.take(url, kind, UNKNOWN if kind is None else NEEDED)
                bunches.tried(found)
                return url
            bunches.aside(found, url.id, url.place.source, (kind, doubt))

    def _needs(self, bunch: Bunch) -> bool:
        return self._plan.needs(bunch.kind, bunch.doubt, bunch.corner)

    def _try_free(self) -> QueuedUrl | None:
        """A URL of which it is not sure what it leads to, if most likely to what there is not
        enough of in the end."""
        kinds = [kind for kind in self._bunches.kinds() if self._plan.stock.room_at_last(kind)]
        return self._try(kinds, self._plan.free)

    def _try(
        self, kinds: list[Kind], fit: Callable[[Bunch], bool], least: float = DOUBT
    ) -> QueuedUrl | None:
        """A URL of which it is least known what it leads to, if most likely to one of *kinds*."""
        while (bunch := self._bunches.doubtful(least, kinds, fit)) is not None:
            if (url := self._out_of(bunch)) is not None:
                kind, doubt = self._plan.expect(url)
                self._plan.take(url, kind, UNKNOWN, doubt)
                self._bunches.tried(bunch)
                return url
            if bunch.strands:
                return None
        return None

    def _out_of(self, bunch: Bunch) -> QueuedUrl | None:
        """Take the first URL that may be fetched out of *bunch*; ``None`` if that is not known, or
        if there is none left."""
        while bunch.strands:
            id_, source = self._bunches.pop(bunch)
            if id_ in self._drawn:
                self._drawn.discard(id_)
                continue
            url = self._store.urls.get(id_)
            reason = self._refuse(url)
            if reason is None:
                if self._queue.claim(url):
                    return url
                continue
            if reason == LATER:
                self._bunches.push(bunch, id_, source)
                return None
            self._store.urls.settle(id_, State.SKIPPED, reason=reason)
        return None

    def _hub(self) -> QueuedUrl | None:
        """A URL that is not needed itself, but leads to what is."""
        for template in self._plan.hubs(self._bunches.kinds()):
            bunch = self._bunches.first(template)
            url = self._out_of(bunch) if bunch else None
            if url is not None:
                self._plan.take(url, template, HUB)
                return url
        return None

    def _explore(self) -> QueuedUrl | None:
        """A random URL, when it is time for one."""
        if self._store.draws.asked >= self._plan.aims.explore * self._picked:
            return None
        return self._random()

    def _random(self) -> QueuedUrl | None:
        plan, draws, urls = self._plan, self._store.draws, self._store.urls
        for _ in range(_DRAWS):
            id_ = draw(plan.aims.seed, draws.last + 1, urls.last)
            url = self._free(id_)
            draws.add(id_, asked=url is not None)
            if url is not None:
                plan.take(url, plan.expect(url)[0], RANDOM)
                self._drawn.add(id_)
                return url
        return None

    def _at_last(self) -> QueuedUrl | None:
        """When nothing is under way and nothing is needed: look closer, ask for more, or end."""
        plan = self._plan
        if plan.under_way:
            return None
        if plan.look_again():
            self._look()
            return self._choose() or self._at_last()
        if (found := self._of_menu()) is not None:
            return found
        if plan.stock.rise(self._likely()):
            return self._choose() or self._at_last()
        kinds = list(self._bunches.kinds())
        found = self._try(kinds, plan.lone) if plan.spare else self._untried(kinds)
        return found or (self._random() if plan.sample.wanting else None)

    def _untried(self, kinds: list[Kind]) -> QueuedUrl | None:
        """A URL of a corner of which nobody knows what it leads to: a few are looked at even
        when no more is to be spent, as after the first pages of a crawl with small budgets."""
        plan = self._plan
        if plan.aims.like or self._corners >= plan.aims.extra:
            return None
        url = self._try(kinds, lambda bunch: not bunch.tries and plan.lone(bunch), _STRANGE)
        if url is not None:
            self._corners += 1
            plan.stock.paid.append(url.id)
        return url

    def _of_menu(self) -> QueuedUrl | None:
        """A URL that most pages link to: a part of the site may hang on it, and what its like lead
        to says little of that. In a search, it is worth what it is worth."""
        plan, urls = self._plan, self._store.urls
        if self._menu is None:
            self._menu = [] if plan.aims.like else plan.menu()[:_MENU]
        for id_ in self._menu:
            kind, doubt = plan.expect(urls.get(id_))
            url = None if doubt <= _STRANGE and self._barren(kind) else self._free(id_)
            if url is not None:
                plan.take(url, kind, HUB)
                plan.stock.paid.append(id_)
                self._drawn.add(id_)
                self._of_menus.append(id_)
                return url
        return None

    def _barren(self, kind: Kind) -> bool:
        """Whether there are enough pages of *kind*, some that menus name among them, and the last
        of them led to nothing that was needed: the rest of the menu will lead to no more."""
        plan = self._plan
        if kind is None or plan.stock.room_at_last(kind):
            return False
        seen = sum(plan.template_of(id_) == kind for id_ in self._of_menus)
        return seen >= UNSURE and plan.yields.of(kind, lambda _: True) < THRIFT

    def _likely(self) -> list[Kind]:
        """The templates that are expected of URLs with some right."""
        bunches = self._bunches
        return [
            kind
            for kind in bunches.kinds()
            if bunches.first(kind, lambda bunch: bunch.doubt <= DOUBTFUL)
        ]

    def hold(self) -> None:
        """Hold what waits and is not needed: nothing more will be picked. Of a crawl that was cut
        short, that is what there is enough of."""
        plan = self._plan
        if plan.done:
            return
        self._look()
        kinds = self._bunches.kinds()
        needless = {kind for kind in kinds if self._ended or not plan.stock.room_at_last(kind)}
        held = [(id_, kind) for id_, kind in self._bunches.waiting() if kind in needless]
        self._store.held.add(held, plan.aims.reason)
