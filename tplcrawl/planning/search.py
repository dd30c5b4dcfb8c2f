"""The next URL to fetch in a search for the pages of a few templates.

What is surely looked for comes first: it is fetched in any case, and its links may spare a hub.
Then comes what may be looked for, or lead there: lists, the next page of a list, lists of lists;
one by one, and when nothing else is under way, for each answer may show something better. What is
expected is believed as far as it came true where the URL was found; what nobody has looked at is
tried between, and what has led nowhere is left. The longer nothing has come, the likelier must be
what is still fetched; before the end, every URL is asked about anew, and what looks like a page
that was given is tried, whatever is expected of it. URLs above a page that was given, in the path,
may list others like it. Until it is known which template is looked for, everything is tried evenly,
and URLs that are built like those that were given before others; where no page comes of these, the
search ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.fingerprints.url_shape import stands_above, url_form
from tplcrawl.planning.bunches import Bunch, Bunches, Shape
from tplcrawl.planning.errands import HUB, NEEDED, UNKNOWN
from tplcrawl.planning.leads import Leads
from tplcrawl.planning.likeness import Side
from tplcrawl.planning.outcomes import Record
from tplcrawl.planning.picker import PlannedPicker, Refusal
from tplcrawl.planning.plan import Plan
from tplcrawl.planning.prospects import Prospects, Worth
from tplcrawl.planning.queue import Queue
from tplcrawl.planning.sample import SAMPLE
from tplcrawl.store.store import Store
from tplcrawl.store.urls import QueuedUrl, State

_ANEW = 16
"""Answers after which it may be asked anew what is expected of every URL that waits."""


class SearchPicker(PlannedPicker):
    """Picks what may be worth most. O(log bunches) for each bunch of which an answer tells."""

    def __init__(
        self, store: Store, refuse: Refusal, plan: Plan, queue: Queue, leads: Leads
    ) -> None:
        self._prospects = Prospects(self._weigh)
        super().__init__(store, refuse, plan, queue)
        self._leads = leads
        self._given = plan.aims.like
        self._forms = {url_form(url) for url in self._given}
        self._sides: dict[int, frozenset[Side]] = {}
        """What URLs share with those that were given, if anything; as far as that was asked."""
        self._compared = 0
        """The last URL of which it was."""
        self._asked_anew = 0
        """How many answers there were when it was asked last of every URL what is expected of
        it."""

    def _no_bunches(self) -> Bunches:
        plan, urls = self._plan, self._store.urls
        self._prospects.clear()
        return Bunches(
            plan.template_of, lambda id_: plan.expect(urls.get(id_)), self._prospects.change
        )

    def _shape(self, url: QueuedUrl) -> Shape:
        """What is expected of each URL is looked at by itself where that is looked for, and where
        some lead to it: one place may lead to that and to much else, built alike."""
        plan, kind = self._plan, self._plan.expect(url)[0]
        told = kind in plan.wanted or plan.corner(url.place) in self._leads.mixed
        above = any(stands_above(url.url, given) for given in self._given)
        return url_form(url.url), kind if told else None, above

    def _renew(self) -> None:
        self._asked_anew = self._leads.answers
        waiting = sorted(id_ for id_, _ in self._bunches.waiting())
        self._bunches = self._no_bunches()
        for id_ in waiting:
            self._add(self._store.urls.get(id_))

    def _choose(self) -> QueuedUrl | None:
        found = self._best()
        if found is not None or self._plan.under_way:
            return found
        if self._leads.answers >= self._asked_anew + _ANEW:
            # What has come since tells more of what waits.
            self._renew()
            found = self._best()
        return found or self._alike()

    def _alike(self) -> QueuedUrl | None:
        """When nothing is worth a fetch: a URL that looks like one that was given, from a side that
        has hardly failed. As long as such wait, a search is not at its end."""
        plan, likeness, urls = self._plan, self._leads.likeness, self._store.urls
        if not any(map(plan.room, plan.wanted)):
            return None
        for id_ in range(self._compared + 1, urls.last + 1):
            if sides := likeness.of(urls.get(id_).url):
                self._sides[id_] = sides
        self._compared = urls.last
        told = ((likeness.failures(sides), id_) for id_, sides in self._sides.items())
        for _, id_ in sorted((failures, id_) for failures, id_ in told if failures is not None):
            url = self._free(id_)
            if url is not None or urls.state(id_) not in (State.QUEUED, State.HELD):
                del self._sides[id_]
            if url is not None:
                plan.take(url, plan.expect(url)[0], UNKNOWN)
                self._drawn.add(id_)
                return url
        return None

    def _explore(self) -> QueuedUrl | None:
        """A random URL, as long as there is no sample: what is left is spent on the search. It is
        the share of what was fetched in vain that may have missed something."""
        asked = self._store.draws.asked
        if asked >= min(SAMPLE, self._plan.aims.explore * self._leads.vain):
            return None
        return super()._explore()

    def _best(self) -> QueuedUrl | None:
        """Take what may be worth most, if there is anything worth a fetch."""
        plan = self._plan
        while (best := self._promising()) is not None:
            bunch, sure = best
            if not sure and plan.under_way:
                # What is under way may show something better.
                return None
            url = self._out_of(bunch)
            if url is None:
                if bunch.strands:
                    return None
                continue
            kind, doubt = plan.expect(url)
            sought = bunch.kind in plan.wanted
            vain = kind == NO_PAGE and self._leads.vainly(bunch.corner)
            if kind != bunch.kind and (sought or vain):
                self._bunches.aside(bunch, url.id, url.place.source, (kind, doubt))
                continue
            if not sure:
                # Much of what one page leads to leads to the same.
                self._bunches.turn(bunch)
            self._leads.ask(url.id, bunch.kind, bunch.corner, url_form(url.url))
            plan.take(url, kind, NEEDED if sought else UNKNOWN if kind is None else HUB)
            return url
        return None

    def _promising(self) -> tuple[Bunch, bool] | None:
        """The bunch whose next URL may be worth most, if that is worth a fetch, and whether that is
        to be fetched in any case."""
        leads, wanted = self._leads, self._plan.wanted
        if not wanted and self._hopeless():
            return None
        least = leads.least if wanted else 0.0
        full = {kind for kind in wanted if not self._plan.room(kind)}
        self._bunches.ask_stale()
        found = self._prospects.best(leads.news(), lambda bunch: bunch.kind not in full)
        if found is None or found[1][1] <= least:
            return None
        bunch, (sure, _) = found
        return bunch, sure

    def _hopeless(self) -> bool:
        """Whether no page came of any URL that was given: what is looked for will not be known."""
        urls = self._store.urls
        ends = map(urls.end_of, urls.known(self._given).values())
        return all(urls.state(end) in (State.FAILED, State.SKIPPED) for end in ends)

    def _weigh(self, bunch: Bunch) -> tuple[Worth, Sequence[Record]]:
        """What the next URL of *bunch* may be worth, and what tells that."""
        wanted = self._plan.wanted
        form, _, above = bunch.shape
        url = bunch.kind, bunch.corner, form
        sought = bunch.kind in wanted
        # As long as no template is known, nothing is learnt but what led to no page.
        doubt = bunch.doubt if wanted else 1.0
        value = self._leads.value(*url, doubt, sought=sought)
        if above or (not wanted and form in self._forms):
            value += 1.0
        sure = sought and self._leads.sure(*url, doubt)
        return (sure, value), self._leads.told(*url)[sought:]


def planned(store: Store, refuse: Refusal, plan: Plan, queue: Queue) -> PlannedPicker:
    """The picker for what *plan* is for."""
    if plan.leads is not None:
        return SearchPicker(store, refuse, plan, queue, plan.leads)
    return PlannedPicker(store, refuse, plan, queue)
