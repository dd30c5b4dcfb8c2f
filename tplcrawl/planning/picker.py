"""The next URL to fetch, out of the store: breadth first, or as a plan has it."""

from __future__ import annotations

from collections.abc import Callable

from tplcrawl.planning.lottery import draw
from tplcrawl.planning.plan import HUB, NEEDED, RANDOM, UNKNOWN, Plan
from tplcrawl.planning.queue import Queue, StoreQueue
from tplcrawl.store.store import Store
from tplcrawl.store.urls import QueuedUrl, State

LATER = "later"
"""No reason to leave a URL out, but a request to ask again."""

Refusal = Callable[[QueuedUrl], str | None]
"""Why a URL must not be fetched, whatever the plan; :data:`LATER` as long as that is not known."""

_DRAWS = 50
"""Draws that may hit what is fetched already before exploring waits for its next chance."""


class Picker:
    """Picks URLs one by one. What it picks depends only on the store, on the *queue* and on what
    has left since.

    Without a plan, every queued URL is picked in its order.
    """

    def __init__(
        self,
        store: Store,
        refuse: Refusal,
        plan: Plan | None = None,
        queue: Queue | None = None,
    ) -> None:
        self._store = store
        self._refuse = refuse
        self._plan = plan
        self._queue = queue or StoreQueue(store)
        self._renewed = 0
        self._cursor = 0
        self._picked = store.draws.fetches()

    def next(self) -> QueuedUrl | None:
        """Pick a URL; ``None`` if there is none for now."""
        plan = self._plan
        if plan is None:
            return self._scan(None)
        if plan.done:
            return None
        found = self._explore(plan) or self._scan(plan) or self._needed_again(plan)
        if found is not None:
            self._picked += 1
        return found

    def _scan(self, plan: Plan | None) -> QueuedUrl | None:
        """The next queued URL that is needed."""
        while (queued := self._queue.first()) is not None:
            reason = self._refuse(queued)
            if reason == LATER:
                return None
            self._queue.pop()
            if reason is not None:
                self._store.urls.settle(queued.id, State.SKIPPED, reason=reason)
            elif plan is None or self._take(plan, queued):
                return queued
        return None

    def _take(self, plan: Plan, url: QueuedUrl, why: str | None = None) -> bool:
        """Take *url*, if it is needed or there is another reason *why*; if not, hold it."""
        verdict = plan.judge(url)
        if why is None and verdict.needed:
            why = UNKNOWN if verdict.expected is None else NEEDED
        if why is not None:
            if self._store.urls.state(url.id) is State.HELD:
                self._store.held.let_go(url.id)
                if not self._queue.claim(url):
                    return False
            plan.take(url, verdict.expected, why)
            return True
        self._store.held.add(url.id, verdict.expected, plan.aims.reason)
        return False

    def _explore(self, plan: Plan) -> QueuedUrl | None:
        """A random URL, when it is time for one."""
        if self._store.draws.asked >= plan.aims.explore * self._picked:
            return None
        return self._drawn_url(plan)

    def _drawn_url(self, plan: Plan) -> QueuedUrl | None:
        draws, urls = self._store.draws, self._store.urls
        for _ in range(_DRAWS):
            id_ = draw(plan.aims.seed, draws.last + 1, urls.last)
            state = urls.state(id_)
            free = state in (State.QUEUED, State.HELD) and not plan.has(id_)
            url = urls.get(id_) if free else None
            free = url is not None and self._refuse(url) is None and self._queue.claim(url)
            draws.add(id_, asked=free)
            if url is not None and free:
                self._take(plan, url, RANDOM)
                return url
        return None

    def _needed_again(self, plan: Plan) -> QueuedUrl | None:
        """A held URL that is needed now: its template's pages were fewer than it seemed, or they
        lead to what is needed, or something else is expected of it since templates were found
        anew."""
        held = self._store.held
        for template in list(held.templates()):
            while plan.room(template) and (url := held.first(template)):
                if self._take(plan, url):
                    return url
        return self._renewed_url(plan) or self._hub(plan) or self._at_last(plan)

    def _renewed_url(self, plan: Plan) -> QueuedUrl | None:
        """A held URL of which something else is expected since templates were found anew."""
        while self._renewed < plan.rounds:
            batch = self._store.held.after(self._cursor, 1)
            for url in batch:
                self._cursor = url.id
                if self._take(plan, url):
                    return url
            if not batch:
                self._renewed, self._cursor = plan.rounds, 0
        return None

    def _hub(self, plan: Plan) -> QueuedUrl | None:
        """A held URL that is not needed itself, but leads to what is."""
        for template in plan.hubs(self._store.held.templates()):
            url = self._store.held.first(template)
            if url is not None and self._take(plan, url, HUB):
                return url
        return None

    def _at_last(self, plan: Plan) -> QueuedUrl | None:
        """When nothing is under way and nothing is needed: look closer, ask for more, or end."""
        if plan.under_way:
            return None
        if plan.look_again() or plan.rise(self._store.held.templates()):
            return self._needed_again(plan)
        return self._drawn_url(plan) if plan.unsaturated() else None
