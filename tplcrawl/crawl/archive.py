"""The pages of a crawl as a WARC archive (``TPLCRAWL_WARC``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from scrapy.http import Response

from tplcrawl.batch.volumes import WARC
from tplcrawl.batch.warc_records import info_record, response_record
from tplcrawl.errors import JobError, UsageError
from tplcrawl.store.store import Store

_END = "warc"


def keeper(path: Path | None, store: Store, *, durable: bool) -> Callable[[Response], None]:
    """What writes a response to the archive *path*; what does nothing where there is none."""
    if path is None:
        return lambda response: None
    if not path.name.lower().endswith(WARC[1]):
        raise UsageError(f"TPLCRAWL_WARC must be a name that ends in {WARC[1]}, not {path.name}")
    return Archive(path, store, durable=durable).add


class Archive:
    """Appends records to a file, and notes in the store, with the page itself, where it ends.

    What a kill has left behind the last page that was committed is cut off by the next run, which
    fetches those pages again: each page of the store is in the archive once. The file can be read
    at any time.
    """

    def __init__(self, path: Path, store: Store, *, durable: bool) -> None:
        self._path = path.absolute()
        self._store = store
        self._durable = durable
        written = dict(store.meta(_END, {}))  # type: ignore[call-overload]
        self._end: int = written.get(str(self._path), 0)
        try:
            size = path.stat().st_size if path.exists() else 0
            if size < self._end:
                raise JobError(f"{path} is shorter than this crawl has left it")
            if size and not self._end:
                raise JobError(f"{path} is there already, and not of this crawl")
            path.parent.mkdir(parents=True, exist_ok=True)
            if size > self._end:
                os.truncate(path, self._end)
            if not self._end:
                self._append(info_record("tplcrawl"))
                self._store.commit()
        except OSError as error:
            raise JobError(f"cannot write {path}: {error.strerror}") from None

    def add(self, response: Response) -> None:
        """Write *response*; it counts when the store is committed."""
        self._append(
            response_record(response.url, response.status, _headers(response), response.body)
        )

    def _append(self, record: bytes) -> None:
        with self._path.open("ab") as file:
            file.write(record)
            if self._durable:
                file.flush()
                os.fsync(file.fileno())
        self._end += len(record)
        written = dict(self._store.meta(_END, {}))  # type: ignore[call-overload]
        self._store.set_meta(_END, {**written, str(self._path): self._end})


def _headers(response: Response) -> Iterator[tuple[bytes, bytes]]:
    for name, values in response.headers.items():
        for value in values:
            yield name, value
