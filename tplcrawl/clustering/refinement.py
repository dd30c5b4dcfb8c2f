"""Taking clusters apart that are two templates after all.

Merging goes by how alike pages look, so it cannot be judged by looks again: of a varied page type,
any two halves that were chosen for their looks differ. But parts that are told apart by something
else, a mark of their URLs or a location that leads to them, look alike if they are one template.
So each cluster is tried at every such mark. It is split

- where each part has furniture of its own: what all its pages have and none of the other's. A
  variant of a template may lack what the others have; that each has what the other lacks is no
  variant;
- where only one part has such furniture, but links to the two stand in different places (where both
  have some, and little of the structure differs, one stands in the place of the other: a variant);
- where structure as a whole and the places of the links differ, and something of the structure
  tells the parts apart;
- where links to the two stand in two entries of menus, and there is such furniture, however little
  else differs and however few pages do: tabs of a page, forms to log in and to sign up. A menu has
  more than two entries, so parts are held against each other, too, not against all the rest alone.

Where no mark tells them apart, two elements are tried of which each page has one
(:mod:`~tplcrawl.clustering.switches`), and where these do not, the merges that made the cluster
(:mod:`~tplcrawl.clustering.unmerging`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tplcrawl.clustering.evidence import (
    BODY,
    LOCATION,
    STRUCTURE,
    URL,
    Evidence,
)
from tplcrawl.clustering.furniture import Furniture
from tplcrawl.clustering.looks import BARE, DISTINCT, MOSTLY, looks, unlike
from tplcrawl.clustering.pairs import Flags, Ints
from tplcrawl.clustering.places import elsewhere, entries
from tplcrawl.clustering.switches import switched
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

SWITCHED = 0.4
"""How far the places of links differ between parts that were chosen for their looks."""

AGREE, BOTH = 0.7, 3
"""The correlation of two divisions from which on they are taken for one, and what it counts when a
class of the body and a word of URLs agree."""


class Division(NamedTuple):
    """A way to take pages apart."""

    flags: Flags
    kinds: set[str]
    """The kinds of marks that do so."""


def refined(
    clusters: Sequence[Sequence[int]],
    evidence: Mapping[str, Evidence],
    merges: Merges,
) -> list[list[int]]:
    """*clusters*, those taken apart that are two templates or more; ordered by first member.
    *merges* are those that made them."""
    marks = {kind: _dense(evidence[kind]) for kind in MARKS}
    todo = [np.array(members, np.int64) for members in clusters]
    done: list[list[int]] = []
    while todo:
        members = todo.pop()
        mark = best_mark(members, marks, evidence)
        if mark is None:
            mark = best_switch(members, evidence)
        if mark is None:
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
    found = _divisions(members, marks)
    if not found:
        return None
    candidates = np.array([one.flags for one in found], bool)
    witnesses = _witnesses(found)
    own = Furniture.of(members, candidates, ~candidates, evidence)
    best = _by_furniture(members, candidates, own, evidence)
    if best is None:
        best = _by_places(members, candidates, witnesses, own, evidence)
    if best is None:
        best = _by_entries(members, candidates, witnesses, evidence)
    return None if best is None else found[best].flags


def best_switch(members: Ints, evidence: Mapping[str, Evidence]) -> Flags | None:
    """The two elements that best part *members*, each with one of them, where links to the parts
    stand in different places: a flag for each; ``None`` if none do."""
    candidates = switched(members, evidence[STRUCTURE], _least(members))
    if not len(candidates):
        return None
    candidates = candidates[elsewhere(members, candidates, evidence) >= SWITCHED]
    own = Furniture.of(members, candidates, ~candidates, evidence)
    best = _by_furniture(members, candidates, own, evidence)
    return None if best is None else candidates[best]


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
    differ = unlike(evidence[STRUCTURE].common(members), parts, ~parts)
    amount = np.where(differ >= APART, own.both[both], 0)
    best = int(np.argmax(amount))
    return int(both[best]) if amount[best] else None


def _by_places(
    members: Ints,
    candidates: Flags,
    witnesses: Ints,
    own: Furniture,
    evidence: Mapping[str, Evidence],
) -> int | None:
    """Which of *candidates*, with so many *witnesses*, parts pages that differ most in structure
    and places of links."""
    smaller = np.minimum(candidates.sum(axis=1), (~candidates).sum(axis=1))
    worth = np.flatnonzero(own.telling & (smaller >= _least(members)))
    if not len(worth):
        return None
    places = elsewhere(members, candidates[worth], evidence)
    weights = np.maximum(witnesses[worth], 1)
    far = weights * places >= APART
    worth, places, weights = worth[far], places[far], weights[far]
    if not len(worth):
        return None
    candidates = candidates[worth]
    distinct, differ = looks(members, candidates, ~candidates, evidence[STRUCTURE])
    more = (
        own.one[worth]
        & (own.both[worth] == 0)
        & (witnesses[worth] > 0)
        & (places >= ELSEWHERE)
        & (smaller[worth] >= LARGE * len(members))
    )
    enough = (distinct >= DISTINCT) | ((distinct >= BARE) & (differ >= MOSTLY))
    apart = np.where(enough, weights * differ * places + more, 0)
    best = int(np.argmax(apart))
    return int(worth[best]) if apart[best] >= APART else None


def _by_entries(
    members: Ints, candidates: Flags, witnesses: Ints, evidence: Mapping[str, Evidence]
) -> int | None:
    """Which of *candidates* parts an entry of a menu from another: from all other pages, or from
    those of another candidate, both with furniture. What one page type has, several others
    together need not lack."""
    large = np.flatnonzero((candidates.sum(axis=1) >= _least(members)) & (witnesses > 0))
    flags = candidates[large].astype(np.float32)
    pairs = large[np.argwhere(np.triu(flags @ flags.T == 0))]
    first = np.concatenate([np.arange(len(candidates)), pairs[:, 0]])
    ones = candidates[first]
    others = np.concatenate([~candidates, candidates[pairs[:, 1]]])
    own = Furniture.of(members, ones, others, evidence)
    smaller = np.minimum(candidates.sum(axis=1), (~candidates).sum(axis=1))
    enough = own.both > 0
    enough[: len(candidates)] |= (
        own.one[: len(candidates)]
        & (witnesses > 0)
        & (smaller >= max(_least(members), LARGE * len(members)))
    )
    some = np.flatnonzero(enough)
    if not len(some):
        return None
    amount = np.where(entries(members, ones[some], others[some], evidence), own.most[some], 0)
    best = int(np.argmax(amount))
    return int(first[some[best]]) if amount[best] else None


def _divisions(members: Ints, marks: Mapping[str, Flags]) -> list[Division]:
    """The different ways in which marks divide *members*."""
    found: dict[bytes, Division] = {}
    for kind, table in marks.items():
        own = table[members]
        counts = own.sum(axis=0)
        for column in np.flatnonzero((counts >= FEWEST) & (counts <= len(members) - FEWEST)):
            flags = own[:, column]
            key = (flags if flags[0] else ~flags).tobytes()
            found.setdefault(key, Division(flags, set())).kinds.add(kind)
    return list(found.values())


def _witnesses(divisions: Sequence[Division]) -> Ints:
    """What the marks count that tell of each of *divisions*: a class of the body and a word of URLs
    that go together more than one of them, and a list that leads to some pages only nothing, for
    places are asked besides."""
    flags = np.array([one.flags for one in divisions], np.float32)
    flags -= flags.mean(axis=1, keepdims=True)
    flags /= np.sqrt((flags * flags).sum(axis=1, keepdims=True))
    agree = np.abs(flags @ flags.T) >= AGREE
    of = {kind: np.array([kind in one.kinds for one in divisions]) for kind in (BODY, URL)}
    both = np.logical_and(*((agree & kind).any(axis=1) for kind in of.values()))
    return np.where(of[BODY] | of[URL], np.where(both, BOTH, 1), 0)


def _dense(evidence: Evidence) -> Flags:
    flags: Flags = evidence.table.rows.toarray()[evidence.rows] > 0
    return flags
