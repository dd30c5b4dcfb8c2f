"""Taking clusters apart that are two templates after all.

Merging goes by how alike pages look, so it cannot be judged by looks again: of a varied page type,
any two halves that were chosen for their looks differ. But parts that are told apart by something
else, a mark of their URLs or a location that leads to them, look alike if they are one template.
So each cluster is tried at every such mark: where both the structure and the places of the links
differ between the pages that have it and those that have not, it is split. It is split too where
each part has furniture of its own: what all its pages have and none of the other's. Variants of
one template lack something that others have; none of two halves has what the other has not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.evidence import (
    BODY,
    LOCATION,
    POSITION,
    STRUCTURE,
    TAG_PATHS,
    URL,
    Evidence,
)
from tplcrawl.similarity.sets import Matrix

MARKS = {BODY: 2.0, URL: 1.0, LOCATION: 1.0}
"""The kinds of marks, and what each counts: a class of the body is there to tell pages apart."""

APART = 0.25
"""The part of structure, times the part of places, in which two templates must differ."""

SMALLEST_SHARE, SMALLEST = 0.1, 8
"""The smaller part of a split has at least so much of the cluster, and so many pages."""

FEWEST = 5
"""Pages of each part that has furniture of its own."""

DISTINCT = 5
"""Pages of different structure that each part must have: copies of a page are no evidence."""

ALL, NONE = 0.95, 0.05
"""The shares of pages that count as all and as none."""

FURNITURE = 2
"""Elements of its own that each of two templates has. One of all these is told by tags alone: a
class may say no more than which entry of a menu is the current one."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def refined(clusters: Sequence[Sequence[int]], evidence: Mapping[str, Evidence]) -> list[list[int]]:
    """*clusters*, those taken apart that are two templates or more; ordered by first member."""
    marks = [(_dense(evidence[kind]), weight) for kind, weight in MARKS.items()]
    todo = [np.array(members, np.int64) for members in clusters]
    done: list[list[int]] = []
    while todo:
        members = todo.pop()
        mark = best_mark(members, marks, evidence)
        if mark is None:
            done.append(members.tolist())
        else:
            todo += [members[mark], members[~mark]]
    return sorted(done)


def best_mark(
    members: npt.NDArray[np.int64],
    marks: Sequence[tuple[Flags, float]],
    evidence: Mapping[str, Evidence],
) -> Flags | None:
    """The mark that best takes *members* apart: a flag for each; ``None`` if none does."""
    found = list(_candidates(members, marks, FEWEST))
    if not found:
        return None
    candidates = np.array([flags for flags, _ in found], bool)
    own, telling = furniture(members, candidates, evidence)
    if own.any():
        return candidates[int(np.argmax(own))]
    smaller = np.minimum(candidates.sum(axis=1), (~candidates).sum(axis=1))
    enough = telling & (smaller >= max(SMALLEST, int(SMALLEST_SHARE * len(members))))
    if not enough.any():
        return None
    candidates = candidates[enough]
    weights = np.array([weight for _, weight in found])[enough]
    structure = evidence[STRUCTURE]
    copies, first = _copies(structure, members)
    one = (candidates @ copies.T) > 0
    other = (~candidates @ copies.T) > 0
    distinct = np.minimum(one.sum(axis=1), other.sum(axis=1)) >= DISTINCT
    looks = unlike(structure.common(members[first].tolist()), one, other)
    places = np.ones(len(candidates))
    for kind in (LOCATION, POSITION):
        common = evidence[kind].common(members.tolist())
        places *= 1 - unlike(common, candidates, ~candidates)
    apart = np.where(distinct, weights * looks * (1 - np.sqrt(places)), 0)
    best = int(np.argmax(apart))
    return candidates[best] if apart[best] >= APART else None


def furniture(
    members: npt.NDArray[np.int64], candidates: Flags, evidence: Mapping[str, Evidence]
) -> tuple[Floats, Flags]:
    """How much furniture of its own the poorer part has where *members* are divided, for each row
    of *candidates*; 0 where that is too little."""
    counts = {}
    telling = np.zeros(len(candidates), bool)
    for kind in (STRUCTURE, TAG_PATHS):
        table = evidence[kind].table.rows[members].toarray()
        one, other = (_shares(flags, table) for flags in (candidates, ~candidates))
        mine = ((one >= ALL) & (other <= NONE)).sum(axis=1)
        theirs = ((other >= ALL) & (one <= NONE)).sum(axis=1)
        counts[kind] = mine, theirs
        telling |= (np.abs(one - other) >= ALL - NONE).any(axis=1)
    poorer = np.minimum(*counts[STRUCTURE])
    plain = np.maximum(*counts[TAG_PATHS])
    return np.where((poorer >= FURNITURE) & (plain > 0), poorer, 0).astype(np.float64), telling


def _shares(flags: Flags, table: Matrix) -> Matrix:
    """The share of the pages of each row of *flags* that have each column of *table*."""
    ones = flags.astype(np.float32)
    shares: Matrix = (ones @ table) / np.maximum(ones.sum(axis=1, keepdims=True), 1)
    return shares


def unlike(common: Matrix, ones: Flags, others: Flags) -> Floats:
    """How far two sets of pages are from being drawn from one: for each row of *ones* and *others*.

    With the average common weight of two different pages, inside (a, b) and across (c), it is
    1 - c / (a + b - c): the Tanimoto distance of the two sets' mean pages. Content that varies from
    page to page falls out of all three alike, so for two random halves of a varied page type it is
    near 0. O(pages²) for each row.
    """
    one, other = ones.astype(np.float32), others.astype(np.float32)
    own = np.diag(common)

    def inside(flags: npt.NDArray[np.float32]) -> Floats:
        count = flags.sum(axis=1)
        pairs = np.maximum(count * (count - 1), 1)
        sums = ((flags @ common) * flags).sum(axis=1) - flags @ own
        return np.asarray(sums / pairs, np.float64)

    a, b = inside(one), inside(other)
    pairs = np.maximum(one.sum(axis=1) * other.sum(axis=1), 1)
    across = ((one @ common) * other).sum(axis=1) / pairs
    whole = a + b - across
    alike = np.divide(across, whole, out=np.ones_like(whole), where=whole > 1e-9)
    return np.where(a + b < 1e-6, 0.0, 1 - np.clip(alike, 0, 1))


def _candidates(
    members: npt.NDArray[np.int64], marks: Sequence[tuple[Flags, float]], least: int
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


def _copies(
    structure: Evidence, members: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float32], list[int]]:
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
