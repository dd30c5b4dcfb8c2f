"""Pages in a directory of HTML files: a mirror, or files that somebody saved."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import quote
from zlib import crc32

from tplcrawl.batch.documents import LARGEST, NO_HTML, Document, Losses, encoding_of
from tplcrawl.errors import InputError

_PAGES = frozenset((".html", ".htm", ".xhtml", ".shtml"))
_HEAD = 2048


@dataclass(frozen=True, slots=True)
class FolderPart:
    """Some files of a folder: all that a worker is told of them.

    A file is a page by its name or by how it begins. Its URL is made of the folder's name and its
    path, so that links between files lead to each other.
    """

    folder: Path
    names: tuple[str, ...]
    stamp: int = 0
    """A hash of the files' sizes and times: another one where some have changed."""

    def documents(self, losses: Losses) -> Iterator[Document]:
        """The pages among them."""
        for path in (Path(self.folder, name) for name in self.names):
            try:
                if not stat.S_ISREG(path.stat().st_mode):
                    losses.add("no regular file")
                    continue
                with path.open("rb") as file:
                    head = file.read(_HEAD)
                    if not _is_page(path, head):
                        losses.add(NO_HTML if head.strip() else "empty file")
                        continue
                    body = head + file.read(LARGEST - _HEAD)
                    if file.read(1):
                        losses.add("file cut to 64 MiB")
            except OSError as error:
                losses.add(f"unreadable: {error.strerror}")
                continue
            target = quote(path.relative_to(self.folder).as_posix(), errors="surrogateescape")
            yield Document(folder_url(self.folder) + target, body, encoding_of(body))


def survey_folder(folder: Path, losses: Losses, size: int) -> Iterator[FolderPart]:
    """The parts of *size* files that *folder* falls into, in the order of the names."""
    names = (str(path.relative_to(folder)) for path in _files(folder, losses))
    while part := tuple(islice(names, size)):
        yield FolderPart(folder, part, _stamp(folder, part))


def _stamp(folder: Path, names: tuple[str, ...]) -> int:
    stamp = 0
    for name in names:
        with suppress(OSError):
            told = Path(folder, name).stat()
            stamp = crc32(f"{told.st_size} {told.st_mtime_ns} ".encode(), stamp)
    return stamp


def folder_url(folder: Path) -> str:
    """What the URLs of a folder's files begin with."""
    return f"http://{_host(folder)}/"


def _files(folder: Path, losses: Losses) -> Iterator[Path]:
    def lost(error: OSError) -> None:
        losses.add(f"unreadable: {error.strerror}")

    for root, folders, names in os.walk(folder, onerror=lost):
        for name in folders:
            # What it leads to is in the folder itself, or somewhere else.
            if os.path.islink(Path(root, name)):
                losses.add("link to a directory")
        hidden = sum(name.startswith(".") for name in (*folders, *names))
        if hidden:
            losses.add("hidden", hidden)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(root, name)


def _is_page(path: Path, head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if path.suffix.lower() in _PAGES:
        return bool(start)
    return start.startswith((b"<!doctype html", b"<html")) or b"<html" in start[:512]


def _host(folder: Path) -> str:
    """A folder's name as a host.

    >>> _host(Path("/data/My pages"))
    'my-pages'
    """
    name = folder.resolve().name.lower()
    kept = "".join(c if c.isascii() and (c.isalnum() or c in ".-") else "-" for c in name)
    return kept.strip(".-") or "pages"


def check_folder(folder: Path) -> None:
    """Say what is wrong with *folder* before it is read."""
    if not os.access(folder, os.R_OK | os.X_OK):
        raise InputError(f"cannot read the directory {folder}")
