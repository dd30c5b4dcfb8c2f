"""Which locations lead to which pages: the free teacher of every crawl."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

_FLUSH = 1 << 19
"""Links that are gathered before they are counted."""


@dataclass(frozen=True, slots=True)
class Inbound:
    """For each (page, location, in running text or not), how many pages link there so.

    Sorted by page. Links of a page to itself do not count.
    """

    pages: Ints
    """Ids or indices of the pages that are linked to."""
    locations: Ints
    """Ids of the general locations where the links stand."""
    prose: npt.NDArray[np.bool_]
    """Whether the links stand in running text."""
    counts: Ints
    """How many pages have such a link."""

    def of_pages(self, docids: Ints) -> Inbound:
        """The part that leads to the pages *docids*, ascending, which are numbered from 0."""
        at = np.searchsorted(docids, self.pages)
        at[at == len(docids)] = 0
        keep = docids[at] == self.pages if len(docids) else np.zeros(len(at), bool)
        return Inbound(at[keep], self.locations[keep], self.prose[keep], self.counts[keep])

    def locations_by_page(self, count: int) -> list[npt.NDArray[np.uint32]]:
        """For each of the pages 0 … *count* - 1, the set of locations that lead to it."""
        pairs = np.unique(np.stack((self.pages, self.locations), axis=1), axis=0)
        starts = np.searchsorted(pairs[:, 0], np.arange(count + 1))
        column = pairs[:, 1].astype(np.uint32)
        return [column[a:b] for a, b in zip(starts[:-1], starts[1:], strict=True)]


class InboundCounter:
    """Counts links as pages come in. Amortised O(log n) a link; 16 bytes for each distinct row."""

    def __init__(self) -> None:
        self._keys = np.empty((0, 2), np.int64)
        self._counts = np.empty(0, np.int64)
        self._pending: list[Ints] = []
        self._waiting = 0

    def add(
        self, source: int, targets: Ints, locations: Ints, prose: npt.NDArray[np.bool_]
    ) -> None:
        """Count the links of the page *source*, each distinct one once."""
        rows = np.stack((targets, locations * 2 + prose), axis=1).astype(np.int64)
        rows = rows[rows[:, 0] != source]
        if len(rows):
            self._pending.append(np.unique(rows, axis=0))
            self._waiting += len(rows)
            if self._waiting > _FLUSH:
                self._flush()

    def _flush(self) -> None:
        rows = np.concatenate((self._keys, *self._pending))
        old = len(self._keys)
        self._keys, inverse = np.unique(rows, axis=0, return_inverse=True)
        weights = np.ones(len(rows), np.int64)
        weights[:old] = self._counts
        counted = np.bincount(inverse.ravel(), weights, minlength=len(self._keys))
        self._counts = counted.astype(np.int64)
        self._pending, self._waiting = [], 0

    def result(self) -> Inbound:
        """All links so far."""
        if self._pending:
            self._flush()
        codes = self._keys[:, 1]
        return Inbound(self._keys[:, 0], codes >> 1, (codes & 1).astype(bool), self._counts)

    def locations_of(self, page: int) -> npt.NDArray[np.uint32]:
        """The locations that were known to lead to *page* when the links were last counted."""
        start, stop = np.searchsorted(self._keys[:, 0], (page, page + 1))
        return np.unique(self._keys[start:stop, 1] >> 1).astype(np.uint32)
