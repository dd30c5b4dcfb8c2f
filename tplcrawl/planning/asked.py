"""Of the URLs that wait, those that somebody has asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from tplcrawl.planning.queue import StoreQueue
from tplcrawl.store.store import Store
from tplcrawl.store.urls import QueuedUrl


class AskedQueue(StoreQueue):
    """URLs in the order in which they were asked for; the others in the store are never had."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._fresh: deque[QueuedUrl] = deque()
        self._open: set[int] = set()

    def ask(self, url: QueuedUrl) -> None:
        """Let a URL be had."""
        self._fresh.append(url)
        self._open.add(url.id)

    def drain(self, reason: str) -> Iterator[QueuedUrl]:
        while self._fresh:
            yield self._fresh.popleft()

    def claim(self, url: QueuedUrl) -> bool:
        asked = url.id in self._open
        self._open.discard(url.id)
        return asked
