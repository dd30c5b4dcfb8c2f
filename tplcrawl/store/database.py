"""One SQLite file: opened, locked, checked, and written in transactions.

Write-ahead logging with ``synchronous=NORMAL`` survives the death of the process at any moment;
``FULL`` also a power cut. Reads see what the own transaction has written.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tplcrawl.errors import ForeignStore, StoreError, StoreLocked, VersionMismatch
from tplcrawl.store.schema import APPLICATION_ID, TABLES, VERSION

FILE, LOCK = "crawl.db", ".lock"


DAMAGE = (sqlite3.DatabaseError, zlib.error)
"""What reading a damaged database raises: its pages are compressed."""


def unusable(path: Path, error: Exception) -> str:
    """What to tell of a database that cannot be used, and what can be done."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    damaged = isinstance(error, zlib.error) or code in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    )
    hint = f"; see tplcrawl repair {path.parent}" if damaged else ""
    return f"cannot use {path}: {error}{hint}"


class Database:
    """The database of one crawl. Without *write*, it is opened as it is and never changed. A
    *passing* one is of no use to anybody when the process dies, and saves itself the care."""

    def __init__(
        self, folder: Path, *, write: bool = True, durable: bool = False, passing: bool = False
    ) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._lock: int | None = None
        self._begun: float | None = None
        self._checked = False
        self._made: list[Path] = []
        try:
            if write:
                self._made = [path for path in (folder, *folder.parents) if not path.exists()]
                folder.mkdir(parents=True, exist_ok=True)
                self._take_lock()
            elif not self.path.is_file():
                raise StoreError(f"no crawl in {folder}: it has no {FILE}")
            self._connect(write, durable, passing)
        except OSError as error:
            self.close()
            raise StoreError(f"cannot use the directory {folder}: {error.strerror}") from error
        except sqlite3.Error as error:
            self.close()
            raise StoreError(unusable(self.path, error)) from error
        except StoreError:
            self.close()
            raise

    def _take_lock(self) -> None:
        lock = os.open(self.folder / LOCK, os.O_CREAT | os.O_RDWR, 0o644)
        self._lock = lock
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreLocked(f"another crawl is writing to {self.folder}") from None

    def _connect(self, write: bool, durable: bool, passing: bool) -> None:
        journal = "MEMORY" if passing else "WAL"
        mode = "rwc" if write else "ro"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        self._db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
        self._db.execute("PRAGMA trusted_schema = OFF")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        application = self._db.execute("PRAGMA application_id").fetchone()[0]
        if write and not version and not self._tables():
            self._db.execute("PRAGMA page_size = 8192")
            self._db.execute(f"PRAGMA journal_mode = {journal}")
            self._db.executescript(
                f"BEGIN; {TABLES} PRAGMA application_id = {APPLICATION_ID};"
                f" PRAGMA user_version = {VERSION}; COMMIT;"
            )
        elif application != APPLICATION_ID:
            raise ForeignStore(f"{self.path} is not a tplcrawl database")
        elif version != VERSION:
            raise VersionMismatch(
                f"{self.path} is of version {version}; this tplcrawl reads version {VERSION}"
            )
        self._checked = True
        self._opened = self._file()
        if write:
            self._db.execute(f"PRAGMA journal_mode = {journal}")
            care = "OFF" if passing else "FULL" if durable else "NORMAL"
            self._db.execute(f"PRAGMA synchronous = {care}")
            self._db.execute("PRAGMA cache_size = -65536")

    def _tables(self) -> int:
        count: int = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        return count

    def rows(self, sql: str, parameters: Iterable[Any] = ()) -> sqlite3.Cursor:
        """The rows that a query gives."""
        return self._db.execute(sql, tuple(parameters))

    def value(self, sql: str, parameters: Iterable[Any] = ()) -> Any:
        """The first column of the first row, or ``None``."""
        row = self._db.execute(sql, tuple(parameters)).fetchone()
        return row[0] if row else None

    def write(self, sql: str, parameters: Iterable[Any] = ()) -> None:
        """Write inside the running transaction, which is begun where there is none."""
        self._begin()
        self._db.execute(sql, tuple(parameters))

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write many rows inside the running transaction."""
        self._begin()
        self._db.executemany(sql, rows)

    def _begin(self) -> None:
        if self._begun is None:
            self._db.execute("BEGIN IMMEDIATE")
            self._begun = time.monotonic()
        elif not self._db.in_transaction:
            # SQLite rolls back by itself where a disk is full. What is written now would last
            # without what it belongs to.
            raise sqlite3.OperationalError("what was written has been rolled back")

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written inside is written whole or, if the block raises, not at all."""
        self.write("SAVEPOINT together")
        try:
            yield
        except BaseException:
            self.write("ROLLBACK TO together")
            raise
        finally:
            self.write("RELEASE together")

    @property
    def writes(self) -> bool:
        """Whether it is open for writing."""
        return self._lock is not None

    @property
    def busy(self) -> bool:
        """Whether a crawl has it open for writing, in whatever process."""
        try:
            lock = os.open(self.folder / LOCK, os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(lock)
        return False

    @property
    def age(self) -> float:
        """Seconds since the running transaction was begun; 0 without one."""
        return 0.0 if self._begun is None else time.monotonic() - self._begun

    def check(self) -> None:
        """Raise :exc:`sqlite3.Error` if the file is no more where it was: SQLite would go on and
        write what nobody can open again."""
        if self.writes and self._file() != self._opened:
            raise sqlite3.OperationalError("the file was taken away")

    def _file(self) -> tuple[int, int] | None:
        """Which file is at the path, if any."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def commit(self) -> None:
        """Make everything written so far last."""
        if self._begun is not None:
            self.check()
            if not self._db.in_transaction:
                # SQLite has done so where it could not write; whoever closes it asks again.
                raise sqlite3.OperationalError("what was written was taken back: no room for it?")
            self._db.execute("COMMIT")
            self._begun = None

    def hold(self) -> None:
        """Let all that is read until it is closed belong to one moment, whoever writes meanwhile:
        for a reader."""
        self._db.execute("BEGIN")

    def copy_to(self, other: Database) -> None:
        """Make *other* the same as this one."""
        self._db.backup(other._db)

    def close(self) -> None:
        """Commit and let go of the file. Does nothing the second time."""
        if hasattr(self, "_db"):
            try:
                self.commit()
                if self.writes and self._checked:
                    # One plain file, which can be read where nothing may be written. A reader
                    # that has it open just now keeps the log alive.
                    with suppress(sqlite3.Error):
                        self._db.execute("PRAGMA journal_mode = DELETE")
            finally:
                self._db.close()
                del self._db
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def abandon(self) -> None:
        """Let go of the file as it was last committed: it can no longer be written."""
        with suppress(sqlite3.Error):
            self._db.execute("ROLLBACK")
        self._begun = None
        self.close()

    def discard(self) -> None:
        """Close, and take away the file and whatever folders this run has made for it."""
        self.close()
        for path in (self.path, self.folder / LOCK):
            path.unlink(missing_ok=True)
        for made in self._made:
            with suppress(OSError):
                made.rmdir()
