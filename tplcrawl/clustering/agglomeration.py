"""Merging clusters while the evidence says that they are one template.

For two clusters and one kind of evidence, what counts is not how alike their pages are, but how
alike across the two *relative to* how alike inside each. A page type with much content of its own
is unlike itself: 0.3 across where it is 0.3 inside speaks for one template, 0.8 across where it is
0.95 inside speaks against. So every part of every site sets its own thresholds. The logarithms of
these ratios, summed over the kinds of evidence, make the score of a merge; above zero it is made,
the highest first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from tplcrawl.clustering.evidence import (
    BODY,
    CLASSES,
    LOCATION,
    POSITION,
    STRUCTURE,
    TAG_PATHS,
    URL,
)
from tplcrawl.clustering.pairs import Floats, Ints, Pairs
from tplcrawl.similarity.sets import Matrix

WEIGHTS: Mapping[str, float] = {
    TAG_PATHS: 0.5,
    STRUCTURE: 1.0,
    CLASSES: 1.0,
    BODY: 0.5,
    URL: 1.0,
    LOCATION: 1.0,
    POSITION: 0.5,
}
"""How much a kind of evidence counts."""

PATIENCE = 3.6
"""The sum of evidence against a merge that is borne: two kinds that are down to a sixth."""

UNLINKED = 1.4
"""The same of pages of which nothing is known but what they show: links would have told half."""

BARE = 3.0
"""The same of pages without classes: tags alone are asked twice."""

PLACES = 2.5
"""What the places of links say against a merge at most: told with positions and without, they are
one witness, and none decides alone. A file is linked from its folder, or from a change."""

_CACHED = 16
"""Clusters that are scored at once: their numbers stay in the processor's cache."""

SMOOTHING = 0.05
"""Added to similarities, so that rare coincidences count as none."""


def log_ratio(across: Floats | Matrix, inside: Floats | Matrix) -> Floats:
    """The evidence of one kind: negative where pages are less alike across than inside."""
    ratio = np.log((across + SMOOTHING) / (inside + SMOOTHING))
    return np.minimum(np.maximum(np.asarray(ratio, np.float64), -3.0), 0.3)


def score(kinds: tuple[str, ...], ratios: Floats, patience: float = PATIENCE) -> Floats:
    """The score of merges from the :func:`log_ratio` of each of *kinds*, a row each.

    Where links to both stand in the same places, words of URLs count half against a merge: the
    parts of a site, each in a directory of its own, are often made by one template.
    """
    weighted = ratios * _weights(kinds, ratios.ndim)
    places = sum(weighted[kinds.index(kind)] for kind in (LOCATION, POSITION) if kind in kinds)
    if URL in kinds:
        url = weighted[kinds.index(URL)]
        url *= np.where(url < 0, np.minimum(np.maximum(0.5 - places, 0.5), 1.0), 1.0)
    total: Floats = np.add.reduce(weighted, axis=0, initial=patience)
    total += np.maximum(-PLACES - places, 0.0)
    return total


@cache
def _weights(kinds: tuple[str, ...], axes: int) -> Floats:
    return np.array([WEIGHTS[kind] for kind in kinds]).reshape(-1, *[1] * (axes - 1))


class Agglomeration:
    """Clusters of a sample of pages and their average similarities, as merges go on.

    O(k²) memory and, for m merges, O(m·k) time after the O(n²) sums over n pages, k clusters.
    """

    def __init__(
        self, similarities: Mapping[str, Pairs], labels: Ints, patience: float = PATIENCE
    ) -> None:
        self._patience = patience
        count = int(labels.max()) + 1 if len(labels) else 0
        self.sizes: Floats = np.bincount(labels, minlength=count).astype(np.float64)
        self.members: list[list[int]] = [
            np.flatnonzero(labels == label).tolist() for label in range(count)
        ]
        self.alive = np.ones(count, bool)
        self.merges: list[tuple[list[int], list[int]]] = []
        """What was merged with what, in their order."""
        pairs = np.maximum(np.outer(self.sizes, self.sizes), 1)
        self.kinds = tuple(similarities)
        self._across = np.empty((len(self.kinds), count, count))
        self._sums = np.empty((len(self.kinds), count))
        for row, alike in enumerate(similarities.values()):
            sums = alike.totals(labels)
            self._across[row] = sums / pairs
            self._sums[row] = np.maximum(np.diag(sums) - self.sizes, 0.0)
        own = self.sizes * (self.sizes - 1)
        self.inside: Floats = np.where(own > 0, self._sums / np.maximum(own, 1), np.nan)
        """The average similarity of two pages of each cluster, a row for each kind of evidence;
        ``nan`` for a single page's."""

    def scores(self, i: int) -> Floats:
        """The score of merging cluster *i* with each other one; above zero speaks for it."""
        total: Floats = self._scores(slice(i, i + 1))[0]
        return total

    def _scores(self, some: slice) -> Floats:
        """The same for *some* of the clusters, a row each."""
        inside = self.inside[:, None, :]
        own = self.inside[:, some, None]
        others = np.where(np.isnan(inside), np.where(np.isnan(own), 1.0, own), inside)
        expected = np.sqrt(others * np.where(np.isnan(own), others, own))
        total = score(self.kinds, log_ratio(self._across[:, some], expected), self._patience)
        total[:, ~self.alive] = -np.inf
        rows = np.arange(len(total))
        total[rows, rows + some.start] = -np.inf
        return total

    def merge(self, i: int, j: int) -> None:
        """Let cluster *i* take in cluster *j*."""
        a, b = self.sizes[i], self.sizes[j]
        self.merges.append((self.members[i], self.members[j]))
        across, sums = self._across, self._sums
        sums[:, i] += sums[:, j] + 2 * a * b * across[:, i, j]
        row = (a * across[:, i] + b * across[:, j]) / (a + b)
        across[:, i] = row
        across[:, :, i] = row
        self.sizes[i] = a + b
        self.inside[:, i] = sums[:, i] / ((a + b) * (a + b - 1))
        self.members[i] = sorted(self.members[i] + self.members[j])
        self.alive[j] = False

    def run(self) -> None:
        """Make every merge that the evidence speaks for, the best first."""
        count = len(self.sizes)
        table = np.empty((count, count))
        for start in range(0, count, _CACHED):
            table[start : start + _CACHED] = self._scores(slice(start, start + _CACHED))
        table = (table + table.T) / 2
        highest = table.max(axis=1, initial=-np.inf)
        while count > 1:
            i = int(np.argmax(highest))
            if not highest[i] > 0:
                break
            i, j = sorted((i, int(np.argmax(table[i]))))
            # Rows whose best partner may be gone; they are looked through again.
            lost = self.alive & (np.maximum(table[i], table[j]) >= highest)
            self.merge(i, j)
            table[j, :] = table[:, j] = -np.inf
            table[i] = table[:, i] = self.scores(i)
            np.maximum(highest, table[i], out=highest)
            highest[lost] = table[lost].max(axis=1)

    def clusters(self) -> list[list[int]]:
        """The clusters' members, by their first one."""
        return sorted(self.members[i] for i in np.flatnonzero(self.alive))


def starting_shapes(structure: Pairs, *, apart: float = 0.08, most: int = 600) -> Ints:
    """Label pages that are all but equal in *structure*: average link up to *apart*, or further
    where more than *most* clusters would be left.

    What has no page that near outside can only come together inside: each set of pages that a chain
    of near ones links is looked at by itself.
    """
    near = csr_array(1 - structure.values <= apart)
    linked = connected_components(near, directed=False)[1][structure.rows]
    labels = np.empty(len(structure), np.int64)
    count = 0
    for pages in _grouped(linked):
        one = bool((structure.rows[pages] == structure.rows[pages[0]]).all())
        labels[pages] = 0 if one else fcluster(_tree(structure, pages), apart, "distance") - 1
        labels[pages] += count
        count = int(labels[pages].max()) + 1
    if count > most:
        tree = _tree(structure, np.arange(len(structure)))
        labels = fcluster(tree, most, "maxclust").astype(np.int64) - 1
    return labels


def _grouped(labels: Ints) -> list[Ints]:
    """The pages of each label."""
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, ends) if len(labels) else []


def _tree(structure: Pairs, pages: Ints) -> Floats:
    """How *pages*, two or more, come together by average link."""
    distances = 1 - structure.between(pages, pages).astype(np.float64)
    np.fill_diagonal(distances, 0)
    tree: Floats = linkage(squareform(distances, checks=False), "average")
    return tree
