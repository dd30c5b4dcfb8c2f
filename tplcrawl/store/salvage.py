"""Rows out of a damaged database: all that SQLite still reads, table by table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]

_FAR = 1 << 40
"""The longest leap over keys that cannot be read."""


class Wreck:
    """A database file that may be damaged. Opened for reading; never changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        # What is no text any more is NULL, and the row that needs it is left out.
        self._db.text_factory = _text

    def problems(self, most: int = 5) -> list[str]:
        """What SQLite finds wrong with the file; nothing if it is sound."""
        try:
            found = [row[0] for row in self._db.execute(f"PRAGMA integrity_check({most})")]
        except sqlite3.DatabaseError as error:
            return [str(error)]
        return [] if found == ["ok"] else found

    def rows(self, table: str, columns: list[str], key: list[str]) -> Iterator[Row]:
        """The rows of *table* that can be read, each once: from both ends, and, where *key* is one
        number, from behind every gap too."""
        last: Row | None = None
        for row in self._read(table, columns, key, "ASC"):
            last = row
            yield row
        if len(key) == 1 and (last is None or isinstance(last[columns.index(key[0])], int)):
            yield from self._behind(table, columns, key[0], last)
        else:
            seen = None if last is None else [last[columns.index(one)] for one in key]
            for row in self._read(table, columns, key, "DESC"):
                if seen is not None and [row[columns.index(one)] for one in key] <= seen:
                    return
                yield row

    def _behind(self, table: str, columns: list[str], key: str, last: Row | None) -> Iterator[Row]:
        """The rows behind the gap that follows *last*, and behind every later one."""
        at = columns.index(key)
        reached = last[at] if last is not None else 0
        while (end := self._end_of_gap(table, columns, key, reached)) is not None:
            found = None
            for row in self._read(table, columns, [key], "ASC", [end]):
                found = row
                yield row
            if found is None:
                return
            reached = found[at]

    def _end_of_gap(self, table: str, columns: list[str], key: str, reached: int) -> int | None:
        """A key above *reached* behind which reading goes on, or comes to the end; it does not
        behind the one before. ``None`` where nothing more can be read."""
        fails, reads = 0, 1
        while not self._can_read(table, columns, key, reached + reads):
            fails, reads = reads, 2 * reads
            if reads > _FAR:
                return None
        while reads - fails > 1:
            middle = (fails + reads) // 2
            if self._can_read(table, columns, key, reached + middle):
                reads = middle
            else:
                fails = middle
        return reached + reads

    def _can_read(self, table: str, columns: list[str], key: str, above: int) -> bool:
        try:
            self._select(table, columns, [key], "ASC", [above], most=1).fetchone()
        except sqlite3.DatabaseError:
            return False
        return True

    def _read(
        self,
        table: str,
        columns: list[str],
        key: list[str],
        direction: str,
        behind: Sequence[Any] | None = None,
    ) -> Iterator[Row]:
        """Rows in the order of *key* up to the first that cannot be read."""
        try:
            for row in self._select(table, columns, key, direction, behind):
                behind = [row[columns.index(one)] for one in key]
                yield row
        except sqlite3.DatabaseError:
            # A cursor is one row ahead of what it gives: the last one is asked for by itself.
            with suppress(sqlite3.DatabaseError):
                yield from self._select(table, columns, key, direction, behind, most=1)

    def _select(
        self,
        table: str,
        columns: list[str],
        key: list[str],
        direction: str,
        behind: Sequence[Any] | None,
        most: int = -1,
    ) -> sqlite3.Cursor:
        where = ""
        if behind is not None:
            sign = ">" if direction == "ASC" else "<"
            where = f" WHERE ({', '.join(key)}) {sign} ({', '.join('?' * len(key))})"
        order = ", ".join(f"{one} {direction}" for one in key)
        return self._db.execute(
            f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED{where} ORDER BY {order}"
            f" LIMIT {most}",
            behind or (),
        )

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def _text(value: bytes) -> str | None:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return None
