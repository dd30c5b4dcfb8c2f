"""Which locations lead to which pages: the free teacher of every crawl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

_LOCATION = (1 << 23) - 1
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

    def moved(self, ends: Mapping[int, int]) -> Inbound:
        """The same links, those to what led elsewhere as links to its end: where all links lack a
        slash, each leads to another page by a redirect only. A page that links to two URLs of one
        other in one place counts twice."""
        if not ends:
            return self
        asked = np.array(sorted(ends), np.int64)
        led = np.array([ends[page] for page in asked.tolist()], np.int64)
        at = np.minimum(asked.searchsorted(self.pages), len(asked) - 1)
        pages = np.where(asked[at] == self.pages, led[at], self.pages)
        rows, inverse = np.unique(_rows(pages, self.locations, self.prose), return_inverse=True)
        counts = np.bincount(inverse, self.counts, minlength=len(rows)).astype(np.int64)
        return _of_rows(rows, counts)

    def locations_by_page(self, count: int) -> list[npt.NDArray[np.uint32]]:
        """For each of the pages 0 … *count* - 1, the set of locations that lead to it."""
        pairs = self.pages << 32 | self.locations
        pairs.sort(kind="stable")  # a pass through what is in order, or nearly so
        pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])] if len(pairs) else pairs
        starts = np.searchsorted(pairs, np.arange(count + 1) << 32).tolist()
        column = (pairs & 0xFFFFFFFF).astype(np.uint32)
        return [column[a:b] for a, b in pairwise(starts)]


class InboundCounter:
    """Counts links as pages come in. Amortised O(log n) a link; 16 bytes for each distinct row.

    A row is one number: the page's id, 23 bits of the location's, a bit for prose.
    """

    def __init__(self) -> None:
        self._rows = np.empty(0, np.int64)
        self._counts = np.empty(0, np.int64)
        self._pending: list[Ints] = []
        self._waiting = 0

    def add(
        self,
        source: int,
        targets: npt.NDArray[np.integer[Any]],
        locations: npt.NDArray[np.integer[Any]],
        prose: npt.NDArray[np.bool_],
    ) -> None:
        """Count the links of the page *source*, each distinct one once."""
        rows = _rows(targets.astype(np.int64), locations.astype(np.int64), prose)
        rows = np.unique(rows[targets != source])
        if len(rows):
            self._pending.append(rows)
            self._waiting += len(rows)
            if self._waiting > _FLUSH:
                self._flush()

    def begin_with(self, links: Inbound) -> None:
        """Count *links* to pages of an earlier crawl, before all others."""
        rows = _rows(links.pages, links.locations, links.prose)
        order = np.argsort(rows)
        self._rows, self._counts = rows[order], links.counts[order]

    def _flush(self) -> None:
        rows = np.concatenate((self._rows, *self._pending))
        weights = np.ones(len(rows), np.int64)
        weights[: len(self._counts)] = self._counts
        self._rows, inverse = np.unique(rows, return_inverse=True)
        counted = np.bincount(inverse, weights, minlength=len(self._rows))
        self._counts = counted.astype(np.int64)
        self._pending, self._waiting = [], 0

    def result(self) -> Inbound:
        """All links so far."""
        if self._pending:
            self._flush()
        return _of_rows(self._rows, self._counts)

    def widely(self, pages: int) -> list[int]:
        """What more than half of as many *pages* link to from one location, ascending: of this
        crawl, not of an earlier one."""
        links = self.result()
        found = (2 * links.counts > pages) & (links.pages > 0)
        wide: list[int] = np.unique(links.pages[found]).tolist()
        return wide

    def locations_of(self, page: int) -> npt.NDArray[np.uint32]:
        """The locations that were known to lead to *page* when the links were last counted."""
        start, stop = self._rows.searchsorted(np.array((page << 24, page + 1 << 24)))
        found = (self._rows[start:stop] >> 1 & _LOCATION).astype(np.uint32)
        return found if len(found) < 2 else found[np.append(True, found[1:] != found[:-1])]


def _rows(pages: Ints, locations: Ints, prose: npt.NDArray[np.bool_]) -> Ints:
    """Links as one number each, in the order of their pages."""
    rows: Ints = pages << 24 | locations << 1 | prose
    return rows


def _of_rows(rows: Ints, counts: Ints) -> Inbound:
    return Inbound(rows >> 24, rows >> 1 & _LOCATION, (rows & 1).astype(bool), counts)
