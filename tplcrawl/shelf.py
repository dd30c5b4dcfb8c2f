"""What a model needs of pages, where a store keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice, pairwise

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.pages import Stands
from tplcrawl.clustering.places import rows_of_lists
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
        self._count = 0
        self._spots = Spots.of(())
        self._asked: dict[int, list[int]] = {}

    def features(self, docid: int) -> Features:
        """What the default method compares of a page."""
        return Features.decode(self._pages.features(docid))

    def outline(self, docid: int) -> Outline:
        """A page's structure."""
        return self._pages.outline(docid)

    def ends(self) -> dict[int, int]:
        """Where the URLs led at last that were redirected."""
        return ends(self._database)

    def stands(self, docids: Sequence[int]) -> Stands:
        """Where links to each of *docids* stand on some of the pages, spread over the crawl: those
        of a menu show on any of them. No page is read twice while it is one of those, and none for
        another host of an archive."""
        count = self._pages.assigned()
        if count != self._count:
            sources = np.array(spread(self._pages.docids(), SOURCES), np.int64)
            kept = self._spots.on(sources)
            new = sources[~np.isin(sources, kept.pages)]
            self._spots = kept.and_those(Spots.of(self._pages.sightings(new.tolist())))
            self._asked = {}
            for asked, end in self.ends().items():
                self._asked.setdefault(end, []).append(asked)
            self._count = count
        return self._spots.leading_to(docids, self._asked)


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the links of some pages stand, and where they lead: a column for each fact."""

    pages: npt.NDArray[np.int64]
    sources: Hashes
    targets: Hashes
    spots: Hashes
    columns: Hashes
    """0 where a link is in none."""

    @classmethod
    def of(cls, sightings: Iterable[tuple[int, SightingTable]]) -> Spots:
        """Those of the pages whose *sightings* these are."""
        found = cls(np.empty(0, np.int64), *[_NONE] * 4)
        parts = [found]
        pages = iter(sightings)
        while batch := list(islice(pages, 100)):
            links = SightingTable.joined([table for _, table in batch])
            docids = np.array([docid for docid, _ in batch], np.int64)
            sources = docids.astype(np.uint32).repeat([len(table) for _, table in batch])
            columns = links.columns(sources)
            parts.append(cls(docids, sources, links.targets, links.spots(), columns))
        return found.and_those(*parts)

    def and_those(self, *others: Spots) -> Spots:
        """These and *others*."""
        every = (self, *others)
        return Spots(
            *(
                np.concatenate([getattr(one, column.name) for one in every])
                for column in fields(self)
            )
        )

    def on(self, pages: npt.NDArray[np.int64]) -> Spots:
        """Those on *pages*."""
        keep = np.isin(self.sources, pages)
        kept = self.pages[np.isin(self.pages, pages)]
        links = (self.sources, self.targets, self.spots, self.columns)
        return Spots(kept, *(column[keep] for column in links))

    def leading_to(
        self, docids: Sequence[int], asked: Mapping[int, Iterable[int]] | None = None
    ) -> Stands:
        """Where links to each of *docids* stand on other pages, but for rows of lists. *asked*
        gives the URLs that were redirected to a page: links to them lead there too."""
        also = asked or {}
        led = {url: at for at, docid in enumerate(docids) for url in (docid, *also.get(docid, ()))}
        wanted = np.array(sorted(led), np.int64)
        owners = np.array([led[target] for target in wanted.tolist()], np.int64)
        at = wanted.searchsorted(self.targets)
        at[at == len(wanted)] = 0
        known = np.flatnonzero(wanted[at] == self.targets) if len(wanted) else _NOWHERE
        owner = owners[at[known]]
        others = np.array(docids, np.int64)[owner] != self.sources[known]
        owner, known = owner[others], known[others]
        inside = self.columns[known] > 0
        return Stands(
            _steady(owner, self.spots[known], len(docids)),
            _steady(owner[inside], self.columns[known[inside]], len(docids)),
        )


def _steady(owners: npt.NDArray[np.int64], spots: Hashes, pages: int) -> list[Hashes]:
    """The *spots* of links to each of so many *pages*, but for rows of lists; *owners* are the
    pages that the links lead to."""
    pairs, times = np.unique(owners << 32 | spots, return_counts=True)
    column = (pairs & 0xFFFFFFFF).astype(np.uint32)
    menus = ~rows_of_lists(column, times, pages)
    pairs, column = pairs[menus], column[menus]
    starts = np.searchsorted(pairs, np.arange(pages + 1) << 32)
    return [column[a:b] for a, b in pairwise(starts)]


_NOWHERE = np.empty(0, np.int64)
_NONE = np.empty(0, np.uint32)
