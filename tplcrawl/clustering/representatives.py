"""Templates as a few representative pages each: how a new page is assigned in constant time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from tplcrawl.clustering.agglomeration import PATIENCE, log_ratio, score
from tplcrawl.clustering.base import Arrival, Classifier
from tplcrawl.clustering.evidence import POSITION, Evidence, read, read_all
from tplcrawl.clustering.sampling import spread
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.records import Assignment
from tplcrawl.similarity.sets import Matrix

REPRESENTATIVES = 8
"""Pages that stand for a cluster, spread evenly over its members."""

STRANGER = 0.0
"""The score below which a page is of no known template."""

_BATCH = 512
"""Pages that are scored at once: their products stay in the processor's cache."""

_KEPT = 10_000
"""Assignments that are remembered, at most."""

_TOO_EARLY = Assignment(None, 0.0, "nothing is known yet")

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_END: Hashes = np.zeros(1, np.uint32)


class Representatives(Classifier):
    """Scores a page against clusters as their agglomeration does, on a few pages of each.

    The members of all kinds of evidence stand in one table, kind after kind, so that a page is
    looked up once. O(members of the page's sets × representatives): 0.2 ms for thirty clusters, and
    half of that for many pages at once.
    """

    def __init__(
        self,
        evidence: Mapping[str, Evidence],
        clusters: Sequence[Sequence[int]],
        inside: Mapping[str, Floats],
    ) -> None:
        chosen = [spread(members, REPRESENTATIVES) for members in clusters]
        rows = [row for members in chosen for row in members]
        self._sizes = np.array([len(members) for members in chosen], np.int64)
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._kinds = tuple(kind for kind in evidence if kind != POSITION)
        self._each = np.arange(len(self._kinds))
        self._slight = np.array([evidence[kind].slight for kind in self._kinds], np.float32)
        self._inside = np.array([np.nan_to_num(inside[kind], nan=1.0) for kind in self._kinds])
        weighed = [_weighed(evidence[kind]) for kind in self._kinds]
        tables = [
            evidence[kind].table.rows[evidence[kind].rows[rows]].toarray().T[columns]
            * weights[:, None]
            for kind, (columns, _, weights) in zip(self._kinds, weighed, strict=True)
        ]
        self._totals = np.array([table.sum(axis=0) for table in tables])
        # The last row is of no kind: it ends what is looked up. The last column is what a page has.
        self._spaces = np.arange(len(weighed) + 1, dtype=np.uint64) << np.uint64(32)
        members = [one.astype(np.uint64) for _, one, _ in weighed]
        keys = [one + space for one, space in zip([*members, _END], self._spaces, strict=True)]
        self._keys = np.concatenate(keys)
        self._firsts = self._keys.searchsorted(self._spaces)
        self._table: Matrix = np.zeros((len(self._keys), len(rows) + 1), np.float32)
        self._table[:-1, :-1] = np.concatenate(tables)
        self._table[:-1, -1] = np.concatenate([own for *_, own in weighed])
        self._given: dict[tuple[Hashable, ...], Assignment] = {}

    def scores(self, pages: Sequence[Arrival]) -> Floats:
        """The score of each of *pages* joining each cluster. What several of them show is held
        against the clusters once."""
        sets: list[Hashes | None] = []
        which = np.empty((len(self._kinds), len(pages)), np.int64)
        counts = []
        for row, kind in enumerate(self._kinds):
            own, which[row] = read_all(kind, pages)
            which[row] += len(sets)
            sets += own
            counts.append(len(own))
        kinds = self._each.repeat(counts)
        columns, known = self._look_up(sets, kinds)
        shared = self._of_all(sets, columns, known)
        return score(self._kinds, self._ratios(shared, sets, kinds)[which])

    def _look_up(
        self, sets: Sequence[Hashes | None], kinds: Ints
    ) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """The rows of the table for the members of *sets* of these *kinds*, ascending, and which
        members have one. The last one stands for the end."""
        lengths = [0 if one is None else len(one) for one in sets]
        members = np.concatenate([*(one for one in sets if one is not None), _END])
        wanted = members + self._spaces[np.append(kinds, -1)].repeat([*lengths, 1])
        at = self._keys.searchsorted(wanted)
        known = self._keys[at] == wanted
        return at[known], known

    def _of_one(self, columns: Ints) -> Matrix:
        """The weight that each kind of evidence of a page has in common with each representative,
        and its own behind. Sums of weights are exact: for many at once it is the same."""
        ends = columns.searchsorted(self._firsts)
        common: Matrix = np.add.reduceat(self._table[columns], ends[:-1], axis=0)
        common[ends[1:] == ends[:-1]] = 0
        return common

    def _of_all(
        self, sets: Sequence[Hashes | None], columns: Ints, known: npt.NDArray[np.bool_]
    ) -> Matrix:
        """The same for many sets."""
        lengths = [0 if one is None else len(one) for one in sets]
        ends = np.cumsum(np.append(np.int64(0), known))[np.cumsum([0, *lengths])]
        ones = np.ones(ends[-1], np.float32)
        table = csr_array((ones, columns[:-1], ends), shape=(len(sets), len(self._keys)))
        common: Matrix = table @ self._table
        return common

    def _ratios(self, shared: Matrix, sets: Sequence[Hashes | None], kinds: Ints) -> Floats:
        """What each of *sets* of these *kinds* says of each cluster by what is *shared*; nothing
        where it is not known."""
        common, own = shared[:, :-1], shared[:, -1:]
        union = self._totals[kinds] + own - common
        slight = self._slight[kinds, None]
        common, union = common + slight, union + slight
        alike = np.ones_like(union)
        np.divide(common, union, out=alike, where=union > 1e-9)
        means = np.add.reduceat(alike, self._starts, axis=1) / self._sizes
        ratios = log_ratio(means, self._inside[kinds])
        unknown = [row for row, one in enumerate(sets) if one is None]
        if unknown:
            ratios[unknown] = 0
        return ratios

    def assign(self, page: Arrival) -> Assignment:
        """The template of *page*. Much the same pages come again and again."""
        if not len(self._sizes):
            return _TOO_EARLY
        sets = [read(kind, page) for kind in self._kinds]
        columns, _ = self._look_up(sets, self._each)
        key = (columns.astype(np.uint32).tobytes(), *(one is None for one in sets))
        given = self._given.get(key)
        if given is None:
            if len(self._given) >= _KEPT:
                self._given.clear()
            ratios = self._ratios(self._of_one(columns), sets, self._each)
            (given,) = _judged(score(self._kinds, ratios[:, None]))
            self._given[key] = given
        return given

    def assign_all(self, pages: Iterable[Arrival]) -> Iterator[Assignment]:
        """The template of each of *pages*."""
        source = iter(pages)
        while batch := list(islice(source, _BATCH)):
            if len(self._sizes):
                yield from _judged(self.scores(batch))
            else:
                yield from [_TOO_EARLY] * len(batch)


def _judged(scores: Floats) -> Iterator[Assignment]:
    """The assignments of pages by their *scores*."""
    best = scores.argmax(axis=1)
    sure = confidences(scores, best)
    for page, (template, confidence) in enumerate(zip(best.tolist(), sure, strict=True)):
        if scores[page, template] < STRANGER:
            yield Assignment(None, 0.0, "unlike all known templates")
        else:
            yield Assignment(template, confidence, "like its template's samples")


def _weighed(
    evidence: Evidence,
) -> tuple[npt.NDArray[np.int64], Hashes, npt.NDArray[np.float32]]:
    """The columns of *evidence* that weigh anything, what they stand for, and their weights."""
    columns = np.flatnonzero(evidence.weights[: len(evidence.table.members)])
    return columns, evidence.table.members[columns], evidence.weights[columns]


def confidences(scores: Floats, best: npt.NDArray[np.int64]) -> list[float]:
    """How sure assignments are, a row of *scores* each: by the score of the *best*, and by its lead
    over the second best."""
    rows = np.arange(len(scores))
    top = scores[rows, best]
    others = scores.copy()
    others[rows, best] = -np.inf
    lead = np.minimum(np.maximum(top - others.max(axis=1, initial=-np.inf), 0.0), 3.0)
    evidence = np.minimum(top, PATIENCE) / 2 + lead / 2
    sure: list[float] = np.round(1 / (1 + np.exp(-evidence)), 3).tolist()
    return sure
