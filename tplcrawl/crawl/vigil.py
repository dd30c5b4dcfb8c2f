"""The page that is read now, noted on disk: a fault of the parser in C may be the end of it all.

Whoever died of a page would read it again, and die again, whenever the same command is called. What
a fault leaves here (SIGSEGV, SIGBUS, SIGABRT and the like) tells it from a kill, of which no page
is guilty.
"""

from __future__ import annotations

import faulthandler
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tplcrawl.page.limits import DEFAULT
from tplcrawl.store.store import Store

FILE = ".reading"

_ROOM = DEFAULT.url + 1
"""Bytes of a URL; behind them stands what a fault leaves."""

logger = logging.getLogger(__name__)


class DeadlyPage(Exception):
    """A page that an earlier run has died of."""


class Vigil:
    """Notes each page before it is read, and knows those that killed a run. Costs two writes into
    the system's memory for a page."""

    def __init__(self, store: Store) -> None:
        self._path = store.folder / FILE
        known: list[str] = list(store.meta("deadly", []))  # type: ignore[call-overload]
        killer = self._killer()
        if killer is not None:
            logger.warning("The last run died while it read %s: that page is left out", killer)
            known.append(killer)
            store.set_meta("deadly", known)
            store.commit()
        self._deadly = frozenset(known)
        self._file: int | None = None
        self._ours = False

    def _killer(self) -> str | None:
        """The URL of the page that the last run died of, if it did."""
        try:
            left = self._path.read_bytes()
        except OSError:
            return None
        url = left[:_ROOM].rstrip(b"\0")
        return url.decode("utf-8", "replace") if url and left[_ROOM:] else None

    @contextmanager
    def over(self, url: str) -> Iterator[None]:
        """While the page of *url* is read; :exc:`DeadlyPage` if it must not be."""
        name = url.encode("utf-8", "replace")[:_ROOM]
        if name.decode("utf-8", "replace") in self._deadly:
            raise DeadlyPage
        self._note(name)
        try:
            yield
        finally:
            self._note(b"")

    def _note(self, name: bytes) -> None:
        """Write down what is read now. Where that cannot be, as on a full disk, the page is read
        all the same."""
        with suppress(OSError):
            file = self._file if self._file is not None else self._open()
            os.pwrite(file, name.ljust(_ROOM, b"\0"), 0)

    def _open(self) -> int:
        """Begin: a crawl that never comes to a page leaves nothing."""
        self._file = os.open(self._path, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o644)
        os.lseek(self._file, _ROOM, os.SEEK_SET)
        self._ours = not faulthandler.is_enabled()
        if self._ours:
            faulthandler.enable(self._file, all_threads=False)
        return self._file

    def close(self) -> None:
        """Nothing more is read."""
        if self._ours:
            faulthandler.disable()
        if self._file is not None:
            os.close(self._file)
        with suppress(OSError):
            self._path.unlink()
