"""Pages of one kind that are built otherwise: variants of a template, and its successor.

Lists lead to pages of two templates for many reasons. A variant has no place of its own: wherever
it comes, the usual template is expected, and it comes as if by lot. After a redesign the old
template never comes again, from whichever page the links are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt

from tplcrawl.clustering.likes import Seen

VARIANT, REDESIGN = "variant", "redesign"

_LEAST = 10
"""Pages that make a variant or a new design, and that an old one must have had."""
_VARIANTS = 2
"""Variants of one template; where more templates stand in its places, they are page types that its
URLs do not tell apart."""
_DISTINCT = 0.8
"""The share of its pages that show what others do not: it is no excuse."""
_COVERED = 0.8
"""The share of pages at places of the other template."""
_UNTOLD = 0.9
"""The share of a variant's pages at which the usual template is expected to the end."""
_LOT = 2.5
"""Standard deviations from how often a variant and its template alternate if that is by lot."""
_OVERLAP = 0.05
"""The share of an old design's pages that may come after the first of the new one."""
_SOURCES = 3
"""Pages that must link to each design: one list may have an order."""
_STAYED = 0.25
"""The share of a new design's pages at places of the old one; others are linked from new pages."""


def rebuilt(pages: Sequence[Seen]) -> dict[int, str]:
    """The pages, by docid, that are variants or of a new design."""
    own: defaultdict[int, list[Seen]] = defaultdict(list)
    places: defaultdict[Hashable, Counter[int]] = defaultdict(Counter)
    for page in sorted(pages, key=lambda one: one.arrival):
        if page.given is not None and page.clues:
            own[page.given].append(page)
            places[tuple(page.clues)][page.given] += 1
    kinds: dict[int, str] = {}
    variants: defaultdict[int, list[int]] = defaultdict(list)
    for template, mine in own.items():
        if len(mine) < _LEAST:
            continue
        if len({page.content for page in mine}) < _DISTINCT * len(mine):
            continue
        for other in _others(template, mine, places):
            theirs = own[other]
            if len(theirs) < _LEAST:
                continue
            if _is_variant(mine, theirs):
                variants[other].append(template)
            elif _is_redesign(mine, theirs):
                kinds.update((page.docid, REDESIGN) for page in mine)
            else:
                continue
            break
    for usual, some in variants.items():
        if _crowd(usual, own) <= _VARIANTS:
            pages_of = (page for template in some for page in own[template])
            kinds.update((page.docid, VARIANT) for page in pages_of if page.expected == usual)
    return kinds


def _others(
    template: int, mine: Sequence[Seen], places: Mapping[Hashable, Counter[int]]
) -> Iterator[int]:
    """The templates of pages at the same places, those at most of them first."""
    counts = Counter(
        other for page in mine for other in places[tuple(page.clues)] if other != template
    )
    return (other for other, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _crowd(usual: int, own: Mapping[int, Sequence[Seen]]) -> int:
    """How many other templates mostly stand in places of the *usual* one."""
    places = {tuple(page.clues) for page in own[usual]}
    return sum(
        len(mine) >= _LEAST and 2 * sum(tuple(page.clues) in places for page in mine) > len(mine)
        for template, mine in own.items()
        if template != usual
    )


def _is_variant(mine: Sequence[Seen], theirs: Sequence[Seen]) -> bool:
    usual = theirs[0].given
    if sum(page.expected == usual for page in mine) < _UNTOLD * len(mine):
        return False
    places = {tuple(page.clues) for page in mine}
    there = [page for page in theirs if tuple(page.clues) in places]
    shared = {tuple(page.clues) for page in there}
    if len(there) < 2 * len(mine):
        return False
    if sum(tuple(page.clues) in shared for page in mine) < _COVERED * len(mine):
        return False
    both = sorted([*mine, *there], key=lambda page: page.arrival)
    turns = sum(one.given != other.given for one, other in pairwise(both))
    # The runs test of Wald and Wolfowitz.
    total = len(both)
    mean = 2 * len(mine) * len(there) / total
    deviation = sqrt(mean * max(mean - 1, 0) / (total - 1))
    return abs(turns - mean) <= _LOT * deviation


def _is_redesign(mine: Sequence[Seen], theirs: Sequence[Seen]) -> bool:
    first = mine[0].arrival
    if sum(page.arrival > first for page in theirs) > _OVERLAP * len(theirs):
        return False
    new, old = ({tuple(page.clues) for page in some} for some in (mine, theirs))
    after = [page for page in mine if tuple(page.clues) in old]
    before = [page for page in theirs if tuple(page.clues) in new]
    if len(after) < max(_LEAST, _STAYED * len(mine)) or len(before) < _COVERED * len(theirs):
        return False
    forms = {page.clues[0] for page in theirs}
    if sum(page.clues[0] in forms for page in mine) < _COVERED * len(mine):
        return False
    return all(len({page.source for page in some}) >= _SOURCES for some in (after, before))
