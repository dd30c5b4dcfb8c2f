"""General locations as small numbers."""

from __future__ import annotations

from collections.abc import Iterable

from tplcrawl.store.database import Database

MOST = 200_000
"""Distinct locations of a site; later ones share one number. Real sites have some thousand."""

MOST_CHARACTERS = 64 * 1024 * 1024
"""Characters of all of them together."""

OTHER = "/other"


class Locations:
    """The ``location`` table, held in memory too: a few hundred bytes each."""

    def __init__(
        self, database: Database, *, most: int = MOST, characters: int = MOST_CHARACTERS
    ) -> None:
        self._db = database
        self._most = most
        self._characters = characters
        self.reload()

    def reload(self) -> None:
        """Read the table anew: what was written may have been taken back."""
        self._ids: dict[str, int] = dict(self._db.rows("SELECT path, id FROM location"))
        self._length = sum(map(len, self._ids))

    def ids(self, paths: Iterable[str]) -> list[int]:
        """The number of each of *paths*; new ones are added."""
        known = self._ids
        return [known[path] if path in known else self._add(path) for path in paths]

    def known(self, path: str) -> int | None:
        """The number of *path*, if it has one."""
        return self._ids.get(path)

    @property
    def overflowed(self) -> bool:
        """Whether there were too many to tell all apart."""
        return OTHER in self._ids

    def _add(self, path: str) -> int:
        if len(self._ids) >= self._most or self._length >= self._characters:
            path = OTHER
            if path in self._ids:
                return self._ids[path]
        self._length += len(path)
        number = self._ids[path] = len(self._ids) + 1
        self._db.write("INSERT INTO location (id, path) VALUES (?, ?)", (number, path))
        return number

    def path(self, number: int) -> str:
        """The path of a number."""
        path: str = self._db.value("SELECT path FROM location WHERE id = ?", [number])
        return path

    def paths(self) -> dict[int, str]:
        """Every number's path."""
        return {number: path for path, number in self._ids.items()}
