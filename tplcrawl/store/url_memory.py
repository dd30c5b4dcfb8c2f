"""Which URLs there are: what is known of that without asking the database is bounded, and is
forgotten all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tplcrawl.store.database import Database
from tplcrawl.store.keys import url_key

_CHUNK = 500


class UrlMemory:
    """The ids of some URLs by their spelling; those of all by their keys, where the table was empty
    and as long as they are few."""

    def __init__(self, database: Database, most: int, *, empty: bool) -> None:
        self._db = database
        self._most = most
        self._ids: dict[str, int] = {}
        self._all: dict[int, int] | None = {} if empty else None

    def find(self, urls: Sequence[str]) -> dict[str, int]:
        """The ids of those of *urls* that there are."""
        remembered = self._ids
        found = {url: remembered[url] for url in urls if url in remembered}
        if len(found) == len(urls):
            return found
        spellings: dict[int, list[str]] = {}
        for url in urls:
            if url not in found:
                spellings.setdefault(url_key(url), []).append(url)
        for key, id_ in self._of_keys(list(spellings)):
            for url in spellings[key]:
                found[url] = self.keep(url, id_)
        return found

    def _of_keys(self, keys: Sequence[int]) -> Iterator[tuple[int, int]]:
        known = self._all
        if known is not None:
            yield from ((key, known[key]) for key in keys if key in known)
            return
        for start in range(0, len(keys), _CHUNK):
            chunk = keys[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            yield from self._db.rows(f"SELECT key, id FROM url WHERE key IN ({marks})", chunk)

    def keep(self, url: str, id_: int) -> int:
        """Remember a URL; return its id."""
        if len(self._ids) >= self._most:
            self._ids.clear()
        self._ids[url] = id_
        return id_

    def add(self, fresh: Mapping[int, int]) -> None:
        """Note the ids of new URLs by their keys."""
        if self._all is not None:
            self._all.update(fresh)
            if len(self._all) > self._most:
                self._all = None
