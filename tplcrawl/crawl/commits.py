"""When what was written is made to last."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from scrapy.utils.asyncio import create_looping_call

from tplcrawl.store.store import Store

COMMIT_EVERY = 0.5
"""Seconds after which what was written is made to last. A page is never torn by that."""


class Commits:
    """Commits a store again and again, also when no page comes; *fail* is told what goes wrong."""

    def __init__(self, store: Store, fail: Callable[[sqlite3.Error], None]) -> None:
        self._store = store
        self._fail = fail
        self._timer = create_looping_call(self._commit)

    def start(self) -> None:
        self._timer.start(2 * COMMIT_EVERY, now=False)

    def stop(self) -> None:
        if self._timer.running:
            self._timer.stop()

    def _commit(self) -> None:
        try:
            self._store.commit()
        except sqlite3.Error as error:
            self._fail(error)
