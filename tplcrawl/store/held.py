"""Queued URLs that were not needed as things stood when a crawl ended."""

from __future__ import annotations

from collections.abc import Iterable

from tplcrawl.store.database import Database
from tplcrawl.store.urls import State, Urls


class Held:
    """The URLs in the state :attr:`State.HELD`."""

    def __init__(self, database: Database, urls: Urls) -> None:
        self._db = database
        self._urls = urls

    def add(self, expected: Iterable[tuple[int, int | None]], reason: str) -> None:
        """Hold URLs, by id, each for the template that is expected of it."""
        self._db.write_many(
            "UPDATE url SET state = ?, expected = ?, reason = ? WHERE id = ? AND state = ?",
            ((int(State.HELD), kind, reason, id_, int(State.QUEUED)) for id_, kind in expected),
        )
        self._urls.recount()

    def let_go(self, id_: int) -> None:
        """Queue a URL again, if it is held."""
        if self._urls.state(id_) is State.HELD:
            self._urls.settle(id_, State.QUEUED)

    def let_go_all(self) -> None:
        """Let every URL be queued again: the plan has changed."""
        self._db.write(
            "UPDATE url SET state = ?, reason = NULL, expected = NULL WHERE state = ?",
            (int(State.QUEUED), int(State.HELD)),
        )
        self._urls.recount()
