"""Of the URLs that wait, those that somebody has asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator

from tplcrawl.planning.queue import StoreQueue
from tplcrawl.store.store import Store
from tplcrawl.store.urls import QueuedUrl


class AskedQueue(StoreQueue):
    """URLs in the order in which they were asked for, as long as they are among *asked*; the others
    in the store are never had."""

    def __init__(self, store: Store, asked: Container[int]) -> None:
        super().__init__(store)
        self._fresh: deque[QueuedUrl] = deque()
        self._asked = asked

    def ask(self, url: QueuedUrl) -> None:
        """Somebody asks for a URL, after all others."""
        self._fresh.append(url)

    def drain(self, reason: str) -> Iterator[QueuedUrl]:
        while self._fresh:
            yield self._fresh.popleft()

    def claim(self, url: QueuedUrl) -> bool:
        return url.id in self._asked
