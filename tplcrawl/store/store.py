"""One crawl's memory: the one thing that the rest of tplcrawl opens."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from tplcrawl.errors import ForeignStore, StoreError
from tplcrawl.outline import NO_OUTLINE
from tplcrawl.records import Assignment, Links, Prediction, Profile
from tplcrawl.store.corners import Corners
from tplcrawl.store.database import Database, unusable
from tplcrawl.store.draws import Draws
from tplcrawl.store.figures import Figures
from tplcrawl.store.held import Held
from tplcrawl.store.locations import Locations
from tplcrawl.store.pages import Item, Pages
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.urls import Discovery, Place, State, Urls
from tplcrawl.words import packed

SkipReason = Callable[[str, int], str | None]
"""Why a discovered URL at some depth is not to be fetched; ``None`` if it is."""


def fetch_all(url: str, depth: int) -> str | None:
    """The :data:`SkipReason` that skips nothing."""
    return None


UNKNOWN = Assignment(None, 0.0, "not clustered yet")


SKIMMED = "skimmed"
"""The fact about a store whose pages are known by their fingerprints alone."""


class Archived(NamedTuple):
    """A page that somebody has fetched, some time ago."""

    status: int
    profile: Profile
    features: bytes
    item: Item
    body: tuple[bytes, str] | None
    """Its bytes and their encoding, where they are to be kept."""


class Store:
    """A crawl's directory. A page's links, sightings, items and done-mark commit together. A
    *passing* one is quick to write: it is there until another one has absorbed it."""

    def __init__(
        self, folder: Path, *, write: bool = True, durable: bool = False, passing: bool = False
    ) -> None:
        self.folder = folder
        self.database = Database(folder, write=write, durable=durable, passing=passing)
        try:
            self.urls = Urls(self.database)
            self.locations = Locations(self.database)
            self.pages = Pages(self.database, pack=not passing)
            self.held = Held(self.database, self.urls)
            self.draws = Draws(self.database)
            self.corners = Corners(self.database)
            self.figures = Figures(self.database)
        except sqlite3.Error as error:
            self.database.close()
            raise StoreError(unusable(self.database.path, error)) from error

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def site(self) -> str | None:
        """The site that the crawl is of."""
        site = self.meta("site")
        return None if site is None else str(site)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not len(self.pages) and not self.pages.item_count()

    def need_structure(self) -> None:
        """Say so where nothing is known of the pages but how their bytes begin."""
        if self.skimmed:
            raise StoreError(
                f"the pages in {self.folder} were only skimmed, nothing of their structure is known"
                ": tplcrawl cluster with --save-html all keeps it"
            )

    def claim(self, site: str) -> None:
        """Let the directory be for *site*, or say that it is for another one."""
        if self.site is None:
            self.set_meta("site", site)
        elif self.site != site:
            raise ForeignStore(
                f"{self.folder} holds a crawl of {self.site}, not of {site}:"
                " name another directory with TPLCRAWL_DIR"
            )

    @property
    def skimmed(self) -> bool:
        """Whether its pages were only skimmed: nothing is known of their structure."""
        return bool(self.meta(SKIMMED))

    @property
    def last_template(self) -> int:
        """The highest template id that was ever given."""
        return int(str(self.meta("last_template", 0)))

    @last_template.setter
    def last_template(self, last: int) -> None:
        self.set_meta("last_template", last)

    def meta(self, name: str, default: object = None) -> object:
        """A fact about the crawl."""
        value = self.database.value("SELECT value FROM meta WHERE name = ?", [name])
        return default if value is None else json.loads(value)

    def set_meta(self, name: str, value: object) -> None:
        """Write a fact about the crawl."""
        text = json.dumps(value, sort_keys=True)
        self.database.write("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, text))

    @property
    def lost(self) -> dict[str, int]:
        """What of the archives and folders that the pages come from is no page here, by reason."""
        counts: dict[str, int] = dict(self.meta("lost", {}))  # type: ignore[call-overload]
        return counts

    @lost.setter
    def lost(self, counts: Mapping[str, int]) -> None:
        self.set_meta("lost", dict(counts))

    def see_links(
        self, docid: int | None, depth: int, links: Links, skip: SkipReason
    ) -> SightingTable:
        """Discover what a page at *depth* links to; return its sightings by ids."""
        urls = dict.fromkeys(links.urls)
        locations = self.locations.ids(links.locations)
        known = self.urls.known(urls)
        if len(known) < len(urls):
            # The place of each: from the end, so that the first one stays.
            first = dict(zip(reversed(links.urls), reversed(range(len(links))), strict=True))
            said: defaultdict[str, list[str]] = defaultdict(list)
            for url, text in zip(links.urls, links.said, strict=bool(links.said)):
                if text and url not in known:
                    said[url].append(text)
            self.urls.discover(
                [
                    Discovery(
                        url,
                        depth + 1,
                        Place(
                            locations[first[url]],
                            ".".join(map(str, links.positions[first[url]])),
                            docid,
                        ),
                        skip(url, depth + 1),
                        packed(" ".join(said[url])) if url in said else b"",
                    )
                    for url in urls
                    if url not in known
                ],
                known,
            )
        return SightingTable.of(
            list(map(known.__getitem__, links.urls)), locations, links.prose, links.positions
        )

    def add_page(
        self,
        docid: int,
        *,
        depth: int,
        status: int,
        profile: Profile,
        features: bytes,
        assignment: Assignment,
        predicted: Prediction | None = None,
        denial: bytes | None = None,
        items: Iterable[Item] = (),
        body: tuple[bytes, str] | None = None,
        skip: SkipReason = fetch_all,
    ) -> SightingTable:
        """Write everything about a fetched page, inside one transaction, or nothing of it."""
        with self._whole():
            sightings = self.see_links(docid, depth, profile.links, skip)
            self.pages.add_many([(docid, profile, features, sightings, predicted, denial)])
            self.pages.assign(docid, assignment)
            self.pages.add_items(docid, items)
            if body is not None:
                self.pages.keep_body(docid, *body)
            self.urls.settle(docid, State.FETCHED, status=status)
        return sightings

    def add_archived(
        self, pages: Sequence[Archived], again: Callable[[Archived, str], Archived]
    ) -> None:
        """Write pages that nobody had asked for and that are not there yet, all or none of them:
        as :meth:`add_page` does, in a third of the time. *again* looks at one that is known by a
        URL of another spelling."""
        rows: dict[int, Archived] = {}
        links: dict[int, SightingTable] = {}
        with self._whole():
            for page in pages:
                url, last = page.profile.url, self.urls.last
                docid = self.urls.discover([Discovery(url, 0)])[0]
                if docid <= last and (known := self.urls.get(docid).url) != url:
                    page = again(page, known)
                rows[docid] = page
                links[docid] = self.see_links(docid, 0, page.profile.links, fetch_all)
            self.pages.add_many(
                (docid, page.profile, page.features, links[docid], None, None)
                for docid, page in rows.items()
            )
            self.pages.assign_many((docid, UNKNOWN) for docid in rows)
            self.pages.add_all_items((docid, 0, page.item) for docid, page in rows.items())
            for docid, page in rows.items():
                if page.body is not None:
                    self.pages.keep_body(docid, *page.body)
            self.urls.settle_fetched({docid: page.status for docid, page in rows.items()})

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """What is written inside is written whole or not at all; nor is it remembered."""
        try:
            with self.database.together():
                yield
        except BaseException:
            self.urls.reload()
            self.locations.reload()
            self.draws.reload()
            raise

    def add_skimmed(self, rows: Sequence[tuple[str, int, int, bytes, bytes]]) -> None:
        """Write many pages of which little is known, and none of which is there: URL, its key,
        status, LZW fingerprint and features of each. They have no assignment yet."""
        first = self.urls.last + 1
        self.database.write_many(
            "INSERT INTO url (id, key, url, state, depth, status)"
            f" VALUES (?, ?, ?, {int(State.FETCHED)}, 0, ?)",
            [(n, key, url, code) for n, (url, key, code, _, _) in enumerate(rows, first)],
        )
        nothing = NO_OUTLINE.encode()
        no_links = SightingTable.of([], [], [], []).encode()
        self.database.write_many(
            "INSERT INTO page VALUES (?, '', '', '', '', '', 0, NULL, NULL, ?, NULL, ?, ?, ?, ?)",
            [(n, n, row[3], nothing, row[4], no_links) for n, row in enumerate(rows, first)],
        )
        self.urls.reload()

    def forget_templates(self) -> None:
        """Let every page be without a template again, and no earlier template be known."""
        self.database.write("UPDATE assignment SET template = NULL, confidence = 0")
        self.database.write("UPDATE page SET predicted = NULL, predicted_confidence = NULL")
        self.pages.set_aliases({})
        self.last_template = 0
        self.database.write("DELETE FROM meta WHERE name IN ('model', 'names')")

    def commit(self, *, every: float = 0.0) -> None:
        """Make what was written last, if that waits for *every* seconds or more."""
        if self.database.age >= every:
            self.database.commit()

    def close(self) -> None:
        """Commit and let go of the directory. A crawl without a page or an item leaves nothing."""
        if self.database.writes and self.empty:
            self.database.discard()
        else:
            self.database.close()
