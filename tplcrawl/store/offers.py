"""URLs that go from one worker's store to another's."""

from __future__ import annotations

from collections.abc import Iterable

from tplcrawl.store.store import Store
from tplcrawl.store.urls import QUEUED, Discovery, QueuedUrl, State, queued


class Offers:
    """What a store has to say of URLs, and what it is told of them."""

    def __init__(self, store: Store) -> None:
        self._db = store.database
        self._urls = store.urls

    def take(self, found: Discovery) -> int:
        """The id of a URL that is to be fetched: as near as anybody has found it, and queued,
        unless it was asked for already."""
        id_ = self._urls.discover([found])[0]
        if self._urls.state(id_) in (State.HELD, State.SKIPPED):
            self._urls.settle(id_, State.QUEUED)
        place = found.place
        where = place.source, place.location, place.positions, found.words or None
        self._db.write(
            "UPDATE url SET depth = ?, source = ?, location = ?, positions = ?, words = ?"
            " WHERE id = ? AND depth > ?",
            (found.depth, *where, id_, found.depth),
        )
        return id_

    def states(self, ids: Iterable[int]) -> dict[int, State]:
        """What became of some URLs."""
        chosen = ",".join(map(str, ids))
        rows = self._db.rows(f"SELECT id, state FROM url WHERE id IN ({chosen}) ORDER BY id")
        return {id_: State(state) for id_, state in rows}

    def since(self, after: int, most: int) -> list[tuple[QueuedUrl, State, str | None]]:
        """The next URLs with ids above *after*: each with its state and the reason."""
        rows = self._db.rows(
            f"SELECT {QUEUED}, state, reason FROM url WHERE id > ? ORDER BY id LIMIT ?",
            (after, most),
        )
        return [(queued(url), State(state), why) for *url, state, why in rows]
