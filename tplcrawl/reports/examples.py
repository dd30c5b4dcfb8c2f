"""Pages that stand for many: the one most like all others, and what differs most from it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.sampling import spread
from tplcrawl.fingerprints.features import Features
from tplcrawl.similarity.sets import SetTable
from tplcrawl.store.store import Store

MOST = 10
"""Examples of one template."""

COMPARED = 500
"""Pages that they are chosen from."""

_FEW = 24
"""Pages that are enough to tell the typical one."""

OUTLIER = 0.5
"""A page less like the medoid than half the usual is one."""


def representatives(store: Store, docids: Sequence[int]) -> list[tuple[int, str]]:
    """At most :data:`MOST` of *docids* with their roles: the medoid, then diverse pages, farthest
    first."""
    docids = spread(docids, COMPARED)
    paths = [Features.decode(store.pages.features(docid)).tag_paths for docid in docids]
    table = SetTable.of(paths)
    alike = table.weighted_jaccard(np.ones(table.rows.shape[1], np.float32))
    order = farthest_first(alike, MOST)
    usual = float(np.median(alike[order[0]]))
    chosen = [(docids[order[0]], "medoid")]
    for i in order[1:]:
        role = "outlier" if alike[order[0], i] < OUTLIER * usual else "diverse"
        chosen.append((docids[i], role))
    return chosen


def typical(store: Store, docids: Sequence[int]) -> int:
    """The page that is most like all others, among some of *docids*; of two, the first."""
    if len(docids) < 3:
        return docids[0]
    return representatives(store, spread(docids, _FEW))[0][0]


def farthest_first(alike: npt.NDArray[np.float32], most: int) -> list[int]:
    """The row with the highest mean similarity, then always the one least like those before it.

    >>> farthest_first(np.array([[1, .9, .1], [.9, 1, .2], [.1, .2, 1]], np.float32), 2)
    [1, 2]
    """
    order = [int(np.argmax(alike.mean(axis=1)))]
    nearest = alike[order[0]].copy()
    while len(order) < min(most, len(alike)):
        nearest[order] = np.inf
        order.append(int(np.argmin(nearest)))
        nearest = np.maximum(nearest, alike[order[-1]])
    return order
