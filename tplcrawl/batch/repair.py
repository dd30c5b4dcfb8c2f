"""A crawl again from what can be read of its damaged database.

Whatever is copied fits together: a page without its URL, its structure or its sightings is asked
for again, so that the next run of the crawl finds what was lost.
"""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp

from tplcrawl.errors import StoreError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.store.database import FILE, Database
from tplcrawl.store.salvage import Wreck
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.urls import State

DAMAGED = f"{FILE}.damaged"
"""Where the old file stays."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What became of a damaged database."""

    problems: tuple[str, ...]
    """What was wrong with it; nothing if it was sound."""
    pages: int = 0
    """Pages that were saved."""
    again: int = 0
    """URLs that were fetched and are asked for again."""
    urls: int = 0
    """All URLs that are still known."""


def repair(folder: Path) -> Repair:
    """Make the database in *folder* sound; the damaged one stays beside it. A sound one is left as
    it is."""
    path = folder / FILE
    if not path.is_file():
        raise StoreError(f"no crawl in {folder}: it has no {FILE}")
    problems = tuple(problems_of(folder))
    if not problems:
        with closing(Database(folder, write=False)) as database:
            pages, urls = _counts(database)
        return Repair((), pages, urls=urls)
    wreck = Wreck(path)
    try:
        aside = Path(mkdtemp(prefix=".part-", dir=folder))
        try:
            saved = _salvage(wreck, aside)
            wreck.close()
            path.replace(folder / DAMAGED)
            for log in (f"{FILE}-wal", f"{FILE}-shm"):
                (folder / log).unlink(missing_ok=True)
            (aside / FILE).replace(path)
        finally:
            shutil.rmtree(aside)
    finally:
        wreck.close()
    return Repair(problems, *saved)


def problems_of(folder: Path, most: int = 5) -> list[str]:
    """What is wrong with the database in *folder*, as SQLite finds, or with pages in it."""
    with closing(Wreck(folder / FILE)) as wreck:
        problems = wreck.problems(most)
    if problems:
        return problems
    with closing(Database(folder, write=False)) as database:
        return [f"page {docid} cannot be read" for docid in islice(_garbled(database), most)]


def _counts(database: Database) -> tuple[int, int]:
    """The numbers of pages and of URLs."""
    pages, urls = (database.value(f"SELECT count(*) FROM {table}") for table in ("page", "url"))
    return int(pages), int(urls)


def _salvage(wreck: Wreck, folder: Path) -> tuple[int, int, int]:
    """Copy what can be read of *wreck* into *folder*; return the numbers of pages, of URLs to be
    asked for again, and of all URLs."""
    database = Database(folder)
    try:
        for table, columns, key in _tables(database):
            database.write_many(
                f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(columns))})",
                wreck.rows(table, columns, key),
            )
        again = _reconcile(database)
        pages, urls = _counts(database)
    finally:
        database.close()
    if not urls:
        raise StoreError(f"nothing can be read of {wreck.path}")
    return pages, again, urls


def _tables(database: Database) -> list[tuple[str, list[str], list[str]]]:
    """Every table, its columns, and its key."""
    names = [row[0] for row in database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found = []
    for name in names:
        rows = database.rows(f"PRAGMA table_info({name})").fetchall()
        key = sorted((row[5], row[1]) for row in rows if row[5])
        found.append((name, [row[1] for row in rows], [column for _, column in key]))
    return found


def _reconcile(database: Database) -> int:
    """Take out what no longer fits; return how many URLs are asked for again."""
    lost = [(docid,) for docid in _broken_pages(database)]
    database.write_many("DELETE FROM page WHERE docid = ?", lost)
    for table in ("assignment", "body", "item"):
        database.write(
            f"DELETE FROM {table} WHERE docid != 0 AND docid NOT IN (SELECT docid FROM page)"
        )
    database.write(
        "INSERT OR IGNORE INTO assignment SELECT docid, NULL, 0, 'not clustered yet' FROM page"
    )
    database.write("UPDATE url SET state = ? WHERE id IN (SELECT docid FROM page)", [State.FETCHED])
    unfit = (
        " FROM url WHERE (state = ? AND id NOT IN (SELECT docid FROM page))"
        " OR (state = ? AND target NOT IN (SELECT id FROM url))"
    )
    states = [State.FETCHED, State.REDIRECTED]
    again = [row[0] for row in database.rows(f"SELECT id{unfit}", states)]
    database.write_many(
        "UPDATE url SET state = ?, status = NULL, target = NULL WHERE id = ?",
        [(State.QUEUED, id_) for id_ in again],
    )
    return len(again)


def _broken_pages(database: Database) -> Iterator[int]:
    """Pages that have no URL, or of which something cannot be read, or that link to what is
    unknown."""
    ids = {row[0] for row in database.rows("SELECT id FROM url")}
    places = {row[0] for row in database.rows("SELECT id FROM location")}
    garbled = set(_garbled(database))
    for docid, sightings in database.rows("SELECT docid, sightings FROM page ORDER BY docid"):
        if docid in garbled or docid not in ids:
            yield docid
            continue
        links = SightingTable.decode(sightings)
        if not (
            ids.issuperset(links.targets.tolist()) and places.issuperset(links.locations.tolist())
        ):
            yield docid


def _garbled(database: Database) -> Iterator[int]:
    """Pages whose structure, sightings or HTML cannot be read."""
    for docid, outline, features, sightings, html in database.rows(
        "SELECT docid, outline, features, sightings, html FROM page LEFT JOIN body USING (docid)"
        " ORDER BY docid"
    ):
        try:
            Outline.decode(outline)
            Features.decode(features)
            SightingTable.decode(sightings)
            if html is not None:
                zlib.decompress(html)
        except (zlib.error, ValueError, IndexError, TypeError):
            yield docid
