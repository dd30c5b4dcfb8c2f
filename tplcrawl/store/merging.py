"""Several stores → one: what each of several workers remembers, as one would have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from tplcrawl.store.pages import COPIED
from tplcrawl.store.rows import Numbers
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.store import Store
from tplcrawl.store.urls import SPIDER_REASONS, State

_BATCH = 500

_CERTAIN = (
    State.FETCHED, State.REDIRECTED, State.FAILED, State.SKIPPED, State.HELD, State.QUEUED
)  # fmt: skip
"""What became of a URL, the most certain first: of one that still waits in one store, another may
know more. Least certain is what one worker left out because of how far it had come."""

_URL = (
    "id, key, url, state, depth, source, location, positions, reason, status, target, tries, words"
)
_PAGE = ", ".join(("docid", *COPIED, "sightings"))


class _Fate(NamedTuple):
    """What became of a URL, as far as a store knows."""

    state: int
    reason: str | None
    depth: int


def absorb(target: Store, source: Store) -> int:
    """Write to *target* all that *source* has and *target* has not, without its templates, in one
    transaction; return how many of its pages were there already.

    A URL is known once. Where both have discovered it, it keeps the place nearer to a start page,
    and what is most certain of it. Pages and their items are kept once, those of *target* first.
    New URLs get their ids in the order in which *source* discovered them. O(what *source* has).
    """
    with target.database.together():
        locations = _locations(target, source)
        ids = _urls(target, source, locations)
        doubled = _pages(target, source, ids, locations)
        _items_of_no_page(target, source)
    target.urls.reload()
    return doubled


def _locations(target: Store, source: Store) -> Numbers:
    paths = source.locations.paths()
    found = np.zeros(max(paths, default=0) + 1, np.uint32)
    found[list(paths)] = target.locations.ids(paths.values())
    return found


def _urls(target: Store, source: Store, locations: Numbers) -> Numbers:
    """Bring the URLs over; return the new id of each."""
    last = target.database.value("SELECT max(id) FROM url") or 0
    ids = np.zeros((source.database.value("SELECT max(id) FROM url") or 0) + 1, np.uint32)
    known: dict[int, _Fate] = {}
    for batch in _batches(source, "SELECT id, key FROM url ORDER BY id"):
        keys = ",".join(str(key) for _, key in batch)
        found: dict[int, tuple[int, _Fate]] = {
            key: (id_, _Fate(*fate))
            for key, id_, *fate in target.database.rows(
                f"SELECT key, id, state, reason, depth FROM url WHERE key IN ({keys})"
            )
        }
        for id_, key in batch:
            if key in found:
                ids[id_], known[id_] = found[key]
            else:
                last += 1
                ids[id_] = last
    for batch in _batches(source, f"SELECT {_URL} FROM url ORDER BY id"):
        fresh = []
        for row in batch:
            moved = _moved(row, ids, locations)
            if row[0] in known:
                _settle(target, moved, known[row[0]])
            else:
                fresh.append(moved)
        marks = ",".join("?" * len(_URL.split(", ")))
        target.database.write_many(f"INSERT INTO url ({_URL}) VALUES ({marks})", fresh)
    return ids


def _moved(row: tuple[Any, ...], ids: Numbers, locations: Numbers) -> tuple[Any, ...]:
    id_, key, url, state, depth, source, location, positions, reason, status, to, *rest = row
    return (
        int(ids[id_]), key, url, state, depth,
        None if source is None else int(ids[source]),
        None if location is None else int(locations[location]),
        positions, reason, status,
        None if to is None else int(ids[to]), *rest,
    )  # fmt: skip


def _settle(target: Store, row: tuple[Any, ...], own: _Fate) -> None:
    """Add to a known URL what another store knows of it."""
    id_, _, url, state, depth, source, location, positions, reason, status, to, _, words = row
    if depth < own.depth:
        target.database.write(
            "UPDATE url SET depth = ?, source = ?, location = ?, positions = ?, words = ?"
            " WHERE id = ?",
            (depth, source, location, positions, words, id_),
        )
    if _doubt(state, reason) < _doubt(own.state, own.reason):
        target.database.write(
            "UPDATE url SET url = ?, state = ?, reason = ?, status = ?, target = ? WHERE id = ?",
            (url, state, reason, status, to, id_),
        )


def _doubt(state: int, reason: str | None) -> int:
    return len(_CERTAIN) if reason in SPIDER_REASONS else _CERTAIN.index(State(state))


def _pages(target: Store, source: Store, ids: Numbers, locations: Numbers) -> int:
    doubled = 0
    for batch in _batches(source, f"SELECT {_PAGE} FROM page ORDER BY docid"):
        new = {row[0]: int(ids[row[0]]) for row in batch}
        marks = ",".join(map(str, new.values()))
        there = {row[0] for row in target.database.rows(
            f"SELECT docid FROM page WHERE docid IN ({marks})"
        )}  # fmt: skip
        new = {old: docid for old, docid in new.items() if docid not in there}
        doubled += len(batch) - len(new)
        fresh = [row for row in batch if row[0] in new]
        tables = [SightingTable.decode(row[-1]).renumbered(ids, locations) for row in fresh]
        links = [table.encode() for table in tables]
        target.database.write_many(
            f"INSERT INTO page ({_PAGE}, arrival) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
            " (SELECT coalesce(max(arrival), 0) + 1 FROM page))",
            [(new[row[0]], *row[1:-1], blob) for row, blob in zip(fresh, links, strict=True)],
        )
        target.database.write_many(
            "INSERT INTO assignment VALUES (?, NULL, 0, 'not clustered yet')",
            ((docid,) for docid in new.values()),
        )
        chosen = ",".join(map(str, new))
        for table, columns in (("body", "html, encoding"), ("item", "number, class, data")):
            rows = source.database.rows(
                f"SELECT docid, {columns} FROM {table} WHERE docid IN ({chosen})"
            )
            blanks = ", ?" * len(columns.split(", "))
            target.database.write_many(
                f"INSERT INTO {table} (docid, {columns}) VALUES (?{blanks})",
                ((new[docid], *rest) for docid, *rest in rows),
            )
    return doubled


def _items_of_no_page(target: Store, source: Store) -> None:
    start = target.database.value("SELECT max(number) + 1 FROM item WHERE docid = 0") or 0
    rows = source.database.rows("SELECT class, data FROM item WHERE docid = 0 ORDER BY number")
    target.database.write_many(
        "INSERT INTO item VALUES (0, ?, ?, ?)",
        ((number, *row) for number, row in enumerate(rows, start)),
    )


def _batches(store: Store, sql: str) -> Iterator[list[tuple[Any, ...]]]:
    rows = store.database.rows(sql)
    while batch := list(islice(rows, _BATCH)):
        yield batch
