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

Where no mark tells them apart, the parts themselves that were merged are tried: those were chosen
for their looks, so more is asked of them. It is split where each has furniture of its own and they
have little else in common.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.agglomeration import PART
from tplcrawl.clustering.evidence import (
    BODY,
    LOCATION,
    POSITION,
    STRUCTURE,
    URL,
    Evidence,
)
from tplcrawl.clustering.furniture import Furniture
from tplcrawl.similarity.sets import Matrix

MARKS = {BODY: 2.0, URL: 1.0, LOCATION: 1.0}
"""The kinds of marks, and what each counts: a class of the body is there to tell pages apart."""

APART = 0.25
"""The part of structure in which two templates differ that both have furniture (a button in the
place of another is a variant); of others, the part of structure times the part of places."""

SMALLEST, SMALLEST_ROOT = 8, 1.2
"""The fewest pages of the smaller part of a split: so many, and so many times the square root of
the cluster's, by which shares of a cluster vary by chance."""

UNLIKE, MUCH = 0.35, 6
"""The same for parts that were chosen for their looks, and the furniture that each must have: the
contents of a book stand on all its pages, and may be built a little otherwise than another's."""

DISTINCT = 5
"""Pages of different structure that each part must have: copies of a page are no evidence."""

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
    parts: Sequence[Sequence[int]] = (),
) -> list[list[int]]:
    """*clusters*, those taken apart that are two templates or more; ordered by first member.
    *parts* are what they were merged from."""
    marks = [(_dense(evidence[kind]), weight) for kind, weight in MARKS.items()]
    merged = np.zeros((len(parts), evidence[STRUCTURE].table.rows.shape[0]), bool)
    for row, part in zip(merged, parts, strict=True):
        row[list(part)] = True
    todo = [np.array(members, np.int64) for members in clusters]
    done: list[list[int]] = []
    while todo:
        members = todo.pop()
        mark = best_mark(members, marks, evidence)
        if mark is None:
            mark = best_part(members, merged, evidence)
        if mark is None:
            done.append(members.tolist())
        else:
            todo += [members[mark], members[~mark]]
    return sorted(done)


def best_mark(
    members: Ints,
    marks: Sequence[tuple[Flags, float]],
    evidence: Mapping[str, Evidence],
) -> Flags | None:
    """The mark that best takes *members* apart: a flag for each; ``None`` if none does."""
    found = list(_candidates(members, marks, FEWEST))
    if not found:
        return None
    candidates = np.array([flags for flags, _ in found], bool)
    own = Furniture.of(members, candidates, evidence)
    best = _by_furniture(members, candidates, own, evidence)
    if best is None:
        weights = np.array([weight for _, weight in found])
        best = _by_places(members, candidates, weights, own, evidence)
    return None if best is None else found[best][0]


def best_part(members: Ints, parts: Flags, evidence: Mapping[str, Evidence]) -> Flags | None:
    """The part of *members* that has least in common with the others: a flag for each; ``None`` if
    there is none with little. *parts* are flags of all pages, a row for each."""
    flags = parts[:, members]
    sizes = flags.sum(axis=1)
    candidates = np.unique(flags[(sizes >= PART) & (sizes <= len(members) - PART)], axis=0)
    if len(candidates):
        candidates = candidates[Furniture.of(members, candidates, evidence).both >= MUCH]
    if not len(candidates):
        return None
    distinct, looks = _looks(members, candidates, evidence[STRUCTURE])
    apart = np.where(distinct, looks, 0)
    best = int(np.argmax(apart))
    return candidates[best] if apart[best] >= UNLIKE else None


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
    looks = unlike(evidence[STRUCTURE].common(members.tolist()), parts, ~parts)
    amount = np.where(looks >= APART, own.both[both], 0)
    best = int(np.argmax(amount))
    return int(both[best]) if amount[best] else None


def _by_places(
    members: Ints,
    candidates: Flags,
    weights: Floats,
    own: Furniture,
    evidence: Mapping[str, Evidence],
) -> int | None:
    """Which of *candidates* parts pages that differ most in structure and places of links."""
    smaller = np.minimum(candidates.sum(axis=1), (~candidates).sum(axis=1))
    worth = np.flatnonzero(own.telling & (smaller >= _least(members)))
    if not len(worth):
        return None
    places = _elsewhere(members, candidates[worth], evidence)
    far = weights[worth] * places >= APART
    worth, places = worth[far], places[far]
    if not len(worth):
        return None
    candidates = candidates[worth]
    distinct, looks = _looks(members, candidates, evidence[STRUCTURE])
    more = own.one[worth] & (places >= ELSEWHERE) & (smaller[worth] >= LARGE * len(members))
    apart = np.where(distinct, weights[worth] * looks * places + more, 0)
    best = int(np.argmax(apart))
    return int(worth[best]) if apart[best] >= APART else None


def _looks(members: Ints, candidates: Flags, structure: Evidence) -> tuple[Flags, Floats]:
    """By each of *candidates*: whether either part of *members* has enough pages of different
    structure, and how far the parts differ; copies of a page count once."""
    copies, first = _copies(structure, members)
    one = (candidates @ copies.T) > 0
    other = (~candidates @ copies.T) > 0
    distinct = np.minimum(one.sum(axis=1), other.sum(axis=1)) >= DISTINCT
    return distinct, unlike(structure.common(members[first].tolist()), one, other)


def _elsewhere(members: Ints, candidates: Flags, evidence: Mapping[str, Evidence]) -> Floats:
    """How far the places of links to the parts of *members* differ, by each of *candidates*."""
    alike = np.ones(len(candidates))
    for kind in (LOCATION, POSITION):
        common = evidence[kind].common(members.tolist())
        alike *= 1 - unlike(common, candidates, ~candidates)
    return 1 - np.sqrt(alike)


def unlike(common: Matrix, ones: Flags, others: Flags) -> Floats:
    """How far two sets of pages are from being drawn from one: for each row of *ones* and *others*.

    With the average common weight of two different pages, inside (a, b) and across (c), it is
    1 - c / (a + b - c): the Tanimoto distance of the two sets' mean pages. Content that varies from
    page to page falls out of all three alike, so for two random halves of a varied page type it is
    near 0. O(pages²) for each row.
    """
    one, other = ones.astype(np.float32), others.astype(np.float32)
    own = np.diag(common)
    shared = one @ common
    across = (shared * other).sum(axis=1) / np.maximum(one.sum(axis=1) * other.sum(axis=1), 1)
    # Where every page is in one of the two, what the others share is the rest of what all share.
    rest = common.sum(axis=0) - shared if (ones ^ others).all() else other @ common

    def inside(flags: npt.NDArray[np.float32], shared: Matrix) -> Floats:
        count = flags.sum(axis=1)
        pairs = np.maximum(count * (count - 1), 1)
        sums = (shared * flags).sum(axis=1) - flags @ own
        return np.asarray(sums / pairs, np.float64)

    a, b = inside(one, shared), inside(other, rest)
    whole = a + b - across
    alike = np.divide(across, whole, out=np.ones_like(whole), where=whole > 1e-9)
    return np.where(a + b < 1e-6, 0.0, 1 - np.clip(alike, 0, 1))


def _candidates(
    members: Ints, marks: Sequence[tuple[Flags, float]], least: int
) -> Iterator[tuple[Flags, float]]:
    """The different ways in which marks divide *members*, and the weight of each."""
    seen: set[bytes] = set()
    for table, weight in marks:
        own = table[members]
        counts = own.sum(axis=0)
        for column in np.flatnonzero((counts >= least) & (counts <= len(members) - least)):
            flags = own[:, column]
            key = (flags if flags[0] else ~flags).tobytes()
            if key not in seen:
                seen.add(key)
                yield flags, weight


def _copies(structure: Evidence, members: Ints) -> tuple[npt.NDArray[np.float32], list[int]]:
    """Which of *members* have each distinct structure, and the first that has it."""
    rows = structure.table.rows[members]
    kinds: dict[bytes, int] = {}
    first: list[int] = []
    owners = []
    for page in range(len(members)):
        key = rows.indices[rows.indptr[page] : rows.indptr[page + 1]].tobytes()
        kind = kinds.setdefault(key, len(kinds))
        if kind == len(first):
            first.append(page)
        owners.append(kind)
    copies = np.zeros((len(first), len(members)), np.float32)
    copies[owners, np.arange(len(members))] = 1
    return copies, first


def _dense(evidence: Evidence) -> Flags:
    flags: Flags = evidence.table.rows.toarray() > 0
    return flags
