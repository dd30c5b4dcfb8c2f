"""A directory beside a result, where it is made; it takes the result's place when it is whole."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tplcrawl.errors import JobError, StoreLocked, WorkerDied
from tplcrawl.store.database import FILE

MADE_HERE = "clustered"
"""The fact about a store that tells it from that of a crawl."""

INDEX = "index"
"""The folder of the index of a result's pages, which is out of date when there is a new one."""

RESULT = (
    "pages.jsonl", "templates.json", "coverage.json", "skipped.jsonl", "report.html", "samples",
    "streams", "tables", INDEX, "wrappers", "records",
)  # fmt: skip
"""What may be of a result besides its store. A new one has templates of its own: nothing of the old
one fits it."""

_PREFIX = ".part-"


@contextmanager
def aside(folder: Path, job: str | None = None) -> Iterator[Path]:
    """A directory in *folder*, whose entries take the place of those there if all goes well.

    It has the name of the *job*: where a run was killed or interrupted, what it left is there
    again. What another job left is taken away, or all that is left, where the job has no name.
    After an error nothing stays.
    """
    folder = folder.resolve()
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise JobError(f"cannot use the directory {folder}: {error.strerror}") from None
    try:
        _lock(lock, folder)
        made = folder / f"{_PREFIX}{job or 'result'}"
        for other in sorted(folder.glob(f"{_PREFIX}*")):
            if other != made or job is None:
                shutil.rmtree(other)
        made.mkdir(exist_ok=True)
        try:
            yield made
        except BaseException as error:
            if job is None or not isinstance(error, KeyboardInterrupt | WorkerDied):
                shutil.rmtree(made)
            raise
        _swap(made, folder)
    finally:
        os.close(lock)
        for path in new:
            with suppress(OSError):
                path.rmdir()


def _swap(made: Path, folder: Path) -> None:
    """Let the entries of *made* take the place of an earlier result: first the store, by which a
    result is known as one if the process dies meanwhile."""
    entries = sorted(made.iterdir(), key=lambda entry: (entry.name != FILE, entry.name))
    for entry in entries:
        if (folder / entry.name).is_dir():
            shutil.rmtree(folder / entry.name)
        entry.replace(folder / entry.name)
    for name in set(RESULT) - {entry.name for entry in entries}:
        old = folder / name
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink(missing_ok=True)
    made.rmdir()


def _lock(lock: int, folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreLocked(f"another process is writing to {folder}") from None
