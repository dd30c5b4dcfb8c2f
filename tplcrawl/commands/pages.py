"""Pages that are named on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

from tplcrawl.errors import InputError
from tplcrawl.page.urls import normal_url
from tplcrawl.store.store import Store


def docid_of(store: Store, name: str) -> int | None:
    """The page of the crawl that *name* is the URL of."""
    try:
        url = normal_url(name) if "://" in name else None
    except ValueError:
        url = None
    docid = store.urls.known([url]).get(url) if url else None
    return docid if docid is not None and store.pages.has(docid) else None


def body_of(name: str) -> bytes:
    """What is in the file *name*, or comes on standard input."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        if "://" in name:
            raise InputError(f"{name} is no page of the crawl") from None
        raise InputError(f"cannot read {name}: {error.strerror}") from None


def is_folder(path: Path) -> bool:
    """Whether *path* is a directory; what is too long for a name is none."""
    try:
        return path.is_dir()
    except OSError:
        return False
