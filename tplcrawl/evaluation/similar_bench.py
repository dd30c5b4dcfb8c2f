"""The cost of an index of similar pages, of as many made-up pages as one likes, and what it finds
of what an exhaustive search finds."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tplcrawl.fingerprints.branches import Branches
from tplcrawl.similarity.branch_index import BranchTable
from tplcrawl.similarity.stored_index import StoredIndex, open_index, write_index

TEMPLATES = 30
SEARCHED = 20_000
"""Pages that are searched exhaustively at the most."""
_FIXED, _LISTS, _OWN = 70, 8, 5
_MOST = 10


def made_pages(count: int, seed: int = 0) -> Iterator[tuple[int, Branches]]:
    """*count* pages of :data:`TEMPLATES` templates: each has the branches of its template, lists of
    any length among them, and a few of its own."""
    chance = np.random.default_rng(seed)
    fixed = chance.integers(0, 1 << 32, (TEMPLATES, _FIXED), np.uint32)
    usual = chance.integers(1, 12, (TEMPLATES, _FIXED))
    lists = chance.integers(0, _LISTS, (TEMPLATES, _FIXED))
    for page in range(count):
        template = int(chance.integers(TEMPLATES))
        lengths = chance.integers(0, 20, _LISTS)
        lengths[: _LISTS // 2] = 0
        own = chance.integers(0, 1 << 32, _OWN, np.uint32)
        hashes, first = np.unique(np.concatenate((fixed[template], own)), return_index=True)
        counts = np.concatenate((usual[template] + lengths[lists[template]], np.ones(_OWN, int)))
        yield page + 1, Branches(hashes, counts[first].astype(np.int64))


def index_measures(folder: Path, count: int, queries: int = 50) -> dict[str, Any]:
    """Build an index of *count* pages in *folder*, and ask it."""
    spent = _Making()
    began = time.process_time()
    (folder / "all").mkdir()
    write_index(folder / "all", spent.timed(made_pages(count)))
    building = time.process_time() - began - spent.seconds
    asked = [page for _, page in made_pages(min(count, queries))]
    cold = _cold(folder / "all", asked[0])
    index = _opened(folder / "all")
    times = [_asked(index, page) for page in asked * 2][len(asked) :]
    size = sum(file.stat().st_size for file in (folder / "all").iterdir())
    return {
        "pages": count,
        "built_per_cpu_s": round(count / max(building, 1e-9)),
        "bytes_per_page": round(size / count),
        "cold_ms": round(cold * 1000, 1),
        "warm_ms": round(float(np.median(times)) * 1000, 1),
        "recall_at_10": round(_recall(folder / "some", min(count, SEARCHED), queries), 4),
    }


class _Making:
    """Knows how long pages took to make, which is no part of building."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, pages: Iterator[tuple[int, Branches]]) -> Iterator[tuple[int, Branches]]:
        while True:
            began = time.process_time()
            page = next(pages, None)
            self.seconds += time.process_time() - began
            if page is None:
                return
            yield page


def _recall(folder: Path, count: int, queries: int) -> float:
    """The share of the ten best by exhaustive search that the index finds; pages as good as the
    tenth count too."""
    pages = list(made_pages(count))
    folder.mkdir()
    write_index(folder, iter(pages))
    index = _opened(folder)
    table, everything = BranchTable.of([page for _, page in pages]), np.arange(count)
    shares = []
    for at in range(0, count, max(count // queries, 1)):
        cosines = table.cosines(pages[at][1], everything)
        tenth = np.sort(cosines)[-min(_MOST, count)]
        found = [cosines[docid - 1] for docid, _ in index.nearest(pages[at][1], _MOST)]
        shares.append(sum(cosine >= tenth - 1e-9 for cosine in found) / min(_MOST, count))
    return float(np.mean(shares))


def _cold(folder: Path, page: Branches) -> float:
    """The first query of an index of which nothing is in memory."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    began = time.monotonic()
    _opened(folder).nearest(page, _MOST)
    return time.monotonic() - began


def _asked(index: StoredIndex, page: Branches) -> float:
    began = time.monotonic()
    index.nearest(page, _MOST)
    return time.monotonic() - began


def _opened(folder: Path) -> StoredIndex:
    index = open_index(folder)
    assert index is not None
    return index
