"""What each location on pages of each template has led to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tplcrawl.store.database import Database


class Corners:
    """Reads the URLs and pages of a crawl by where they were found first."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def pages(self) -> Iterator[tuple[tuple[int, int], int, int, bool, str]]:
        """The pages that were found on a page with a template: location and template, docid, the
        page that it was found on, whether both are of one template, and the URL."""
        for location, template, *page in self._db.rows(
            "SELECT url.location, on_.template, page.docid, url.source,"
            " own.template IS on_.template, url.url"
            " FROM page JOIN url ON url.id = page.docid"
            " JOIN assignment own ON own.docid = page.docid"
            " JOIN assignment on_ ON on_.docid = url.source"
            " WHERE on_.template IS NOT NULL ORDER BY page.docid"
        ):
            docid, source, same, url = page
            yield (location, template), docid, source, bool(same), url

    def given(self, docids: Sequence[int]) -> dict[int, Counter[int]]:
        """How many URLs were seen first at each location of some pages."""
        wanted = set(docids)
        found: dict[int, Counter[int]] = {}
        for source, location, count in self._db.rows(
            "SELECT source, location, count(*) FROM url WHERE source IS NOT NULL GROUP BY 1, 2"
        ):
            if source in wanted:
                found.setdefault(source, Counter())[location] = count
        return found

    def urls(self, location: int, template: int) -> Iterator[str]:
        """The URLs that were found at a location on pages of a template."""
        for (url,) in self._db.rows(
            "SELECT url FROM url JOIN assignment ON docid = source"
            " WHERE location = ? AND template = ?",
            (location, template),
        ):
            yield url

    def sizes(self) -> dict[tuple[int, int], int]:
        """How many URLs were found at each location on pages of each template."""
        rows = self._db.rows(
            "SELECT location, template, count(*) FROM url JOIN assignment ON docid = source"
            " WHERE template IS NOT NULL GROUP BY location, template"
        )
        return {(location, template): count for location, template, count in rows}
