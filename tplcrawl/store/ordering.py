"""A store again, in the order in which one worker would have discovered what several have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tplcrawl.store.pages import COPIED
from tplcrawl.store.rows import Numbers
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State

_CHUNK = 500


def arrange(target: Store, source: Store) -> None:
    """Write all of *source* but its templates to the empty store *target*, breadth first.

    The start pages come first; then, page after page, what each links to, or where it redirects.
    That is the order of a crawl by one worker, so ids, depths, places and locations are those that
    it would have given, whoever has fetched what. What no start page leads to follows in the order
    of depths and URLs. O(links), in one transaction.
    """
    with target.database.together():
        _Arrangement(target, source).run()
    target.urls.reload()
    target.locations.reload()


class _Arrangement:
    def __init__(self, target: Store, source: Store) -> None:
        self._target = target.database
        self._source = source.database
        self._locations = target.locations
        self._paths = source.locations.paths()
        size = (self._source.value("SELECT max(id) FROM url") or 0) + 1
        self._new = np.zeros(size, np.uint32)
        """The new id of each URL, by its old one."""
        self._old = np.zeros(size, np.uint32)
        self._depths = np.zeros(size, np.int64)
        self._numbers = np.zeros(max(self._paths, default=0) + 1, np.uint32)
        """The new number of each location, by its old one."""
        self._count = self._done = 0

    def run(self) -> None:
        for id_, depth, location, positions in self._roots():
            if not self._new[id_]:
                place = None, self._location(location), positions
                self._add([id_], depth, [place])
                self._walk()
        rows = self._source.rows("SELECT id, target FROM url WHERE target IS NOT NULL ORDER BY id")
        self._target.write_many(
            "UPDATE url SET target = ? WHERE id = ?",
            ((int(self._new[to]), int(self._new[id_])) for id_, to in rows),
        )
        self._copy("item", "number, class, data", [0])

    def _roots(self) -> Iterator[tuple[int, int, int | None, str | None]]:
        """Start pages, then all URLs."""
        columns = "SELECT id, depth, location, positions FROM url"
        yield from self._source.rows(f"{columns} WHERE depth = 0 AND location IS NULL ORDER BY id")
        yield from self._source.rows(f"{columns} ORDER BY depth, url")

    def _location(self, number: int | None) -> int | None:
        if number is None:
            return None
        if not self._numbers[number]:
            self._numbers[number] = self._locations.ids([self._paths[number]])[0]
        return int(self._numbers[number])

    def _add(self, ids: Sequence[int], depth: int, places: Sequence[tuple[Any, ...]]) -> None:
        """Give new URLs the next ids."""
        rows: dict[int, tuple[Any, ...]] = {}
        for start in range(0, len(ids), _CHUNK):
            chosen = ",".join(map(str, ids[start : start + _CHUNK]))
            for id_, *row in self._source.rows(
                "SELECT id, key, url, state, reason, status, tries, words FROM url"
                f" WHERE id IN ({chosen})"
            ):
                rows[id_] = tuple(row)
        made = []
        for id_, place in zip(ids, places, strict=True):
            self._count += 1
            self._new[id_], self._old[self._count] = self._count, id_
            self._depths[self._count] = depth
            made.append((self._count, *rows[id_], depth, *place))
        self._target.write_many(
            "INSERT INTO url (id, key, url, state, reason, status, tries, words, depth, source,"
            " location, positions) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            made,
        )

    def _walk(self) -> None:
        """Add all that the URLs so far lead to."""
        while self._done < self._count:
            self._done += 1
            new, old = self._done, int(self._old[self._done])
            [(state, to)] = self._source.rows("SELECT state, target FROM url WHERE id = ?", [old])
            if state == State.FETCHED:
                self._page(new, old)
            elif state == State.REDIRECTED and not self._new[to]:
                place = next(
                    self._target.rows(
                        "SELECT source, location, positions FROM url WHERE id = ?", [new]
                    )
                )
                self._add([to], int(self._depths[new]), [place])

    def _page(self, new: int, old: int) -> None:
        """Write a page, and add what it links to; locations get numbers as they come too."""
        columns = ", ".join(COPIED)
        for *row, blob in self._source.rows(
            f"SELECT {columns}, sightings FROM page WHERE docid = ?", [old]
        ):
            links = SightingTable.decode(blob)
            numbers, first = np.unique(links.locations, return_index=True)
            for number in numbers[np.argsort(first)].tolist():
                self._location(number)
            locations = self._numbers[links.locations]
            self._discover(new, links, locations)
            table = SightingTable(
                self._new[links.targets], locations, links.prose, links.lengths, links.steps
            )
            marks = ", ?" * len(COPIED)
            self._target.write(
                f"INSERT INTO page (docid, arrival, sightings, {columns}) VALUES (?, ?, ?{marks})",
                (new, new, table.encode(), *row),
            )
            self._target.write(
                "INSERT INTO assignment VALUES (?, NULL, 0, 'not clustered yet')", [new]
            )
            self._copy("body", "html, encoding", [old], new)
            self._copy("item", "number, class, data", [old], new)

    def _discover(self, new: int, links: SightingTable, locations: Numbers) -> None:
        unknown = np.flatnonzero(self._new[links.targets] == 0)
        if not len(unknown):
            return
        _, first = np.unique(links.targets[unknown], return_index=True)
        rows = np.sort(unknown[first])
        positions = links.positions
        places = [
            (new, int(locations[row]), ".".join(map(str, positions[row]))) for row in rows.tolist()
        ]
        self._add(links.targets[rows].tolist(), int(self._depths[new]) + 1, places)

    def _copy(self, table: str, columns: str, docids: Sequence[int], new: int = 0) -> None:
        rows = self._source.rows(
            f"SELECT {columns} FROM {table} WHERE docid = ? ORDER BY docid", docids
        )
        blanks = ", ?" * len(columns.split(", "))
        self._target.write_many(
            f"INSERT INTO {table} (docid, {columns}) VALUES (?{blanks})",
            ((new, *row) for row in rows),
        )
