"""Queued URLs that are not needed as things stand, by the template that is expected of them."""

from __future__ import annotations

from collections.abc import Iterator

from tplcrawl.store.database import Database
from tplcrawl.store.urls import QueuedUrl, State, Urls


class Held:
    """The URLs in the state :attr:`State.HELD`."""

    def __init__(self, database: Database, urls: Urls) -> None:
        self._db = database
        self._urls = urls

    def add(self, id_: int, expected: int | None, reason: str) -> None:
        """Hold a URL that is expected to be of a template, or move it to another one's."""
        self._urls.settle(id_, State.HELD, reason=reason, expected=expected)

    def let_go(self, id_: int) -> None:
        """A URL is needed now."""
        self._urls.settle(id_, State.QUEUED)

    def let_go_all(self) -> None:
        """Let every URL be queued again: the plan has changed."""
        self._db.write(
            "UPDATE url SET state = ?, reason = NULL WHERE state = ?",
            (int(State.QUEUED), int(State.HELD)),
        )
        self._urls.recount()

    def templates(self) -> Iterator[int]:
        """The templates that are expected, ascending. O(log n) each."""
        found = self._next(0)
        while found is not None:
            yield found
            found = self._next(found)

    def _next(self, last: int) -> int | None:
        found: int | None = self._db.value(
            "SELECT min(expected) FROM url WHERE state = 5 AND expected > ?", [last]
        )
        return found

    def first(self, expected: int) -> QueuedUrl | None:
        """The first URL that is held for a template."""
        found = self._db.value(
            "SELECT id FROM url WHERE state = 5 AND expected = ? ORDER BY id LIMIT 1", [expected]
        )
        return None if found is None else self._urls.get(found)

    def after(self, id_: int, most: int) -> list[QueuedUrl]:
        """The next held URLs with ids above *id_*, whatever is expected."""
        rows = self._db.rows(
            "SELECT id FROM url WHERE state = 5 AND id > ? ORDER BY id LIMIT ?", (id_, most)
        )
        return [self._urls.get(found) for (found,) in rows.fetchall()]
