"""Taking clusters apart that are two templates after all.

Merging goes by how alike pages look, so it cannot be judged by looks again: of a varied page type,
any two halves that were chosen for their looks differ. But parts that are told apart by something
else, a mark of their URLs or a location that leads to them, look alike if they are one template.
So each cluster is tried at every such mark. It is split

- where each part has furniture of its own: what all its pages have and none of the other's. A
  variant of a template may lack what the others have; that each has what the other lacks is no
  variant;
- where only one part has such furniture, but links to the two stand in different places;
- where structure as a whole and the places of the links differ, and something of the structure
  tells the parts apart.

Where no mark tells them apart, the merges are tried that made the cluster
(:mod:`~tplcrawl.clustering.unmerging`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.evidence import (
    BODY,
    LOCATION,
    POSITION,
    STRUCTURE,
    URL,
    Evidence,
)
from tplcrawl.clustering.furniture import Furniture
from tplcrawl.clustering.looks import looks, unlike
from tplcrawl.clustering.unmerging import Merges

MARKS = BODY, URL, LOCATION
"""The kinds of marks."""

APART = 0.25
"""The part of structure in which two templates differ that both have furniture (a button in the
place of another is a variant); of others, the part of structure times the part of places."""

SMALLEST, SMALLEST_ROOT = 8, 1.2
"""The fewest pages of the smaller part of a split: so many, and so many times the square root of
the cluster's, by which shares of a cluster vary by chance."""

FEWEST = 5
"""The fewest pages that show what furniture a part has."""

ELSEWHERE, LARGE = 0.7, 0.1
"""How far the places of links differ where only one part has furniture, and the share of the
cluster that the smaller part then has."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


def refined(
    clusters: Sequence[Sequence[int]],
    evidence: Mapping[str, Evidence],
    merges: Merges | None = None,
) -> list[list[int]]:
    """*clusters*, those taken apart that are two templates or more; ordered by first member.
    *merges* are those that made them."""
    marks = {kind: _dense(evidence[kind]) for kind in MARKS}
    todo = [np.array(members, np.int64) for members in clusters]
    done: list[list[int]] = []
    while todo:
        members = todo.pop()
        mark = best_mark(members, marks, evidence)
        if mark is None and merges is not None:
            mark = merges.worst(members, evidence)
        if mark is None:
            done.append(members.tolist())
        else:
            todo += [members[mark], members[~mark]]
    return sorted(done)


def best_mark(
    members: Ints,
    marks: Mapping[str, Flags],
    evidence: Mapping[str, Evidence],
) -> Flags | None:
    """The mark that best takes *members* apart: a flag for each; ``None`` if none does."""
    found = list(_candidates(members, marks, FEWEST))
    if not found:
        return None
    candidates = np.array([flags for flags, _ in found], bool)
    placed = np.array([kind == LOCATION for _, kind in found], bool)
    own = Furniture.of(members, candidates, ~candidates, evidence)
    best = _by_furniture(members, candidates, own, evidence)
    if best is None:
        best = _by_places(members, candidates, placed, own, evidence)
    return None if best is None else found[best][0]


def _least(members: Ints) -> int:
    """The fewest pages of the smaller part of *members*."""
    return max(SMALLEST, math.ceil(SMALLEST_ROOT * math.sqrt(len(members))))


def _by_furniture(
    members: Ints, candidates: Flags, own: Furniture, evidence: Mapping[str, Evidence]
) -> int | None:
    """Which of *candidates* parts two templates that each have most furniture of their own."""
    both = np.flatnonzero(own.both)
    if not len(both):
        return None
    parts = candidates[both]
    differ = unlike(evidence[STRUCTURE].common(members.tolist()), parts, ~parts)
    amount = np.where(differ >= APART, own.both[both], 0)
    best = int(np.argmax(amount))
    return int(both[best]) if amount[best] else None


def _by_places(
    members: Ints,
    candidates: Flags,
    placed: Flags,
    own: Furniture,
    evidence: Mapping[str, Evidence],
) -> int | None:
    """Which of *candidates* parts pages that differ most in structure and places of links. Those
    that are *placed* are places themselves, of which it says little that others differ, too."""
    smaller = np.minimum(candidates.sum(axis=1), (~candidates).sum(axis=1))
    worth = np.flatnonzero(own.telling & (smaller >= _least(members)))
    if not len(worth):
        return None
    places = _elsewhere(members, candidates[worth], evidence)
    far = places >= APART
    worth, places = worth[far], places[far]
    if not len(worth):
        return None
    candidates = candidates[worth]
    distinct, differ = looks(members, candidates, ~candidates, evidence[STRUCTURE])
    more = (
        own.one[worth]
        & ~placed[worth]
        & (places >= ELSEWHERE)
        & (smaller[worth] >= LARGE * len(members))
    )
    apart = np.where(distinct, differ * places + more, 0)
    best = int(np.argmax(apart))
    return int(worth[best]) if apart[best] >= APART else None


def _elsewhere(members: Ints, candidates: Flags, evidence: Mapping[str, Evidence]) -> Floats:
    """How far the places of links to the parts of *members* differ, by each of *candidates*."""
    alike = np.ones(len(candidates))
    for kind in (LOCATION, POSITION):
        common = evidence[kind].common(members.tolist())
        alike *= 1 - unlike(common, candidates, ~candidates)
    return 1 - np.sqrt(alike)


def _candidates(
    members: Ints, marks: Mapping[str, Flags], least: int
) -> Iterator[tuple[Flags, str]]:
    """The different ways in which marks divide *members*, and the kind of the first that does."""
    seen: set[bytes] = set()
    for kind, table in marks.items():
        own = table[members]
        counts = own.sum(axis=0)
        for column in np.flatnonzero((counts >= least) & (counts <= len(members) - least)):
            flags = own[:, column]
            key = (flags if flags[0] else ~flags).tobytes()
            if key not in seen:
                seen.add(key)
                yield flags, kind


def _dense(evidence: Evidence) -> Flags:
    flags: Flags = evidence.table.rows.toarray() > 0
    return flags
