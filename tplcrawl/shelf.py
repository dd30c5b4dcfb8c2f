"""What a model needs of pages, where a store keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

import numpy as np

from tplcrawl.clustering.sampling import spread
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.store import Store

SOURCES = 2000
"""Pages whose links tell which positions lead where."""


class StoreShelf:
    """What a model needs of pages, read from a store."""

    def __init__(self, store: Store) -> None:
        self._pages = store.pages

    def features(self, docid: int) -> Features:
        """What the default method compares of a page."""
        return Features.decode(self._pages.features(docid))

    def outline(self, docid: int) -> Outline:
        """A page's structure."""
        return self._pages.outline(docid)

    def positions(self, docids: Sequence[int]) -> list[Hashes]:
        """For each of *docids*, the positional locations that lead to it from some of the pages,
        spread over the crawl: those of a menu show on any of them."""
        return positions_in(self._pages.sightings(spread(self._pages.docids(), SOURCES)), docids)


def positions_in(
    sightings: Iterable[tuple[int, SightingTable]], docids: Sequence[int]
) -> list[Hashes]:
    """For each of *docids*, the positional locations that lead to it from the pages whose
    *sightings* these are."""
    wanted = np.array(docids, np.int64)
    order = np.argsort(wanted)
    rows, spots = [np.empty(0, np.int64)], [np.empty(0, np.uint32)]
    pages = iter(sightings)
    while batch := list(islice(pages, 100)):
        links = SightingTable.joined([table for _, table in batch])
        sources = np.repeat([docid for docid, _ in batch], [len(table) for _, table in batch])
        at = np.searchsorted(wanted, links.targets, sorter=order)
        at[at == len(wanted)] = 0
        known = (wanted[order[at]] == links.targets) & (links.targets != sources)
        rows.append(order[at[known]])
        spots.append(links.spots()[known])
    pairs = np.unique(np.concatenate(rows) << 32 | np.concatenate(spots))
    starts = np.searchsorted(pairs, np.arange(len(docids) + 1) << 32)
    column = (pairs & 0xFFFFFFFF).astype(np.uint32)
    return [column[a:b] for a, b in pairwise(starts)]
