"""Fetched pages: profiles, bodies, items and assignments."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tplcrawl.outline import Outline
from tplcrawl.records import Assignment, Prediction, Profile
from tplcrawl.store.database import Database
from tplcrawl.store.looks import Looks
from tplcrawl.store.schema import ASSIGNMENT_INDEX
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.urls import Place

COPIED = (
    "title", "canonical", "lang", "json_ld", "cuts", "digest", "lzw", "outline", "features"
)  # fmt: skip
"""Columns that are the same in any store that has the page; its sightings go by the store's ids."""

PAGE_ITEM = "PageItem"
"""The kind of the items that tell what is told of every page."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item scraped from a page, as JSON."""

    kind: str
    """The name of its class."""
    data: str


class PageRow(NamedTuple):
    """A fetched page, as the outputs tell of it."""

    docid: int
    url: str
    status: int
    depth: int
    location: str | None
    title: str
    json_ld: str
    predicted: Prediction | None
    assignment: Assignment


NewPage = tuple[int, Profile, bytes, SightingTable, Prediction | None, bytes | None]
"""A page that is not there yet: docid, profile, features, links, what was predicted of it, and the
sketch of its text if that was denied."""


class Pages:
    """The tables ``page``, ``body``, ``item`` and ``assignment``."""

    def __init__(self, database: Database, *, pack: bool = True) -> None:
        self._db = database
        self._pack = pack

    def __len__(self) -> int:
        count: int = self._db.value("SELECT count(*) FROM page")
        return count

    def add_many(self, pages: Iterable[NewPage]) -> None:
        """Write many pages, in the order in which they came."""
        self._db.write_many(
            "INSERT INTO page SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?,"
            " (SELECT coalesce(max(arrival), 0) + 1 FROM page), ?, ?, ?, ?, ?",
            (
                (
                    docid, profile.title, profile.canonical, profile.lang,
                    " ".join(profile.json_ld), " ".join(profile.cuts),
                    profile.digest,
                    predicted.template if predicted else None,
                    predicted.confidence if predicted else None,
                    bytes([profile.asks]) + (denial or b"") if profile.asks or denial else None,
                    profile.lzw, profile.outline.encode(), features,
                    sightings.encode(packed=self._pack),
                )
                for docid, profile, features, sightings, predicted, denial in pages
            ),
        )  # fmt: skip

    def has(self, docid: int) -> bool:
        """Whether a page has been written."""
        return self._db.value("SELECT 1 FROM page WHERE docid = ?", [docid]) is not None

    def docids(self) -> list[int]:
        """All pages, in order of discovery."""
        return [row[0] for row in self._db.rows("SELECT docid FROM page ORDER BY docid")]

    def rows(self, docids: Sequence[int] | None = None) -> Iterator[PageRow]:
        """Pages, all or a few, in order of discovery."""
        chosen = "" if docids is None else f" WHERE page.docid IN ({','.join(map(str, docids))})"
        for row in self._db.rows(
            "SELECT page.docid, url.url, url.status, url.depth, location.path, page.title,"
            " page.json_ld, page.predicted, page.predicted_confidence,"
            " a.template, a.confidence, a.reason FROM page"
            " JOIN url ON url.id = page.docid JOIN assignment a ON a.docid = page.docid"
            f" LEFT JOIN location ON location.id = url.location{chosen} ORDER BY page.docid"
        ):
            template, confidence = row[7:9]
            predicted = None if template is None else Prediction(template, confidence)
            told: list[Any] = [*row[:7], predicted, Assignment(*row[9:])]
            yield PageRow(*told)

    def looks(self) -> Iterator[tuple[int, Looks]]:
        """What every page shows."""
        for docid, *shown in self._db.rows(
            "SELECT docid, url, title, canonical, outline, digest FROM page JOIN url ON id = docid"
            " ORDER BY docid"
        ):
            yield docid, Looks.of(*shown)

    def callings(self) -> Iterator[tuple[int, bytes, str, str, str]]:
        """Every page that a link with words led to: docid, these, and what the page is called: its
        URL, its title and the URL that it gives itself."""
        yield from self._db.rows(
            "SELECT docid, words, url, title, canonical FROM page JOIN url ON id = docid"
            " WHERE words IS NOT NULL ORDER BY docid"
        )

    def briefs(
        self, docids: Sequence[int] | None = None
    ) -> Iterator[tuple[int, str, Place, Assignment]]:
        """Pages, all or a few, with what the model keeps of them, in order of discovery."""
        chosen = "" if docids is None else f" WHERE page.docid IN ({','.join(map(str, docids))})"
        for docid, url, location, positions, source, *given in self._db.rows(
            "SELECT page.docid, url.url, url.location, url.positions, url.source,"
            " a.template, a.confidence, a.reason FROM page JOIN url ON url.id = page.docid"
            f" JOIN assignment a ON a.docid = page.docid{chosen} ORDER BY page.docid"
        ):
            yield docid, url, Place(location, positions, source), Assignment(*given)

    def features(self, docid: int) -> bytes:
        """The features of a page, as they were written."""
        blob: bytes = self._db.value("SELECT features FROM page WHERE docid = ?", [docid])
        return blob

    def outline(self, docid: int) -> Outline:
        """The structure of a page."""
        return Outline.decode(self._db.value("SELECT outline FROM page WHERE docid = ?", [docid]))

    def sightings(self, docids: Sequence[int] | None = None) -> Iterator[tuple[int, SightingTable]]:
        """The links of pages, all or a few."""
        chosen = "" if docids is None else f" WHERE docid IN ({','.join(map(str, docids))})"
        for docid, blob in self._db.rows(
            f"SELECT docid, sightings FROM page{chosen} ORDER BY docid"
        ):
            yield docid, SightingTable.decode(blob)

    def any_inbound(self) -> bool:
        """Whether any page was found by a link."""
        row = "SELECT 1 FROM page JOIN url ON id = docid WHERE location IS NOT NULL LIMIT 1"
        return self._db.value(row) is not None

    def cuts(self) -> dict[str, int]:
        """How many pages reached each limit."""
        counts: Counter[str] = Counter()
        for cuts, count in self._db.rows(
            "SELECT cuts, count(*) FROM page WHERE cuts != '' GROUP BY cuts"
        ):
            for cut in cuts.split():
                counts[cut] += count
        return dict(sorted(counts.items()))

    # Assignments

    def assign(self, docid: int, assignment: Assignment) -> None:
        """Write a page's assignment, over an earlier one."""
        self.assign_many([(docid, assignment)])

    def assign_many(self, assignments: Iterable[tuple[int, Assignment]]) -> None:
        """Write many pages' assignments, over earlier ones."""
        self._db.write_many(
            "INSERT OR REPLACE INTO assignment VALUES (?, ?, ?, ?)",
            ((docid, a.template, a.confidence, a.reason) for docid, a in assignments),
        )

    def assign_all(self, assignments: Iterable[tuple[int, Assignment]]) -> None:
        """Write the assignments of all pages, none of which has one yet."""
        self._db.write(f"DROP INDEX {ASSIGNMENT_INDEX[0]}")
        self.assign_many(assignments)
        self._db.write(ASSIGNMENT_INDEX[1])

    def assigned(self) -> int:
        """How many pages there are, by their assignments: counted without touching the pages."""
        count: int = self._db.value("SELECT count(*) FROM assignment")
        return count

    def came(self) -> Iterator[int | None]:
        """The template of every page, in the order in which they came."""
        for (template,) in self._db.rows(
            "SELECT template FROM page LEFT JOIN assignment USING (docid) ORDER BY arrival"
        ):
            yield template

    def templates(self) -> list[int | None]:
        """The template of every page, in order of discovery."""
        return [
            row[0]
            for row in self._db.rows(
                "SELECT template FROM page LEFT JOIN assignment USING (docid) ORDER BY docid"
            )
        ]

    def aliases(self) -> dict[int, int]:
        """Former templates and those that they were merged into."""
        return dict(self._db.rows("SELECT old, template FROM alias"))

    def set_aliases(self, aliases: dict[int, int]) -> None:
        """Write down which templates were merged into which."""
        self._db.write("DELETE FROM alias")
        self._db.write_many("INSERT INTO alias VALUES (?, ?)", sorted(aliases.items()))

    # Bodies

    def keep_body(self, docid: int, body: bytes, encoding: str) -> None:
        """Keep a page's HTML, compressed: in a third of the usual time, with a fifth more bytes."""
        self._db.write(
            "INSERT OR REPLACE INTO body VALUES (?, ?, ?)",
            (docid, zlib.compress(body, 1), encoding),
        )

    def body(self, docid: int) -> tuple[bytes, str] | None:
        """A page's HTML and encoding, if it was kept."""
        for blob, encoding in self._db.rows(
            "SELECT html, encoding FROM body WHERE docid = ?", [docid]
        ):
            return zlib.decompress(blob), encoding
        return None

    def bodies(self) -> list[int]:
        """The pages whose HTML is kept."""
        return list(self.body_places())

    def body_places(self) -> dict[int, int | None]:
        """The same, with the location where each was seen first."""
        return dict(
            self._db.rows("SELECT docid, location FROM body LEFT JOIN url ON id = docid ORDER BY 1")
        )

    def drop_bodies(self, docids: Sequence[int]) -> None:
        """Forget the HTML of some pages."""
        self._db.write_many("DELETE FROM body WHERE docid = ?", ((docid,) for docid in docids))

    # Items

    def add_items(self, docid: int, items: Iterable[Item], *, start: int = 0) -> None:
        """Write the items of a page, numbered from *start*."""
        self.add_all_items((docid, n, item) for n, item in enumerate(items, start))

    def add_all_items(self, items: Iterable[tuple[int, int, Item]]) -> None:
        """Write the items of many pages, each with its docid and number."""
        rows = ((docid, n, item.kind, item.data) for docid, n, item in items)
        self._db.write_many("INSERT INTO item VALUES (?, ?, ?, ?)", rows)

    def drop_items(self, docid: int) -> None:
        """Forget the items of a page."""
        self._db.write("DELETE FROM item WHERE docid = ?", [docid])

    def item_count(self, docid: int | None = None) -> int:
        """How many items there are, or how many a page has."""
        if docid is None:
            count: int = self._db.value("SELECT count(*) FROM item")
        else:
            count = self._db.value("SELECT count(*) FROM item WHERE docid = ?", [docid])
        return count

    def item_fields(self, template: int | None) -> list[str]:
        """The names of all fields that the items of a template have, in order of appearance."""
        rows = self._db.rows(
            "SELECT data FROM item LEFT JOIN assignment USING (docid) WHERE template IS ?"
            " ORDER BY docid, number",
            [template],
        )
        return list(dict.fromkeys(name for (data,) in rows for name in json.loads(data)))

    def items(self) -> Iterator[tuple[int | None, dict[str, object], str]]:
        """Every item with the template of its page, template by template."""
        for template, data, kind in self._db.rows(
            "SELECT template, data, class FROM item LEFT JOIN assignment USING (docid)"
            " ORDER BY template IS NULL, template, docid, number"
        ):
            yield template, json.loads(data), kind
