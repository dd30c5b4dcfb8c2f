"""What waits to be fetched, in its order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Protocol

from tplcrawl.errors import JobError
from tplcrawl.store.store import Store
from tplcrawl.store.urls import QueuedUrl, State

WINDOW = 128
"""Requests that may be under way, or answered and waiting for their turn."""

MAX_PAGES = "max-pages"
"""There are as many pages as are wanted: the crawl has ended."""

_BATCH = 64


class Queue(Protocol):
    """Where URLs are taken from: the crawl's own store, or one that several workers share."""

    window: int
    """How many may be under way."""

    @property
    def waiting(self) -> bool:
        """Whether more may come, although nothing can be had for now."""
        ...

    @property
    def left(self) -> int:
        """How many URLs wait."""
        ...

    @property
    def stopped(self) -> str | None:
        """Why nothing more is to be had, if that is not because everything is there."""
        ...

    @property
    def pages(self) -> int:
        """The pages of all workers, as far as there are others."""
        ...

    @property
    def failure(self) -> JobError | None:
        """Why nothing more can be had, if it ought to be."""
        ...

    def open(self, failed: Iterable[int], skipped: Iterable[int]) -> None:
        """The crawl begins. What *failed* or was *skipped* in an earlier run waits again."""
        ...

    def close(self, *, sound: bool) -> None:
        """The crawl has ended; *sound* is whether the store can be trusted."""
        ...

    def first(self) -> QueuedUrl | None:
        """The URL that comes next; it stays until :meth:`pop`."""
        ...

    def pop(self) -> None:
        """Take out the first one, which is fetched or was settled."""
        ...

    def drain(self, reason: str) -> Iterator[QueuedUrl]:
        """Take out all that wait, to be had by :meth:`claim` when they are needed; what others
        might have is held for *reason* until then."""
        ...

    def claim(self, url: QueuedUrl) -> bool:
        """Take out one that is not the first, or was drained; false if it cannot be had."""
        ...

    def led_on(self, id_: int) -> bool:
        """Whether a URL was asked for before and led to another one; if so, it is taken out to be
        asked for again."""
        ...


class StoreQueue:
    """The queued URLs of a store, in order of discovery."""

    window = WINDOW
    waiting = False
    stopped = None
    pages = 0
    failure = None

    def __init__(self, store: Store) -> None:
        self._urls = store.urls
        self._batch: deque[QueuedUrl] = deque()
        self._last = 0
        self._claimed: set[int] = set()

    @property
    def left(self) -> int:
        return self._urls.queued

    def open(self, failed: Iterable[int], skipped: Iterable[int]) -> None:
        """The store knows that they wait."""

    def close(self, *, sound: bool) -> None:
        """Nobody else cares."""

    def first(self) -> QueuedUrl | None:
        while True:
            if not self._batch:
                self._batch.extend(self._urls.waiting(self._last, _BATCH))
                if not self._batch:
                    return None
            if self._batch[0].id not in self._claimed:
                return self._batch[0]
            self._claimed.discard(self._batch[0].id)
            self.pop()

    def pop(self) -> None:
        self._last = self._batch.popleft().id

    def drain(self, reason: str) -> Iterator[QueuedUrl]:
        while (url := self.first()) is not None:
            self.pop()
            yield url

    def claim(self, url: QueuedUrl) -> bool:
        if url.id > self._last:
            self._claimed.add(url.id)
        return True

    def led_on(self, id_: int) -> bool:
        return self._urls.state(id_) is State.REDIRECTED
