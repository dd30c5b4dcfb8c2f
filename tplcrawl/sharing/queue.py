"""The queue that several workers share, as the frontier of one of them sees it."""

from __future__ import annotations

import logging
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from tplcrawl.errors import JobError
from tplcrawl.page.site import Site
from tplcrawl.planning.queue import MAX_PAGES
from tplcrawl.sharing.counts import SharedCounts
from tplcrawl.sharing.hub import Hub, HubLost, LeaseEnded, News, Share
from tplcrawl.sharing.tasks import Task
from tplcrawl.store.offers import Offers
from tplcrawl.store.store import Store
from tplcrawl.store.urls import SPIDER_REASONS, Discovery, Place, QueuedUrl, State

logger = logging.getLogger(__name__)

LOST = "redis lost"
"""Redis could not be reached for too long: the crawl has ended early."""
ELSEWHERE = "another worker"
"""What became of a URL stands in another worker's store."""

_ROWS = 2000
"""URLs that are read at once to be told."""

_AHEAD, _DRAINED = 8, 100
"""URLs that are leased at once, and that a plan gets to see at once."""

_PAUSE, _LONGEST_PAUSE = 0.25, 8.0
"""Seconds between two attempts to reach Redis: first, and at the most."""
_HOST = re.compile(r"[a-z0-9.-]{1,255}(:[0-9]{1,5})?|\[[0-9a-f:.]{2,45}\](:[0-9]{1,5})?").fullmatch
_MOST_HOSTS = 100

_TOLD = {State.FETCHED: "page", State.REDIRECTED: "led", State.HELD: "held"}
"""What is told of a URL, by its state; of most, that it is done."""


class LeasedQueue:
    """Leases URLs from the *hub*, and tells it what became of them and what they led to.

    The store is always ahead: what is told was committed before. After a death, the leases go back
    to the queue; what had been committed and not told is told when the worker comes back, or is
    fetched again by another one.
    """

    window = 32

    def __init__(
        self,
        store: Store,
        site: Site,
        hub: Hub,
        max_pages: int | None,
        patience: float,
        counts: SharedCounts | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._urls = store.urls
        self._offers = Offers(store)
        self._site = site
        self._hub = hub
        self._max_pages = max_pages
        self._patience = patience
        self._counts = counts
        self._counted = ""
        self._clock = clock
        self._name = ", ".join(site.hosts)
        self._hosts = site.hosts
        self._ready: deque[int] = deque()
        self._mine: dict[int, str] = {}
        """What is leased: its id, and its key."""
        self._told = 0
        self._joined = self._left = False
        self._share = Share(1, 0, 0, (), ())
        self._lost_at: float | None = None
        self._retry_at = 0.0
        self._pause = _PAUSE
        self.failure: JobError | None = None
        """Why Redis was given up."""

    def open(self, failed: Iterable[int], skipped: Iterable[int]) -> None:
        """Join the others. What *failed* in an earlier run is to be tried again; what was *skipped*
        by an earlier run may have been fetched by others."""
        self._join()
        news = [
            News(kind, task.key, task.encode())
            for kind, ids in (("again", failed), ("new", skipped))
            for task in map(self._task, ids)
        ]
        self._hub.tell(news, self._told, self._told)

    def close(self, *, sound: bool) -> None:
        """Leave the others; with a *sound* store, tell what has not been told yet."""
        if sound:
            self._attempt(self._tell)
        with suppress(HubLost):
            self._hub.leave(done=sound and not self.waiting and not self._share.queued)
        self._left = True

    @property
    def waiting(self) -> bool:
        if self.failure is not None:
            return False
        share = self._share
        return not self._joined or share.leased > 0 or (share.queued > 0 and not self._full)

    @property
    def _full(self) -> bool:
        return self._max_pages is not None and self._share.pages >= self._max_pages

    @property
    def left(self) -> int:
        return self._share.queued

    @property
    def pages(self) -> int:
        """The pages of all workers."""
        return self._share.pages

    @property
    def stopped(self) -> str | None:
        if self.failure is not None:
            return LOST
        return MAX_PAGES if self._full and self._share.queued else ELSEWHERE

    def first(self) -> QueuedUrl | None:
        if not self._ready:
            self._attempt(self._refill)
        return self._urls.get(self._ready[0]) if self._ready else None

    def pop(self) -> None:
        self._ready.popleft()

    def drain(self, reason: str) -> Iterator[QueuedUrl]:
        # Not all at once: the other workers are to have some too. One stays leased until it is
        # known what is needed, or the others would take it that there is nothing left to do.
        kept = None
        for _ in range(_DRAINED):
            url = self.first()
            if url is None:
                break
            self.pop()
            if kept is None:
                kept = url
            else:
                self._store.held.add([(url.id, None)], reason)
            yield url
        if kept is not None:
            self._store.held.add([(kept.id, None)], reason)

    def claim(self, url: QueuedUrl) -> bool:
        self._store.held.let_go(url.id)
        if url.id in self._mine:
            if url.id in self._ready:
                self._ready.remove(url.id)
            # Nothing has changed but how many pages of a template are under way.
            self._attempt(self._tell)
            return True
        # First this one: with nothing leased, the others would end.
        self._attempt(lambda: self._claim(url.id, ""))
        self._attempt(self._tell)
        return url.id in self._mine

    def led_on(self, id_: int) -> bool:
        led = self._urls.state(id_) is State.REDIRECTED

        def ask() -> None:
            self._tell()
            self._claim(id_, self._task(id_).encode())

        self._attempt(ask)
        return id_ in self._mine or led

    def _claim(self, id_: int, task: str) -> None:
        key = self._task(id_).key
        if self._hub.claim(key, task):
            self._mine[id_] = key

    def _attempt(self, act: Callable[[], None]) -> bool:
        """Talk to Redis, if it is time to; return whether that went well."""
        if self.failure is not None or self._left or self._clock() < self._retry_at:
            return False
        try:
            if not self._joined:
                self._join()
            try:
                act()
            except LeaseEnded:
                self._join()
                act()
        except HubLost as error:
            self._lose(error)
            return False
        self._lost_at, self._pause = None, _PAUSE
        return True

    def _join(self) -> None:
        """Be one of the workers, again after Redis was away: it may have forgotten things."""
        self._told = self._hub.join(self._name, self._urls.last, self._mine.values())
        self._joined = True

    def _lose(self, error: HubLost) -> None:
        now = self._clock()
        if self._lost_at is None:
            self._lost_at = now
            logger.warning("%s; waiting for it", error)
        self._joined = False
        self._retry_at = now + self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        if now - self._lost_at >= self._patience:
            self.failure = JobError(f"{error}; the same command goes on when it is back")

    def _refill(self) -> None:
        while not self._ready:
            self._tell()
            most = min(self.window - len(self._mine), _AHEAD)
            if most <= 0 or not self._take(most):
                break

    def _tell(self) -> None:
        """Tell what became of what was leased, and what was discovered."""
        self._store.commit()
        if self._site.hosts != self._hosts:
            self._hub.add_hosts(self._site.hosts)
            self._hosts = self._site.hosts
        states = self._offers.states(self._mine)
        settled = {id_: state for id_, state in states.items() if state is not State.QUEUED}
        news = [News(_TOLD.get(state, "done"), self._mine[id_]) for id_, state in settled.items()]
        while True:
            rows = self._offers.since(self._told, _ROWS)
            news += self._discovered(rows)
            last = rows[-1][0].id if rows else self._told
            counts = self._counts.own() if self._counts is not None else ""
            if news or rows or counts != self._counted:
                self._hub.tell(news, self._told, last, counts)
                self._counted = counts
            self._told, news = last, []
            if len(rows) < _ROWS:
                break
        for id_ in settled:
            del self._mine[id_]
        if self._counts is not None:
            self._counts.hear(self._hub.counts())

    def _discovered(self, rows: Sequence[tuple[QueuedUrl, State, str | None]]) -> Iterator[News]:
        for url, state, reason in rows:
            task = self._task_of(url)
            if state in (State.QUEUED, State.HELD):
                yield News("new", task.key, task.encode())
            elif reason not in SPIDER_REASONS:
                yield News(_TOLD.get(state, "done"), task.key)

    def _take(self, most: int) -> int:
        """Lease up to *most* URLs; return how many were given."""
        self._share = share = self._hub.take(most, self._max_pages)
        for host in share.hosts[:_MOST_HOSTS]:
            if _HOST(name := host.decode("utf-8", "replace")):
                with suppress(ValueError):
                    self._site.add(f"http://{name}/")
        self._hosts = self._site.hosts
        unfit = []
        for key, text in share.given:
            try:
                task = Task.decode(key, text, self._site)
            except (ValueError, RecursionError):
                unfit.append(News("done", key))
                continue
            place = self._place(task)
            id_ = self._offers.take(Discovery(task.url, task.depth, place, words=task.words))
            if id_ not in self._mine:
                self._mine[id_] = task.key
                if self._urls.state(id_) is State.QUEUED:
                    self._ready.append(id_)
        if unfit:
            logger.warning("Left out what is no URL of the site: %d entries in Redis", len(unfit))
            self._hub.tell(unfit, self._told, self._told)
        return len(share.given)

    def _place(self, task: Task) -> Place:
        if task.location is None:
            return Place()
        return Place(self._store.locations.ids([task.location])[0], task.positions)

    def _task(self, id_: int) -> Task:
        return self._task_of(self._urls.get(id_))

    def _task_of(self, url: QueuedUrl) -> Task:
        number = url.place.location
        path = None if number is None else self._store.locations.path(number)
        return Task(url.url, url.depth, path, url.place.positions, url.words)
