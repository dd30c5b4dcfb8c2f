"""What the ``site`` spider has still to fetch, breadth first, and what became of the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Protocol, TypeGuard
from urllib.parse import urlsplit

from twisted.internet.defer import Deferred

from tplcrawl.crawl.media import LATER, MediaHabits
from tplcrawl.crawl.turnstile import Turnstile
from tplcrawl.page.site import Site
from tplcrawl.page.urls import normal_url
from tplcrawl.store.store import SkipReason, Store
from tplcrawl.store.urls import Discovery, QueuedUrl, State

WINDOW = 128
"""Requests that may be under way, or answered and waiting for their turn."""

TRIES = 3
"""How often a URL is fetched again because a redirect led back to it: some sites set cookies so."""

HOPS = 10
"""How many redirects are followed, one after the other."""

ROBOTS, NOT_HTML, OFFSITE, IGNORED = "robots.txt", "not html", "redirect offsite", "ignored"
LOOP = "redirect loop"
"""Redirects without an end."""
LOST = "lost"
"""A request that some component dropped without a word."""
TRANSIENT = frozenset(("timeout", "dns", "connection refused", "connection lost", "broken answer"))
"""Failures that a later run of the same command tries again."""

_BATCH = 64


class FrontierSpider(Protocol):
    """A spider that takes its URLs from the store."""

    of_tplcrawl: bool
    start_urls: list[str]
    max_pages: int | None

    def skip(self, url: str, depth: int) -> str | None: ...


def is_ours(spider: object) -> TypeGuard[FrontierSpider]:
    """Whether *spider* takes its URLs from the store."""
    return bool(getattr(spider, "of_tplcrawl", False))


class Frontier:
    """Takes queued URLs out of the store in order of discovery.

    Every URL that is taken out enters the turnstile and leaves it in exactly one way: as a page,
    as a redirect, or as a failure. So the pages pass in the order of their ids, and *max_pages* is
    met exactly.
    """

    def __init__(
        self, store: Store, site: Site, skip: SkipReason, max_pages: int | None = None
    ) -> None:
        self._store = store
        self._urls = store.urls
        self._site = site
        self._skip = skip
        self._max_pages = max_pages
        self._turnstile = Turnstile()
        self._media = MediaHabits(store)
        self._again: deque[int] = deque()
        self._hops: dict[int, int] = {}
        self._batch: deque[QueuedUrl] = deque()
        self._last = 0
        self.pages = len(store.pages)
        """Pages written, by this run and earlier ones."""

    def seed(self, urls: Iterable[str]) -> None:
        """Queue the start pages; take up again what an earlier run had to leave."""
        seeds = [url for url in map(normal_url, urls) if url is not None]
        for id_ in self._urls.discover([Discovery(url, 0) for url in seeds]):
            for target in self._urls.led_to(id_):
                self._site.add(target)
        self._urls.retry(TRANSIENT, self._skip)
        self._store.commit()

    @property
    def under_way(self) -> int:
        """Requests that are under way, or answered and waiting for their turn."""
        return len(self._turnstile)

    @property
    def full(self) -> bool:
        """Whether all the pages that are wanted are there or under way."""
        return self._max_pages is not None and self.pages + self.under_way >= self._max_pages

    @property
    def more(self) -> bool:
        """Whether there is something to fetch that may be fetched."""
        return bool(self._again) or (not self.full and self._urls.queued > self.under_way)

    def next(self) -> QueuedUrl | None:
        """Take out the next URL; ``None`` if there is none for now."""
        if self._again:
            return self._urls.get(self._again.popleft())
        while not self.full and self.under_way < WINDOW:
            if not self._batch:
                self._batch.extend(self._urls.waiting(self._last, _BATCH))
                if not self._batch:
                    return None
            queued = self._batch[0]
            reason = self._skip(queued.url, queued.depth) if queued.depth else None
            reason = reason or self._media.skip(queued)
            if reason == LATER:
                return None
            self._batch.popleft()
            self._last = queued.id
            if reason is None:
                self._media.tried(queued)
                self._turnstile.enter(queued.id)
                return queued
            self._urls.settle(queued.id, State.SKIPPED, reason=reason)
        return None

    def turn(self, id_: int) -> Deferred[None]:
        """Fires when it is the turn of *id_*."""
        return self._turnstile.turn(id_)

    def has(self, id_: int) -> bool:
        """Whether *id_* is under way."""
        return id_ in self._turnstile

    def written(self, id_: int) -> None:
        """*id_* became a page."""
        self.pages += 1
        self._media.note(self._urls.get(id_), html=True)
        self._turnstile.leave(id_)

    def failed(self, id_: int, reason: str, status: int | None = None) -> None:
        """No page came of *id_*."""
        if not self.has(id_):
            return
        state = State.SKIPPED if reason in (ROBOTS, IGNORED) else State.FAILED
        self._urls.settle(id_, state, reason=reason, status=status)
        self._media.note(self._urls.get(id_), html=False)
        self._turnstile.leave(id_)

    def give_up_again(self) -> None:
        """What a redirect led back to will not be fetched in this run; it stays queued."""
        while self._again:
            self.give_up(self._again.popleft())

    def give_up_all(self) -> None:
        """Nothing that is under way will be written in this run; it stays queued."""
        self._again.clear()
        for id_ in self._turnstile.everybody():
            self.give_up(id_)

    def give_up(self, id_: int) -> None:
        """*id_* will not be fetched in this run; it stays queued."""
        self._turnstile.leave(id_)

    def redirected(self, id_: int, location: str, status: int | None) -> None:
        """*id_* led to another URL, which gets its turn like any other."""
        url = normal_url(location)
        origin = self._urls.get(id_)
        if url is not None and origin.depth == 0 and origin.place.location is None:
            self._site.add(url)
        if url is None or not self._site.covers(urlsplit(url)):
            self.failed(id_, OFFSITE, status)
            return
        hops = self._hops.pop(id_, 0) + 1
        if hops > HOPS:
            self.failed(id_, LOOP, status)
            return
        skip = self._skip(url, origin.depth) if origin.depth else None
        found = Discovery(url, origin.depth, None, origin.place, skip)
        target = self._urls.discover([found])[0]
        back = target == id_ or self._urls.state(target) is State.REDIRECTED
        if back and origin.tries >= TRIES:
            self.failed(id_, LOOP, status)
            return
        self._media.note(origin, html=False)
        self._urls.settle(id_, State.REDIRECTED, status=status, target=target)
        self._hops[target] = hops
        if back:
            self._urls.requeue(target)
            self._media.tried(self._urls.get(target))
            self._again.append(target)
            self._turnstile.give_place(id_, target)
        else:
            self._turnstile.leave(id_)

    def vanished(self) -> list[int]:
        """Those under way that do not wait for their turn."""
        return self._turnstile.abandoned()

    def why_nothing(self) -> str:
        """What became of the first URL, in a crawl without a page."""
        for url, reason in self._urls.without_page(most=1):
            return f"nothing could be fetched: {url}: {reason}"
        return "nothing could be fetched"
