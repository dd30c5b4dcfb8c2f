"""Counts and examples that reports need, straight from the tables."""

from __future__ import annotations

from collections.abc import Iterator

from tplcrawl.store.database import Database
from tplcrawl.store.urls import State


class Figures:
    """Questions to a crawl's database. Each is one query, in a stable order."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def statuses(self) -> dict[int, int]:
        """How many answers had each HTTP status."""
        return dict(
            self._db.rows(
                "SELECT status, count(*) FROM url WHERE status IS NOT NULL"
                " GROUP BY status ORDER BY status"
            )
        )

    def redirects(self, most: int = -1) -> list[tuple[str, int | None, str]]:
        """URLs that led to others, all or so many of them: where from, the status, where to."""
        return list(
            self._db.rows(
                "SELECT url.url, url.status, other.url FROM url JOIN url other"
                " ON other.id = url.target WHERE url.state = ? ORDER BY url.id LIMIT ?",
                (int(State.REDIRECTED), most),
            )
        )

    def canonical_elsewhere(self) -> int:
        """Pages that name another URL as their canonical one."""
        count: int = self._db.value(
            "SELECT count(*) FROM page JOIN url ON url.id = docid"
            " WHERE canonical != '' AND canonical != url.url"
        )
        return count

    def untitled(self) -> int:
        """Pages without a title."""
        count: int = self._db.value("SELECT count(*) FROM page WHERE title = ''")
        return count

    def same_title(self) -> int:
        """Pages whose title another page has too."""
        count: int = self._db.value(
            "SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM page WHERE title != ''"
            " GROUP BY title HAVING n > 1)"
        )
        return count

    def common_titles(self, most: int) -> list[tuple[str, int]]:
        """The titles that most pages share."""
        return list(
            self._db.rows(
                "SELECT title, count(*) FROM page WHERE title != '' GROUP BY title"
                " HAVING count(*) > 1 ORDER BY count(*) DESC, title LIMIT ?",
                [most],
            )
        )

    def found_through(self) -> Iterator[tuple[int, int, int]]:
        """How many pages of one template were first found on pages of another (or the same)."""
        yield from self._db.rows(
            "SELECT a.template, b.template, count(*) FROM assignment b"
            " JOIN url ON url.id = b.docid JOIN assignment a ON a.docid = url.source"
            " WHERE a.template IS NOT NULL AND b.template IS NOT NULL"
            " GROUP BY a.template, b.template ORDER BY a.template, b.template"
        )

    def predictions(self) -> list[tuple[float, int, int, float]]:
        """How many predictions were made before their pages came, how many were right, and the
        sum of their confidences, for each tenth of confidence."""
        return list(
            self._db.rows(
                "SELECT min(CAST(10 * predicted_confidence AS INTEGER), 9) / 10.0 AS step,"
                " count(*), sum(coalesce(alias.template, predicted) = a.template),"
                " sum(predicted_confidence)"
                " FROM page JOIN assignment a USING (docid) LEFT JOIN alias ON old = predicted"
                " WHERE predicted IS NOT NULL AND a.template IS NOT NULL"
                " GROUP BY step ORDER BY step"
            )
        )

    def unassigned(self) -> dict[str, int]:
        """Why pages have no template, most pages first."""
        return dict(
            self._db.rows(
                "SELECT reason, count(*) FROM assignment WHERE template IS NULL"
                " GROUP BY reason ORDER BY count(*) DESC, reason"
            )
        )
