"""The kinds of evidence that two pages share a template, each as a similarity of all pairs.

Every member of a page's sets is weighted by what it says on this site (the entropy of its
presence), so that neither the chrome nor one-off content counts, and nothing is tuned by hand to a
content system's vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.pairs import Ints, Pairs
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.similarity.sets import SetTable, distinct, entropy_weights

TAG_PATHS, STRUCTURE, CLASSES, BODY = "tag paths", "structure", "classes", "body"
URL, LOCATION, POSITION, COLUMN = "url", "location", "position", "column"
"""Where links to a page stand is told three times: by general locations, by positions too, and by
those without the number of the row. A place in a menu or among tabs is the same for all pages of a
type; a place in a list is not, but for the column of a table."""


_PARTS: Mapping[str, Callable[[Features], tuple[Hashes, ...]]] = {
    TAG_PATHS: lambda features: (features.tag_paths,),
    STRUCTURE: lambda features: (features.tag_paths, features.class_paths),
    CLASSES: lambda features: (features.classes,),
    BODY: lambda features: (features.body,),
    URL: lambda features: (features.url,),
}

HEARSAY = frozenset((URL, LOCATION, POSITION))
"""What is known of a page without looking at it. A page of which nothing is known in this respect
(a saved file, a page that has just come) is not held to be different for that."""

SLIGHT: Mapping[str, float] = {CLASSES: 0.5}
"""What every two pages have in common besides, in bits, by kinds of which many pages show next to
nothing. Where elements have a class or two on the whole site, one more (a quotation's) would make
pages as unlike as pages can be; where they have many, this is as good as nothing. Where nothing is
known of links to most pages, looks are all there is, and count in full."""

RARE = 0.005
"""Members on fewer than this share of the pages are content."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One kind of evidence over a sample of a site's pages."""

    table: SetTable
    """A row for all pages that show the same, but for what few pages show."""
    rows: Ints
    """The row of each page."""
    weights: npt.NDArray[np.float32]
    slight: float = 0.0
    """The weight that every two pages have in common besides."""

    @classmethod
    def of(cls, sets: Sequence[Hashes]) -> Evidence:
        """What pages with these *sets* show, but for what too few of them do."""
        first, rows = distinct([one.tobytes() for one in sets])
        return cls.of_copies([sets[page] for page in first], rows)

    @classmethod
    def of_copies(cls, sets: Sequence[Hashes], rows: Ints, slight: float = 0.0) -> Evidence:
        """The same by the *sets* that differ, and which of these each page has."""
        pages, times = len(rows), np.bincount(rows)
        table = SetTable.of(sets, at_least=max(2, int(RARE * pages)), times=times)
        shares = table.frequencies(times)
        table, merged = table.distinct()
        # As if one more page had nothing: what all of a few pages have is no chrome.
        weights = entropy_weights(shares * (pages / (pages + 1)))
        return cls(table, merged[rows], weights, slight)

    def frequencies(self) -> npt.NDArray[np.float64]:
        """The share of the pages that show each member."""
        return self.table.frequencies(np.bincount(self.rows))

    @property
    def speaks(self) -> bool:
        """Whether at least half of the sample's pages show something of it."""
        shown = np.diff(self.table.rows.indptr)[self.rows]
        return bool(2 * np.count_nonzero(shown) >= len(self.rows))

    def similarities(self) -> Pairs:
        """Of every pair of the sample's pages."""
        return Pairs(self.table.weighted_jaccard(self.weights, besides=self.slight), self.rows)

    def common(self, members: Ints) -> Pairs:
        """The weight of what every pair of *members* has in common."""
        used, rows = np.unique(self.rows[members], return_inverse=True)
        return Pairs(self.table.shared(self.weights, used), rows)


def gather(
    pages: Pages, sample: Sequence[int], locations: Sequence[Hashes], positions: Sequence[Hashes]
) -> dict[str, Evidence]:
    """All kinds of evidence that merging goes by over the pages of *sample*, indices into *pages*;
    *locations* are those that lead to each page, *positions* those that lead to the sample's."""
    features = [pages.features[i] for i in sample]
    places = Evidence.of([locations[i] for i in sample])
    slight = SLIGHT if places.speaks else {}
    evidence = {
        kind: Evidence.of_copies(*shown_by_all(kind, features), slight.get(kind, 0.0))
        for kind in _PARTS
    }
    evidence[LOCATION] = places
    evidence[POSITION] = Evidence.of(positions)
    return evidence


def shown(kind: str, features: Features) -> Hashes:
    """What a page shows of one kind."""
    return _union(_PARTS[kind](features))


def shown_by_all(kind: str, pages: Sequence[Features]) -> tuple[list[Hashes], Ints]:
    """What pages show of one kind: the sets that differ, and which of these each page has."""
    parts = [_PARTS[kind](features) for features in pages]
    first, which = distinct([tuple([one.tobytes() for one in own]) for own in parts])
    return [_union(parts[page]) for page in first.tolist()], which


def _union(parts: tuple[Hashes, ...]) -> Hashes:
    if len(parts) == 1:
        return parts[0]
    both: Hashes = np.concatenate(parts)
    both.sort()
    first = np.ones(len(both), bool)
    np.not_equal(both[1:], both[:-1], out=first[1:])
    return both[first]


def read(kind: str, page: Arrival) -> Hashes | None:
    """What a page that has just come shows of one kind; ``None`` where that is not known."""
    if kind == POSITION:
        return None
    return _known(kind, page.locations if kind == LOCATION else shown(kind, page.features))


def read_all(kind: str, pages: Sequence[Arrival]) -> tuple[list[Hashes | None], Ints]:
    """The same of many pages: the sets that differ, and which of these each page has."""
    if kind == LOCATION:
        locations = [page.locations for page in pages]
        first, which = distinct([one.tobytes() for one in locations])
        sets = [locations[page] for page in first.tolist()]
    else:
        sets, which = shown_by_all(kind, [page.features for page in pages])
    return [_known(kind, one) for one in sets], which


def _known(kind: str, members: Hashes) -> Hashes | None:
    return None if kind in HEARSAY and not len(members) else members
