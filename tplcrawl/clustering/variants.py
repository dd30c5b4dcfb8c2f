"""Clusters of pages that stand in the same places, and that nothing but their looks tells apart.

Where one list leads to both, under URLs of one form, a site makes no difference between them: a
list that is long enough for a pager, a product with reviews, a user who has written something. On a
site whose pages are all alike otherwise, what some of them have more speaks as loud as another page
type. A variant has more or lacks some; that each has what the other lacks is no variant, and what
URLs or classes of the ``body`` tell apart somebody wanted apart. Copies of a page are no variant:
an excuse stands wherever pages should.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import itemgetter

import numpy as np

from tplcrawl.clustering.evidence import BODY, STRUCTURE, URL, Evidence
from tplcrawl.clustering.furniture import Furniture
from tplcrawl.clustering.joining import Clusters, joined_while
from tplcrawl.clustering.looks import DISTINCT, looks
from tplcrawl.clustering.pairs import Flags, Ints
from tplcrawl.clustering.places import entries

FEWEST = 8
"""The fewest pages of either cluster in places that lead to both."""

EACH = 3
"""The fewest pages of either cluster that show that a place leads to it."""

SHARE = 0.7
"""The share of the pages of one of them that stand in such places."""

TOLD = 0.7
"""The correlation with a mark from which on it tells two clusters apart."""

Places = Sequence[Hashable | None]
"""Where each page stands: the location that leads there first, and the form of its URL; ``None``
where nothing is known to lead there."""


def reunited(
    clusters: Clusters, places: Places, evidence: Mapping[str, Evidence]
) -> list[list[int]]:
    """*clusters*, variants of each other joined; ordered by first member. The two of which most
    pages stand together come first, for what is joined is held against a third one as a whole."""
    tried: set[tuple[int, ...]] = set()
    return joined_while(clusters, lambda found: _next(found, places, evidence, tried))


def _next(
    clusters: Clusters,
    places: Places,
    evidence: Mapping[str, Evidence],
    tried: set[tuple[int, ...]],
) -> tuple[int, int] | None:
    """Two of *clusters* that are variants of each other; none of those that were *tried*, as their
    first pages and sizes tell."""
    for one, other, shared in _together(clusters, places):
        key = tuple(fact for at in (one, other) for fact in (clusters[at][0], len(clusters[at])))
        if key not in tried:
            tried.add(key)
            parts = [[row for row in clusters[at] if places[row] in shared] for at in (one, other)]
            if _variants(parts[0], parts[1], evidence):
                return one, other
    return None


def _together(clusters: Clusters, places: Places) -> Iterator[tuple[int, int, set[Hashable]]]:
    """The pairs of *clusters* that stand together, and the places that lead to both: those of which
    most pages do so first."""
    counts = [Counter(filter(None, (places[row] for row in members))) for members in clusters]
    leads: dict[Hashable, list[int]] = defaultdict(list)
    for number, own in enumerate(counts):
        for place, count in own.items():
            if count >= EACH:
                leads[place].append(number)
    shared: dict[tuple[int, int], set[Hashable]] = defaultdict(set)
    for place, numbers in leads.items():
        for pair in combinations(numbers, 2):
            shared[pair].add(place)
    found = []
    for pair, common in shared.items():
        sizes = [sum(counts[at][place] for place in common) for at in pair]
        share = max(size / len(clusters[at]) for size, at in zip(sizes, pair, strict=True))
        if min(sizes) >= FEWEST and share >= SHARE:
            found.append((-min(sizes), pair, common))
    for _, (one, other), common in sorted(found, key=itemgetter(0, 1)):
        yield one, other, common


def _variants(one: Sequence[int], other: Sequence[int], evidence: Mapping[str, Evidence]) -> bool:
    """Whether pages of two parts vary, at most one part has furniture, and no mark or entry of a
    menu tells them apart."""
    members = np.array(sorted([*one, *other]), np.int64)
    flags = np.isin(members, one)[None]
    if Furniture.of(members, flags, ~flags, evidence).both[0]:
        return False
    if entries(members, flags, ~flags, evidence)[0]:
        return False
    if looks(members, flags, ~flags, evidence[STRUCTURE])[0][0] < DISTINCT:
        return False
    return not any(told(members, flags[0], evidence[kind]) for kind in (URL, BODY))


def told(members: Ints, flags: Flags, evidence: Evidence) -> bool:
    """Whether a mark of *evidence* tells those of *members* that are flagged from the others."""
    marks = (evidence.table.rows[evidence.rows[members]] > 0).astype(np.float64)
    count, own = len(members), int(flags.sum())
    has = np.asarray(marks.sum(axis=0)).ravel()
    both = marks.T @ flags.astype(np.float64)
    # Of two sets of ones and zeros.
    spread = np.sqrt(own * (count - own) * has * (count - has))
    together = np.divide(
        count * both - own * has, spread, out=np.zeros_like(spread), where=spread > 0
    )
    return bool(np.abs(together).max(initial=0.0) >= TOLD)
