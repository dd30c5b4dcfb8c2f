"""Pages like this one, among millions: an index of binary branches on disk (paper 003, section 3).

The files are mapped into memory, so a query reads only what it needs. As in
:mod:`~tplcrawl.similarity.branch_index`, pages that agree in a band of their MinHash signatures are
candidates, ranked by the cosine of their counts. But the bucket of a large template may hold every
other page; so within a band, pages are ordered by a sketch of their counts as well (Charikar 2002:
SimHash), and only the :data:`NEAR` neighbours on either side are compared.
"""

from __future__ import annotations

import json
import mmap
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from tplcrawl.errors import StoreError
from tplcrawl.fingerprints.branches import Branches
from tplcrawl.fingerprints.tree import Ints
from tplcrawl.similarity.branch_index import BranchTable
from tplcrawl.similarity.minhash import Keys, band_keys, signatures

BANDS = 16
ROWS = 2
"""Pages agree in a band from a Jaccard coefficient of about a quarter: (1/16)^(1/2). Buckets may be
large, since the sketch says which part of one is read."""

NEAR = 384
"""Neighbours of a page on either side, in each band, that are candidates."""

COMPARED = 1024
"""Candidates whose counts are compared: those whose sketches differ least."""

SCHEME = {"hashes": "affine32", "bands": BANDS, "rows": ROWS, "sketch": "splitmix64"}
"""How the files were made: others are not read."""

_META = "index.json"
_COLUMNS = {
    "docids": np.uint32,
    "hashes": np.uint32,
    "counts": np.uint32,
    "starts": np.int64,
    "norms": np.int64,
    "sketches": np.uint64,
    "marks": np.uint64,
    "rows": np.uint32,
}
_BLOCK = 4096
"""Pages that are added at once: bounds the memory."""
_BITS = (
    np.unpackbits(np.arange(1 << 16, dtype=np.uint16).view(np.uint8)).reshape(-1, 16).sum(axis=1)
)
"""How many bits of each 16-bit word are set."""
_ODD = np.uint64(0x9E3779B97F4A7C15)


class StoredIndex:
    """The index in one directory, as it is there.

    A query takes O(bands · (log pages + NEAR)) and the cosines of :data:`COMPARED` candidates,
    however many pages there are; their branches are all that is read of the pages.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self._columns = {name: _mapped(folder / name, kind) for name, kind in _COLUMNS.items()}
        except (OSError, ValueError):
            raise damaged(folder) from None
        if not _fit(self._columns):
            raise damaged(folder)
        self.docids: npt.NDArray[np.uint32] = self._columns["docids"]
        """The pages that are in it, in the order in which they came."""
        table = (self._columns[name] for name in ("hashes", "counts", "starts", "norms"))
        self._table = BranchTable(*table)
        self._marks = self._columns["marks"].reshape(BANDS, len(self.docids))
        self._rows = self._columns["rows"].reshape(BANDS, len(self.docids))

    def __len__(self) -> int:
        return len(self.docids)

    def branches(self, row: int) -> Branches:
        """The branches of a page, by its place in :attr:`docids`."""
        start, end = self._table.starts[row : row + 2]
        return Branches(self._table.hashes[start:end], self._table.counts[start:end].astype(int))

    def finds(self, row: int) -> bool:
        """Whether a page, by its place in :attr:`docids`, stands in every band where it is looked
        for. It has the lowest of all docids, so it is the first of its equals."""
        page = self.branches(row)
        own = _marks([page], _sketches([page]))[:, 0]
        for mark, marks, rows in zip(own, self._marks, self._rows, strict=True):
            at = int(np.searchsorted(marks, mark))
            if at == len(rows) or rows[at] != row:
                return False
        return True

    def nearest(self, page: Branches, most: int = 10) -> list[tuple[int, float]]:
        """The docids of the *most* pages most like *page*, with their cosines; of equals, those
        with the lowest docids."""
        among = self._candidates(page)
        if not self._has(among):
            raise damaged(self.folder)
        cosines = self._table.cosines(page, among)
        docids = self.docids[among]
        best = np.lexsort((docids, -cosines))[:most]
        return list(zip(docids[best].tolist(), cosines[best].tolist(), strict=True))

    def _has(self, rows: Ints) -> bool:
        """Whether *rows* are pages of the index, and where their branches stand is in it too."""
        if not len(rows):
            return True
        if rows[-1] >= len(self.docids):
            return False
        starts, ends = self._table.starts[rows], self._table.starts[rows + 1]
        inside = (starts >= 0) & (starts <= ends) & (ends <= len(self._table.hashes))
        return bool((inside & (self._table.norms[rows] >= 0)).all())

    def _candidates(self, page: Branches) -> Ints:
        found = [np.empty(0, np.uint32)]
        sketches = _sketches([page])
        own = _marks([page], sketches)[:, 0]
        for mark, marks, rows in zip(own, self._marks, self._rows, strict=True):
            low = mark & np.uint64(0xFFFFFFFF00000000)
            start = int(np.searchsorted(marks, low))
            end = int(np.searchsorted(marks, low | np.uint64(0xFFFFFFFF), "right"))
            at = int(np.searchsorted(marks[start:end], mark)) + start
            found.append(rows[max(start, at - NEAR) : min(end, at + NEAR)])
        among = np.unique(np.concatenate(found)).astype(np.int64)
        if len(among) > COMPARED:
            apart = _ones(self._columns["sketches"][among] ^ sketches)
            among = among[np.lexsort((self.docids[among], apart))[:COMPARED]]
        return among


def open_index(folder: Path) -> StoredIndex | None:
    """The index in *folder*; ``None`` where there is none that was made in this way. One that is
    damaged is told, as far as that can be seen without reading all of it."""
    try:
        known = json.loads((folder / _META).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return StoredIndex(folder) if known == SCHEME else None


def damaged(folder: Path) -> StoreError:
    """What to tell of an index that is not as it was written."""
    return StoreError(f"the index {folder} is damaged: delete it, and it is made anew")


def _fit(columns: Mapping[str, Any]) -> bool:
    """Whether the columns are as long as one page count and one branch count make them."""
    sizes = {name: len(column) for name, column in columns.items()}
    pages, starts = sizes["docids"], columns["starts"]
    return (
        sizes["starts"] == pages + 1
        and sizes["norms"] == sizes["sketches"] == pages
        and sizes["marks"] == sizes["rows"] == BANDS * pages
        and sizes["hashes"] == sizes["counts"] == starts[-1]
    )


def write_index(
    folder: Path, pages: Iterable[tuple[int, Branches]], known: StoredIndex | None = None
) -> None:
    """Write to the empty *folder* an index of all that *known* has, and of *pages* by docid.

    Memory: some 20 bytes a page for each band. Disk: eight bytes for each distinct branch of a
    page, and 12 a band.
    """
    columns = {name: np.empty(0, kind) for name, kind in _COLUMNS.items()}
    columns["starts"] = np.zeros(1, np.int64)
    if known is not None:
        columns = dict(known._columns)
    files = {name: (folder / name).open("wb") for name in _COLUMNS}
    try:
        for name in ("docids", "hashes", "counts", "starts", "norms", "sketches"):
            if known is None:
                columns[name].tofile(files[name])
            else:
                with (known.folder / name).open("rb") as old:
                    shutil.copyfileobj(old, files[name], 1 << 20)
        end = int(columns["starts"][-1])
        docids, marks = [columns["docids"]], [np.empty((BANDS, 0), np.uint64)]
        for block in _blocks(pages):
            table = BranchTable.of([branches for _, branches in block])
            docids.append(np.array([docid for docid, _ in block], np.uint32))
            sketches = _sketches([branches for _, branches in block])
            marks.append(_marks([branches for _, branches in block], sketches))
            docids[-1].tofile(files["docids"])
            table.hashes.tofile(files["hashes"])
            table.counts.astype(np.uint32).tofile(files["counts"])
            (table.starts[1:] + end).tofile(files["starts"])
            table.norms.tofile(files["norms"])
            sketches.tofile(files["sketches"])
            end += int(table.starts[-1])
        _write_bands(files, columns, np.concatenate(docids), np.concatenate(marks, axis=1))
    finally:
        for file in files.values():
            file.close()
    (folder / _META).write_text(json.dumps(SCHEME), encoding="utf-8")


def _write_bands(
    files: Mapping[str, IO[bytes]], columns: Mapping[str, Any], docids: Any, fresh: Keys
) -> None:
    """Sort the pages in each band: by mark, equals by docid, in whatever order they came."""
    old = len(columns["docids"])
    added = np.arange(old, len(docids), dtype=np.uint32)
    known = columns["marks"].reshape(BANDS, old), columns["rows"].reshape(BANDS, old)
    for known_marks, known_rows, fresh_marks in zip(*known, fresh, strict=True):
        marks = np.concatenate((known_marks, fresh_marks))
        rows = np.concatenate((known_rows, added))
        order = np.lexsort((docids[rows], marks))
        marks[order].tofile(files["marks"])
        rows[order].tofile(files["rows"])


def _marks(pages: Sequence[Branches], sketches: Keys) -> Keys:
    """For each band, a row of what pages are ordered by: the key of the band, then half of a
    page's sketch, another half in each band."""
    keys = band_keys(signatures([page.hashes for page in pages], BANDS * ROWS), BANDS, ROWS).T
    turns = np.arange(BANDS, dtype=np.uint64)[:, None] * np.uint64(64 // BANDS)
    turned = sketches << turns | sketches >> (np.uint64(64) - turns) % np.uint64(64)
    marks: Keys = keys >> np.uint64(32) << np.uint64(32) | turned >> np.uint64(32)
    return marks


def _sketches(pages: Sequence[Branches]) -> Keys:
    """64 bits of each page: two pages differ in a share of them that is the angle between their
    counts, in half-turns."""
    lengths = np.fromiter((len(page.hashes) for page in pages), np.int64, len(pages))
    filled = np.flatnonzero(lengths)
    found = np.zeros(len(pages), np.uint64)
    if len(filled):
        hashes = np.concatenate([pages[i].hashes for i in filled.tolist()])
        counts = np.concatenate([pages[i].counts for i in filled.tolist()])
        words = _spread(hashes).view(np.uint8).reshape(-1, 8)
        sides = np.where(np.unpackbits(words, axis=1), counts[:, None], -counts[:, None])
        sums = np.add.reduceat(sides, np.cumsum(lengths[filled]) - lengths[filled])
        found[filled] = np.packbits(sums > 0, axis=1).view("<u8").ravel()
    return found


def _ones(words: Keys) -> Ints:
    """How many bits of each word are set."""
    bits: Ints = _BITS[words.view(np.uint16)].reshape(len(words), 4).sum(axis=1, dtype=np.int64)
    return bits


def _spread(hashes: npt.NDArray[np.uint32]) -> Keys:
    """64 bits for each hash, each bit as good as a coin (the finalizer of SplitMix64)."""
    words = hashes.astype("<u8") * _ODD
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words ^= words >> np.uint64(shift)
        words *= np.uint64(factor)
    words ^= words >> np.uint64(31)
    return words


def _blocks(pages: Iterable[tuple[int, Branches]]) -> Iterator[list[tuple[int, Branches]]]:
    rest = iter(pages)
    while block := list(islice(rest, _BLOCK)):
        yield block


def _mapped(path: Path, kind: Any) -> Any:
    """A file as one column; nothing can be mapped of an empty file."""
    if not path.stat().st_size:
        return np.empty(0, kind)
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    # What stands beside what a query needs would be read in vain.
    content.madvise(mmap.MADV_RANDOM)
    return np.frombuffer(content, kind)
