"""Templates as a few representative pages each: how a new page is assigned in constant time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.agglomeration import PATIENCE, log_ratio, score
from tplcrawl.clustering.base import Arrival, Classifier
from tplcrawl.clustering.evidence import POSITION, Evidence, read
from tplcrawl.clustering.sampling import spread
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.records import Assignment
from tplcrawl.similarity.sets import Matrix

REPRESENTATIVES = 8
"""Pages that stand for a cluster, spread evenly over its members."""

STRANGER = 0.0
"""The score below which a page is of no known template."""

Floats = npt.NDArray[np.float64]


class Representatives(Classifier):
    """Scores a page against clusters as their agglomeration does, on a few pages of each.

    The members of all kinds of evidence stand in one table, kind after kind, so that a page is
    looked up once. O(members of the page's sets × representatives): 0.2 ms for thirty clusters.
    """

    def __init__(
        self,
        evidence: Mapping[str, Evidence],
        clusters: Sequence[Sequence[int]],
        inside: Mapping[str, Floats],
    ) -> None:
        kinds = [kind for kind in evidence if kind != POSITION]
        chosen = [spread(members, REPRESENTATIVES) for members in clusters]
        rows = [row for members in chosen for row in members]
        owners = np.repeat(np.arange(len(chosen)), [len(members) for members in chosen])
        self._kinds = kinds
        self._means = np.zeros((len(rows), len(chosen)), np.float32)
        self._means[np.arange(len(rows)), owners] = 1 / np.bincount(owners)[owners]
        self._inside = np.array([np.nan_to_num(inside[kind], nan=1.0) for kind in kinds])
        tables = [_representatives(evidence[kind], rows) for kind in kinds]
        keys = [_keys(number, evidence[kind].table.members) for number, kind in enumerate(kinds)]
        lengths = [len(one) for one in keys]
        self._starts = np.cumsum([0, *lengths[:-1]])
        weights = [
            evidence[kind].weights[:length] for kind, length in zip(kinds, lengths, strict=True)
        ]
        # The last row is of no kind: it ends what is summed up.
        self._keys = np.concatenate([*keys, _keys(len(kinds), np.zeros(1, np.uint32))])
        self._weights = np.concatenate([*weights, np.zeros(1, np.float32)])
        self._table = np.concatenate([*tables, np.zeros((1, len(rows)), np.float32)])
        self._totals = np.array([table.sum(axis=0) for table in tables])

    def scores(self, page: Arrival) -> Floats:
        """The score of *page* joining each cluster."""
        sets = [read(kind, page) for kind in self._kinds]
        keys = [_keys(number, one) for number, one in enumerate(sets) if one is not None]
        wanted = np.concatenate(keys)
        at = np.searchsorted(self._keys, wanted)
        known = at[self._keys[at] == wanted]
        starts = np.searchsorted(known, self._starts)
        rows = np.append(known, len(self._keys) - 1)
        common = np.add.reduceat(self._table[rows], starts, axis=0)
        own = np.add.reduceat(self._weights[rows], starts)
        empty = starts == np.append(starts[1:], len(known))
        common[empty], own[empty] = 0, 0
        union = self._totals + own[:, None] - common
        alike = np.where(union > 1e-9, common / np.maximum(union, 1e-9), np.float32(1))
        evidence = log_ratio(alike @ self._means, self._inside)
        told = zip(self._kinds, sets, evidence, strict=True)
        return score({kind: ratio for kind, one, ratio in told if one is not None})

    def assign(self, page: Arrival) -> Assignment:
        if not len(self._means):
            return Assignment(None, 0.0, "nothing is known yet")
        scores = self.scores(page)
        best = int(np.argmax(scores))
        if scores[best] < STRANGER:
            return Assignment(None, 0.0, "unlike all known templates")
        return Assignment(best, confidence(scores, best), "like its template's samples")


def _keys(kind: int, members: Hashes) -> npt.NDArray[np.uint64]:
    """*members* told apart from the same hashes of another kind."""
    return members.astype(np.uint64) | np.uint64(kind << 32)


def _representatives(evidence: Evidence, rows: Sequence[int]) -> Matrix:
    """The weight of each member in each of *rows*: a row for each member."""
    weighted = evidence.table.rows[rows].multiply(evidence.weights[None, :]).toarray()
    members = len(evidence.table.members)
    return np.ascontiguousarray(weighted.T[:members], np.float32)


def confidence(scores: Floats, best: int) -> float:
    """How sure an assignment is: by its score, and by its lead over the second best."""
    others = np.delete(scores, best)
    lead = scores[best] - others.max() if len(others) else 3.0
    evidence = min(scores[best], PATIENCE) / 2 + min(max(lead, 0.0), 3.0) / 2
    return round(1 / (1 + math.exp(-evidence)), 3)
