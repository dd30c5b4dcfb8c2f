"""The index of a crawl's pages by likeness, kept in step with its store."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tplcrawl.batch.aside import INDEX
from tplcrawl.clustering.sampling import spread
from tplcrawl.errors import JobError
from tplcrawl.fingerprints.branches import Branches, branches
from tplcrawl.similarity.branch_index import cosine
from tplcrawl.similarity.stored_index import StoredIndex, damaged, open_index, write_index
from tplcrawl.store.store import Store

_EXACT = 1e-6
"""By which the same cosine may differ when it is computed in another way."""

_PROBES = 8
"""Pages of an index that are looked up in the store, to see that it is of these very pages."""

Progress = Callable[[int, int], None]
"""Told how many pages of how many have been read."""


def index_of(store: Store, progress: Progress = lambda done, all_: None) -> StoredIndex:
    """The index of all pages in *store*: as it is in the crawl's directory, or written there first.

    Pages that have come since are added. An index of other pages, or made in another way, is made
    anew. Of several processes that ask at once, one writes and the others wait.
    """
    with _alone(store.folder):
        index = open_index(store.folder / INDEX)
        if index is not None and not _is_of(index, store):
            index = None
        if index is not None and len(index) == store.pages.assigned():
            return index
        known = set() if index is None else set(index.docids.tolist())
        fresh = [docid for docid in store.pages.docids() if docid not in known]
        try:
            return _written(store, fresh, index, progress)
        except OSError as error:
            raise JobError(f"cannot write to {store.folder}: {error.strerror}") from None


def nearest_in(
    store: Store, index: StoredIndex, page: Branches, most: int
) -> list[tuple[int, float]]:
    """The docids of the *most* pages most like *page*, with their cosines, which are those of the
    store: an index that says something else is damaged."""
    found = index.nearest(page, most)
    for docid, told in found:
        known = store.pages.has(docid)
        if not known or abs(cosine(page, branches_in(store, docid)) - told) > _EXACT:
            raise damaged(index.folder)
    return found


def branches_in(store: Store, docid: int) -> Branches:
    """The branches of a page of the crawl."""
    return branches(store.pages.outline(docid))


def _is_of(index: StoredIndex, store: Store) -> bool:
    rows = spread(range(len(index)), _PROBES)
    known = all(
        store.pages.has(docid) and branches_in(store, docid).key == index.branches(row).key
        for row, docid in zip(rows, index.docids[rows].tolist(), strict=True)
    )
    return known and (not len(index) or index.finds(int(index.docids.argmin())))


def _written(
    store: Store, docids: Sequence[int], known: StoredIndex | None, progress: Progress
) -> StoredIndex:
    def pages() -> Iterator[tuple[int, Branches]]:
        for done, docid in enumerate(docids, 1):
            yield docid, branches_in(store, docid)
            progress(done, len(docids))

    target = store.folder / INDEX
    aside = store.folder / f".{INDEX}"
    shutil.rmtree(aside, ignore_errors=True)
    try:
        aside.mkdir()
        write_index(aside, pages(), known)
        shutil.rmtree(target, ignore_errors=True)
        aside.replace(target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    index = open_index(target)
    assert index is not None
    return index


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
