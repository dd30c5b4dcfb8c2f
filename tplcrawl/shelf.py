"""What a model needs of pages, where a store keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.sampling import spread
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline
from tplcrawl.store.redirects import ends
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.store import Store

SOURCES = 2000
"""Pages whose links tell which positions lead where."""


class StoreShelf:
    """What a model needs of pages, read from a store."""

    def __init__(self, store: Store) -> None:
        self._pages = store.pages
        self._database = store.database
        self._spots: tuple[int, Spots] | None = None

    def features(self, docid: int) -> Features:
        """What the default method compares of a page."""
        return Features.decode(self._pages.features(docid))

    def outline(self, docid: int) -> Outline:
        """A page's structure."""
        return self._pages.outline(docid)

    def ends(self) -> dict[int, int]:
        """Where the URLs led at last that were redirected."""
        return ends(self._database)

    def positions(self, docids: Sequence[int]) -> list[Hashes]:
        """For each of *docids*, the positional locations that lead to it from some of the pages,
        spread over the crawl: those of a menu show on any of them. They are read once for all
        hosts of an archive."""
        count = self._pages.assigned()
        if self._spots is None or self._spots[0] != count:
            sources = spread(self._pages.docids(), SOURCES)
            spots = Spots.of(self._pages.sightings(sources))
            self._spots = count, spots.moved(self.ends())
        return self._spots[1].leading_to(docids)


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the links of some pages stand, and where they lead: a column for each fact."""

    sources: npt.NDArray[np.int64]
    targets: Hashes
    spots: Hashes

    @classmethod
    def of(cls, sightings: Iterable[tuple[int, SightingTable]]) -> Spots:
        """Those of the pages whose *sightings* these are."""
        sources, targets, spots = [_NO_DOCIDS], [_NO_SPOTS], [_NO_SPOTS]
        pages = iter(sightings)
        while batch := list(islice(pages, 100)):
            links = SightingTable.joined([table for _, table in batch])
            sources.append(np.repeat([docid for docid, _ in batch], [len(t) for _, t in batch]))
            targets.append(links.targets)
            spots.append(links.spots())
        return cls(np.concatenate(sources), np.concatenate(targets), np.concatenate(spots))

    def moved(self, ends: Mapping[int, int]) -> Spots:
        """The same links, those to what led elsewhere as links to its end."""
        if not ends:
            return self
        targets, at = np.unique(self.targets, return_inverse=True)
        led = np.array([ends.get(target, target) for target in targets.tolist()], np.uint32)
        return Spots(self.sources, led[at], self.spots)

    def leading_to(self, docids: Sequence[int]) -> list[Hashes]:
        """For each of *docids*, the positional locations that lead to it from other pages."""
        wanted = np.array(docids, np.int64)
        order = np.argsort(wanted)
        at = np.searchsorted(wanted, self.targets, sorter=order)
        at[at == len(wanted)] = 0
        known = (wanted[order[at]] == self.targets) & (self.targets != self.sources)
        pairs = np.unique(order[at[known]] << 32 | self.spots[known])
        starts = np.searchsorted(pairs, np.arange(len(docids) + 1) << 32)
        column = (pairs & 0xFFFFFFFF).astype(np.uint32)
        return [column[a:b] for a, b in pairwise(starts)]


_NO_DOCIDS = np.empty(0, np.int64)
_NO_SPOTS = np.empty(0, np.uint32)
