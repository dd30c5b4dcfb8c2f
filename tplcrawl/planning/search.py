"""The next URL to fetch in a search for the pages of a few templates.

Pages that are looked for come first. Then comes what may lead to them, whatever it is: lists, the
next page of a list, lists of lists; what nobody has looked at is tried between, and what has led
nowhere is left. Until it is known which template is looked for, everything is tried evenly, and
URLs that are built like those that were given before others.
"""

from __future__ import annotations

from tplcrawl.fingerprints.url_shape import url_form
from tplcrawl.planning.bunches import Bunch, Shape
from tplcrawl.planning.leads import Leads
from tplcrawl.planning.picker import PlannedPicker, Refusal
from tplcrawl.planning.plan import HUB, NEEDED, UNKNOWN, Plan
from tplcrawl.planning.queue import Queue
from tplcrawl.store.store import Store
from tplcrawl.store.urls import QueuedUrl


class SearchPicker(PlannedPicker):
    """Picks what is looked for, or else what may be worth most. O(bunches) for the latter."""

    def __init__(
        self, store: Store, refuse: Refusal, plan: Plan, queue: Queue, leads: Leads
    ) -> None:
        super().__init__(store, refuse, plan, queue)
        self._leads = leads
        self._forms = {url_form(url) for url in plan.aims.like}

    def _shape(self, url: QueuedUrl) -> Shape:
        """Where some URLs lead to what is looked for, each is looked at by itself: others may be
        built like them."""
        mixed = self._plan.corner(url.place) in self._leads.mixed
        return url_form(url.url), self._plan.expect(url)[0] if mixed else None

    def _renew(self) -> None:
        waiting = sorted(id_ for id_, _ in self._bunches.waiting())
        self._bunches = self._no_bunches()
        for id_ in waiting:
            self._add(self._store.urls.get(id_))

    def _choose(self) -> QueuedUrl | None:
        plan = self._plan
        while (bunch := self._sought() or self._promising()) is not None:
            url = self._out_of(bunch)
            if url is None:
                if bunch.strands:
                    return None
                continue
            kind, doubt = plan.expect(url)
            sought = bunch.kind in plan.wanted
            if sought and kind != bunch.kind:
                self._bunches.aside(bunch, url.id, url.place.source, (kind, doubt))
                continue
            if not sought:
                # Much of what one page leads to leads to the same.
                self._bunches.turn(bunch)
            self._leads.ask(url.id, bunch.kind, bunch.corner, url_form(url.url))
            plan.take(url, kind, NEEDED if sought else UNKNOWN if kind is None else HUB)
            return url
        return None

    def _sought(self) -> Bunch | None:
        """The bunch with the URL that was discovered first, of those that are looked for."""
        plan, bunches = self._plan, self._bunches
        kinds = [kind for kind in bunches.kinds() if kind in plan.wanted and plan.room(kind)]
        found = [one for one in map(bunches.first, kinds) if one is not None]
        return min(found, key=lambda one: one.first, default=None)

    def _promising(self) -> Bunch | None:
        """The bunch whose next URL may be worth most, if that is worth a fetch."""
        wanted, leads = self._plan.wanted, self._leads
        most, best = leads.least if wanted else 0.0, None
        for bunch in self._bunches:
            if bunch.kind in wanted:
                continue
            form = bunch.shape[0]
            value = leads.value(bunch.kind, bunch.corner, form)
            if not wanted and form in self._forms:
                value += 1.0
            if value > most or (value == most and best and bunch.first < best.first):
                most, best = value, bunch
        return best

    def hold(self) -> None:
        """Hold all that waits and is not looked for."""
        plan = self._plan
        self._look()
        held = [(id_, kind) for id_, kind in self._bunches.waiting() if kind not in plan.wanted]
        self._store.held.add(held, plan.aims.reason)


def planned(store: Store, refuse: Refusal, plan: Plan, queue: Queue) -> PlannedPicker:
    """The picker for what *plan* is for."""
    if plan.leads is not None:
        return SearchPicker(store, refuse, plan, queue, plan.leads)
    return PlannedPicker(store, refuse, plan, queue)
