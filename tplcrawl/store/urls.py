"""Every URL that a crawl has discovered, and what became of it. The queued ones are the frontier.

A URL's id is its place in the order of discovery: breadth first. Memory holds a bounded cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from tplcrawl.store.database import Database
from tplcrawl.store.keys import url_key
from tplcrawl.store.url_memory import UrlMemory

DENIED, DEPTH = "denied", "depth"
SPIDER_REASONS = (DENIED, DEPTH)
"""Reasons for which a spider's own arguments skip a URL."""


class State(IntEnum):
    """What became of a URL."""

    QUEUED = 0
    FETCHED = 1
    SKIPPED = 2
    """Not fetched, for a reason."""
    FAILED = 3
    """Fetched, but no page came of it."""
    REDIRECTED = 4
    """Fetched, and led to another URL."""
    HELD = 5
    """Not needed as things stand; fetched if that changes."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a URL was seen first."""

    location: int | None = None
    """The number of the general location; ``None`` for a start page."""
    positions: str | None = None
    """What makes it positional: ``1.1.3``."""
    source: int | None = None
    """The page that it was seen on."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """A URL that may be new."""

    url: str
    depth: int
    place: Place = Place()
    skip: str | None = None
    """Why it is not to be fetched, if it is not."""
    words: bytes = b""
    """What the links to it say, packed."""


@dataclass(frozen=True, slots=True)
class QueuedUrl:
    """A URL of the frontier."""

    id: int
    url: str
    depth: int
    place: Place
    tries: int
    words: bytes = b""
    """What the links to it said on the page of :attr:`place`, packed."""


QUEUED = "id, url, depth, location, positions, source, tries, words"
"""Columns of a URL of the frontier."""


def queued(row: Sequence[Any]) -> QueuedUrl:
    """The URL of a row of :data:`QUEUED`."""
    id_, url, depth, location, positions, source, tries, words = row
    return QueuedUrl(id_, url, depth, Place(location, positions, source), tries, words or b"")


class Urls:
    """The ``url`` table."""

    def __init__(self, database: Database, *, remember: int = 100_000) -> None:
        self._db = database
        self._remember = remember
        self.reload()

    def reload(self) -> None:
        """Forget what is held in memory: what was written may have been taken back."""
        self._last: int = self._db.value("SELECT max(id) FROM url") or 0
        self._memory = UrlMemory(self._db, self._remember, empty=not self._last)
        self.recount()

    def recount(self) -> None:
        """Count anew how many URLs wait."""
        self._queued = self.count(State.QUEUED)

    @property
    def last(self) -> int:
        """The highest id."""
        return self._last

    @property
    def queued(self) -> int:
        """How many URLs wait."""
        return self._queued

    def count(self, state: State) -> int:
        """How many URLs are in *state*."""
        count: int = self._db.value("SELECT count(*) FROM url WHERE state = ?", [int(state)])
        return count

    def known(self, urls: Iterable[str]) -> dict[str, int]:
        """The ids of those of *urls* that have been discovered."""
        return self._memory.find(list(urls))

    def discover(
        self, discoveries: Sequence[Discovery], known: dict[str, int] | None = None
    ) -> list[int]:
        """The ids of *discoveries*, new URLs being added in their order, also to those *known*."""
        known = self.known(one.url for one in discoveries) if known is None else known
        fresh: dict[int, int] = {}
        rows: list[tuple[object, ...]] = []
        ids: list[int] = []
        for found in discoveries:
            id_ = known.get(found.url)
            if id_ is None:
                id_ = fresh.get(key := url_key(found.url))
                if id_ is None:
                    self._last += 1
                    id_ = fresh[key] = self._last
                    state = State.SKIPPED if found.skip else State.QUEUED
                    self._queued += state is State.QUEUED
                    at = found.place.source, found.place.location, found.place.positions
                    known_as = found.url, int(state), found.depth
                    rows.append((id_, key, *known_as, *at, found.skip, found.words or None))
                known[found.url] = self._memory.keep(found.url, id_)
            ids.append(id_)
        if rows:
            self._db.write_many(
                "INSERT INTO url (id, key, url, state, depth, source, location, positions, reason,"
                " words) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            self._memory.add(fresh)
        return ids

    def waiting(self, after: int, most: int) -> list[QueuedUrl]:
        """The next queued URLs with ids above *after*, in order of discovery."""
        sql = f"SELECT {QUEUED} FROM url WHERE state = 0 AND id > ? ORDER BY id LIMIT ?"
        return list(map(queued, self._db.rows(sql, (after, most))))

    def get(self, id_: int) -> QueuedUrl:
        """A URL, whatever its state."""
        for row in self._db.rows(f"SELECT {QUEUED} FROM url WHERE id = ?", [id_]):
            return queued(row)
        raise KeyError(id_)

    def state(self, id_: int) -> State:
        """What became of a URL."""
        return State(self._db.value("SELECT state FROM url WHERE id = ?", [id_]))

    def settle(
        self,
        id_: int,
        state: State,
        *,
        reason: str | None = None,
        status: int | None = None,
        target: int | None = None,
        expected: int | None = None,
    ) -> None:
        """Write down what became of a URL."""
        before = self._db.value("SELECT state FROM url WHERE id = ?", [id_])
        self._queued += (state is State.QUEUED) - (before == State.QUEUED)
        self._db.write(
            "UPDATE url SET state = ?, reason = ?, status = ?, target = ?, expected = ?"
            " WHERE id = ?",
            (int(state), reason, status, target, expected, id_),
        )

    def settle_fetched(self, statuses: Mapping[int, int]) -> None:
        """Write down that URLs were fetched, with what *statuses*."""
        marks = ",".join(map(str, statuses))
        waited = f"SELECT count(*) FROM url WHERE id IN ({marks}) AND state = {State.QUEUED:d}"
        self._queued -= self._db.value(waited)
        self._db.write_many(
            "UPDATE url SET state = ?, reason = NULL, status = ?, target = NULL, expected = NULL"
            " WHERE id = ?",
            ((int(State.FETCHED), status, id_) for id_, status in statuses.items()),
        )

    def led_to(self, id_: int) -> Iterator[QueuedUrl]:
        """The URLs that a redirected one led to, one after the other."""
        seen: set[int] = set()
        while id_ not in seen and self.state(id_) is State.REDIRECTED:
            seen.add(id_)
            id_ = self._db.value("SELECT target FROM url WHERE id = ?", [id_])
            yield self.get(id_)

    def end_of(self, id_: int) -> int:
        """What a URL has led to at last; itself, if it was not redirected."""
        return [id_, *(url.id for url in self.led_to(id_))][-1]

    def led_back(self, id_: int) -> bool:
        """Whether a URL has led to a page that was there already."""
        end = self.end_of(id_)
        return end != id_ and self.state(end) is State.FETCHED

    def adopt(self, sightings: Mapping[int, tuple[int, int, str]]) -> None:
        """Let URLs without a place have that of their first sighting: where pages come in any
        order, the first link to a page may come after it."""
        self._db.write_many(
            "UPDATE url SET source = ?, location = ?, positions = ?"
            " WHERE id = ? AND location IS NULL",
            ((*place, id_) for id_, place in sorted(sightings.items())),
        )

    def requeue(self, id_: int) -> None:
        """Let a URL be fetched again: a redirect led back to it, perhaps with a cookie."""
        self._db.write("UPDATE url SET tries = tries + 1 WHERE id = ?", [id_])
        self.settle(id_, State.QUEUED)

    def retry(self, reasons: Iterable[str]) -> list[int]:
        """Queue again what failed for one of *reasons* or with a server's error; return the ids."""
        marks = ",".join(f"'{reason}'" for reason in sorted(reasons))
        return self._queue_again(f"state = 3 AND (reason IN ({marks}) OR status >= 500)")

    def unskip(self, skip: Callable[[str, int], str | None]) -> list[int]:
        """Queue what was skipped by patterns or limits that have changed since; return the ids."""
        return self._queue_again(f"state = 2 AND reason IN {SPIDER_REASONS}", skip)

    def _queue_again(
        self, which: str, skip: Callable[[str, int], str | None] = lambda url, depth: None
    ) -> list[int]:
        rows = self._db.rows(f"SELECT id, url, depth FROM url WHERE {which}")
        ids = [id_ for id_, url, depth in rows if skip(url, depth) is None]
        self._db.write_many(
            "UPDATE url SET state = 0, reason = NULL, status = NULL WHERE id = ?",
            ((id_,) for id_ in ids),
        )
        self.recount()
        return ids

    def judged(self) -> Iterator[tuple[QueuedUrl, State, int | None]]:
        """Every URL that has been asked for, what became of it, and the answer's status."""
        rows = self._db.rows(
            f"SELECT {QUEUED}, state, status FROM url WHERE state IN (?, ?, ?)",
            [int(State.FETCHED), int(State.FAILED), int(State.REDIRECTED)],
        )
        for *row, state, status in rows:
            yield queued(row), State(state), status

    def unfetched(self) -> Iterator[tuple[str, int, Place, str | None, State]]:
        """Every URL of which there is no page and that did not lead to another one: its URL,
        depth, place, the reason, which is ``None`` where it is still queued, and its state."""
        for url, depth, location, positions, source, reason, state in self._db.rows(
            "SELECT url, depth, location, positions, source, reason, state FROM url"
            " WHERE state NOT IN (?, ?) ORDER BY id",
            (int(State.FETCHED), int(State.REDIRECTED)),
        ):
            yield url, depth, Place(location, positions, source), reason, State(state)

    def counts(self) -> dict[State, int]:
        """How many URLs are in each state."""
        rows = dict(self._db.rows("SELECT state, count(*) FROM url GROUP BY state"))
        return {state: rows.get(int(state), 0) for state in State}

    def reasons(self) -> dict[str, int]:
        """How many URLs were skipped or failed for each reason, most first."""
        return dict(
            self._db.rows(
                "SELECT reason, count(*) FROM url WHERE state IN (?, ?, ?) AND reason IS NOT NULL"
                " GROUP BY reason ORDER BY count(*) DESC, reason",
                (int(State.SKIPPED), int(State.FAILED), int(State.HELD)),
            )
        )

    def without_page(self, most: int = -1) -> Iterator[tuple[str, str]]:
        """URLs that failed or were skipped, with the reason."""
        yield from self._db.rows(
            "SELECT url, reason FROM url WHERE state IN (?, ?) ORDER BY id LIMIT ?",
            (int(State.SKIPPED), int(State.FAILED), most),
        )

    def all(self) -> Iterator[tuple[int, str]]:
        """Every id and URL."""
        yield from self._db.rows("SELECT id, url FROM url ORDER BY id")

    def keys(self) -> Iterator[int]:
        """The identity of every URL, in order of discovery."""
        yield from (row[0] for row in self._db.rows("SELECT key FROM url ORDER BY id"))
