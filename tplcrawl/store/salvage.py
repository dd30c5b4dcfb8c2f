"""Rows out of a damaged database: all that SQLite still reads, table by table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
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
        leap = 1
        while leap <= _FAR:
            found = None
            for row in self._read(table, columns, [key], "ASC", above=reached + leap):
                found = row
                yield row
            if found is None:
                leap *= 2
            else:
                reached, leap = found[at], 1

    def _read(
        self,
        table: str,
        columns: list[str],
        key: list[str],
        direction: str,
        above: int | None = None,
    ) -> Iterator[Row]:
        """Rows in the order of *key* up to the first that cannot be read."""
        where = "" if above is None else f" WHERE {key[0]} > {above}"
        order = ", ".join(f"{one} {direction}" for one in key)
        try:
            yield from self._db.execute(
                f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED{where} ORDER BY {order}"
            )
        except sqlite3.DatabaseError:
            return

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def _text(value: bytes) -> str | None:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return None
