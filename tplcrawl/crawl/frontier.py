"""What the ``site`` spider has still to fetch, breadth first, and what became of the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Protocol, TypeGuard
from urllib.parse import urlsplit

from twisted.internet.defer import Deferred

from tplcrawl.crawl.failures import (
    LOOP,
    OFFSITE,
    SATURATED,
    TRANSIENT,
    is_answer,
    says_no,
    state_of,
)
from tplcrawl.crawl.media import MediaHabits
from tplcrawl.crawl.resolver import GUARD
from tplcrawl.crawl.turnstile import Turnstile
from tplcrawl.errors import JobError
from tplcrawl.page.site import Site
from tplcrawl.page.urls import normal_url
from tplcrawl.planning.picker import Picker, PlannedPicker
from tplcrawl.planning.plan import Plan
from tplcrawl.planning.queue import MAX_PAGES, Queue, StoreQueue
from tplcrawl.planning.search import planned
from tplcrawl.store.store import SkipReason, Store
from tplcrawl.store.urls import Discovery, QueuedUrl, State

TRIES = 3
"""How often a URL is fetched again because a redirect led back to it: some sites set cookies so."""

HOPS = 10
"""How many redirects are followed, one after the other."""


class FrontierSpider(Protocol):
    """A spider that takes its URLs from the store."""

    of_tplcrawl: bool
    start_urls: list[str]
    max_pages: int | None
    samples: int | None
    like: tuple[str, ...]

    def skip(self, url: str, depth: int) -> str | None: ...


def is_ours(spider: object) -> TypeGuard[FrontierSpider]:
    """Whether *spider* takes its URLs from the store."""
    return bool(getattr(spider, "of_tplcrawl", False))


class Frontier:
    """Takes queued URLs out of the store, in order of discovery or as *plan* has it.

    Every URL that is taken out enters the turnstile and leaves it in exactly one way: as a page,
    as a redirect, or as a failure. So the pages pass in the order in which they were taken, and
    *max_pages* is met exactly. The next URL is picked when one leaves, not when somebody asks for
    it: what is picked depends on what came before, never on how fast it came.
    """

    def __init__(
        self,
        store: Store,
        site: Site,
        skip: SkipReason,
        max_pages: int | None = None,
        plan: Plan | None = None,
        queue: Queue | None = None,
    ) -> None:
        self._store = store
        self._urls = store.urls
        self._site, self._skip = site, skip
        self._max_pages = max_pages
        self._turnstile = Turnstile()
        self._media = MediaHabits(store)
        self._again: deque[int] = deque()
        self._hops: dict[int, int] = {}
        self._plan = plan
        self._queue = queue or StoreQueue(store)
        self._picker: Picker | PlannedPicker = (
            Picker(store, self._refuse, self._queue)
            if plan is None
            else planned(store, self._refuse, plan, self._queue)
        )
        self.window = self._queue.window
        """Requests under way at most; a plan may want fewer."""
        self._picked: deque[QueuedUrl] = deque()
        self._dry = self._over = False
        self.pages = len(store.pages)
        """Pages written, by this run and earlier ones."""

    def seed(self, urls: Iterable[str]) -> None:
        """Queue the start pages; take up again what an earlier run had to leave."""
        seeds = [url for url in map(normal_url, urls) if url is not None]
        for id_ in self._urls.discover([Discovery(url, 0) for url in seeds]):
            for target in self._urls.led_to(id_):
                self._site.add(target.url)
                if self._store.pages.has(target.id):
                    # It was admitted when it came, as the address of the start page perhaps.
                    GUARD.name([target.url])
        failed, skipped = self._urls.retry(TRANSIENT), self._urls.unskip(self._skip)
        self._store.held.let_go_all()
        self._store.commit()
        self._queue.open(failed, skipped)

    @property
    def under_way(self) -> int:
        """Requests that are under way, or answered and waiting for their turn."""
        return len(self._turnstile)

    def end(self) -> str | None:
        """Nothing more will be fetched: hold what was not needed, and return why the crawl stopped,
        if that is not because everything is there."""
        if isinstance(self._picker, PlannedPicker):
            self._picker.hold()
        if self._plan is not None and self._plan.done:
            return SATURATED
        return MAX_PAGES if self.full else self._queue.stopped

    @property
    def left(self) -> int:
        """How many URLs wait."""
        return self._queue.left

    @property
    def full(self) -> bool:
        """Whether all the pages that are wanted are there or under way."""
        return self._max_pages is not None and self.pages + self.under_way >= self._max_pages

    @property
    def more(self) -> bool:
        """Whether there is something to fetch that may be fetched."""
        self._pick()
        ended = self._plan is not None and self._plan.done
        return bool(self._again or self._picked) or (self._queue.waiting and not ended)

    def look_again(self) -> bool:
        """Ask again where there was nothing to be had; return whether there is something now."""
        if self._queue.waiting and not self._picked:
            self._dry = False
            self._pick()
        return bool(self._picked)

    @property
    def failure(self) -> JobError | None:
        """What has kept the crawl from going on."""
        return self._queue.failure

    @property
    def nothing(self) -> bool:
        """Whether there is no page of the site, here or at another worker's."""
        return not self.pages and not self._queue.pages

    def close(self, *, sound: bool) -> None:
        """The crawl has ended; *sound* is whether the store can be trusted."""
        self._queue.close(sound=sound)

    def next(self) -> QueuedUrl | None:
        """Take out the next URL; ``None`` if there is none for now."""
        if self._again:
            return self._urls.get(self._again.popleft())
        self._pick()
        return self._picked.popleft() if self._picked else None

    def _pick(self) -> None:
        """Let as many as may be under way be picked. Nothing more is to be picked until one of
        them leaves."""
        window = self.window if self._plan is None else self._plan.window
        while not (self._over or self._dry or self.full) and self.under_way < window:
            url = self._picker.next()
            if url is None:
                self._dry = True
                break
            self._media.tried(url)
            self._turnstile.enter(url.id)
            self._picked.append(url)

    def _refuse(self, url: QueuedUrl) -> str | None:
        """Why *url* must not be fetched, whatever the plan."""
        reason = self._skip(url.url, url.depth) if url.depth else None
        return reason or self._media.skip(url)

    def _leave(self, id_: int, *, pick: bool = True, answered: bool = True) -> None:
        """*id_* makes room for another, which is picked before the next one has its turn: that may
        be waiting for it, or still on its way."""

        def make_room() -> None:
            self._dry = False
            if self._plan is not None:
                self._plan.leave(id_, answered=answered)
            if pick:
                self._pick()

        self._turnstile.leave(id_, make_room)

    def turn(self, id_: int) -> Deferred[None]:
        """Fires when it is the turn of *id_*."""
        return self._turnstile.turn(id_)

    def has(self, id_: int) -> bool:
        """Whether *id_* is under way."""
        return id_ in self._turnstile

    def written(self, id_: int, template: int | None = None, *, anew: bool = False) -> None:
        """*id_* became a page of *template*; *anew* is whether templates were found anew."""
        self.pages += 1
        if self._plan is not None:
            self._plan.arrived(template, self._urls.get(id_))
            if anew:
                self._plan.renew()
        self._media.note(self._urls.get(id_), html=True)
        self._leave(id_)

    def known(self, id_: int, status: int) -> None:
        """*id_* became a page before, although it was queued."""
        self._urls.settle(id_, State.FETCHED, status=status)
        self._leave(id_)

    def failed(self, id_: int, reason: str, status: int | None = None) -> None:
        """No page came of *id_*: that is noted when it is its turn, and once."""
        if self._turnstile.walks(id_):
            self.turn(id_).addCallback(lambda _: self._fail(id_, reason, status))

    def _fail(self, id_: int, reason: str, status: int | None) -> None:
        self._urls.settle(id_, state_of(reason), reason=reason, status=status)
        if self._plan is not None and says_no(status):
            self._plan.failed(self._urls.get(id_))
        self._media.note(self._urls.get(id_), html=False)
        self._leave(id_, answered=is_answer(status))

    def give_up_again(self) -> None:
        """What a redirect led back to will not be fetched in this run; it stays queued."""
        while self._again:
            self.give_up(self._again.popleft())

    def give_up_all(self) -> None:
        """Nothing that is under way will be written in this run, and nothing more is asked for; it
        stays queued."""
        self._over = True
        self._again.clear()
        self._picked.clear()
        for id_ in self._turnstile.everybody():
            self.give_up(id_)

    def give_up(self, id_: int) -> None:
        """*id_* will not be fetched in this run; it stays queued."""
        self._leave(id_, pick=False)

    def redirected(self, id_: int, location: str, status: int | None) -> None:
        """*id_* led to another URL, which gets its turn like any other."""
        url = normal_url(location)
        origin = self._urls.get(id_)
        if url is not None and origin.depth == 0 and origin.place.location is None:
            self._site.add(url)
        if url is None or not self._site.covers(urlsplit(url)):
            self._fail(id_, OFFSITE, status)
            return
        hops = self._hops.pop(id_, 0) + 1
        if hops > HOPS:
            self._fail(id_, LOOP, status)
            return
        skip = self._skip(url, origin.depth) if origin.depth else None
        found = Discovery(url, origin.depth, origin.place, skip)
        target = self._urls.discover([found])[0]
        back = target == id_ or self._queue.led_on(target)
        if back and origin.tries >= TRIES:
            self._fail(id_, LOOP, status)
            return
        self._media.note(origin, html=False)
        self._urls.settle(id_, State.REDIRECTED, status=status, target=target)
        self._hops[target] = hops
        if back:
            self._urls.requeue(target)
            self._media.tried(self._urls.get(target))
            self._again.append(target)
            self._turnstile.give_place(id_, target)
            if target != id_:
                self._leave(id_, pick=False)
        else:
            self._leave(id_)

    def vanished(self) -> list[int]:
        """Those under way that do not wait for their turn."""
        return self._turnstile.abandoned()

    def why_nothing(self) -> str:
        """What became of the first URL, in a crawl without a page."""
        for url, reason in self._urls.without_page(most=1):
            return f"nothing could be fetched: {url}: {reason}"
        return "nothing could be fetched"
