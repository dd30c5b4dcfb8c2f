"""The random URLs that were drawn so far."""

from __future__ import annotations

from collections.abc import Iterator

from tplcrawl.store.database import Database
from tplcrawl.store.urls import State


class Draws:
    """The ``draw`` table: what a random sample of the site has shown."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.reload()

    def reload(self) -> None:
        """Read anew how many there are: what was written may have been taken back."""
        self._last: int = self._db.value("SELECT max(number) FROM draw") or 0
        self._asked: int = self._db.value("SELECT count(*) FROM draw WHERE asked") or 0

    @property
    def last(self) -> int:
        """The number of the last draw."""
        return self._last

    @property
    def asked(self) -> int:
        """How many of the draws were asked for because they were drawn."""
        return self._asked

    def add(self, id_: int, *, asked: bool) -> None:
        """Write down the next draw, and whether its URL is asked for because of it."""
        self._last += 1
        self._asked += asked
        self._db.write("INSERT INTO draw VALUES (?, ?, ?)", (self._last, id_, asked))

    def templates(self) -> Iterator[int]:
        """The template of each distinct page that was drawn, in order of draws."""
        for (template,) in self._db.rows(
            "SELECT template FROM (SELECT coalesce(target, id) AS docid, min(number) AS first"
            " FROM draw JOIN url USING (id) GROUP BY docid) JOIN assignment USING (docid)"
            " WHERE template IS NOT NULL ORDER BY first"
        ):
            yield template

    def recent(self, most: int) -> list[int | None]:
        """The templates of the last URLs that were asked for because they were drawn, *most* at the
        most; ``None`` where no page came."""
        rows = self._db.rows(
            "SELECT template FROM draw JOIN url USING (id)"
            " LEFT JOIN assignment ON docid = coalesce(target, id)"
            " WHERE asked ORDER BY number DESC LIMIT ?",
            [most],
        )
        return [template for (template,) in rows]

    def drawn(self) -> dict[int, int]:
        """How many pages of each template are there because they were drawn."""
        return dict(
            self._db.rows(
                "SELECT template, count(DISTINCT docid) FROM draw JOIN url USING (id)"
                " JOIN assignment ON docid = coalesce(target, id)"
                " WHERE asked AND template IS NOT NULL GROUP BY template"
            )
        )

    def fetches(self) -> int:
        """How many URLs have been asked for, drawn or not."""
        count: int = self._db.value(
            "SELECT count(*) FROM url WHERE state IN (?, ?, ?)",
            [int(State.FETCHED), int(State.FAILED), int(State.REDIRECTED)],
        )
        return count
