"""The default method: locations, structure, classes and URLs together.

Pages that are all but equal in structure are merged, the best supported merge first, while the
evidence of all kinds speaks for it (:mod:`~tplcrawl.clustering.agglomeration`). What was merged is
tried once more by evidence that had no part in it (:mod:`~tplcrawl.clustering.refinement`). No kind
decides alone: on one site classes name the template, on the next they differ from page to page;
what a kind is worth shows in how alike pages are inside a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from tplcrawl.clustering.agglomeration import (
    Agglomeration,
    Floats,
    log_ratio,
    score,
    starting_shapes,
    sums_by,
)
from tplcrawl.clustering.base import Arrival, Clustering, Method
from tplcrawl.clustering.evidence import gather
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.refinement import refined
from tplcrawl.clustering.representatives import Representatives, confidences
from tplcrawl.clustering.sampling import stratified
from tplcrawl.errors import UsageError
from tplcrawl.outline import NO_OUTLINE
from tplcrawl.records import Assignment
from tplcrawl.similarity.sets import Matrix
from tplcrawl.similarity.threads import one_thread


class Hybrid(Method):
    """Learns templates from at most *learn* pages; every other page is assigned to one of them.

    O(learn²) for the learning, whatever the size of the site, and O(1) for each other page.
    """

    name: ClassVar[str] = "hybrid"

    def __init__(self, *, learn: int = 1500) -> None:
        if learn < 2:
            raise UsageError(f"hybrid: learn must be at least 2, not {learn}")
        self.learn = learn

    def cluster(self, pages: Pages) -> Clustering:
        with one_thread():
            return self._clustered(pages)

    def _clustered(self, pages: Pages) -> Clustering:
        sample = stratified(pages.first_locations, pages.urls, self.learn)
        evidence = gather(pages, sample)
        similarities = {kind: one.similarities() for kind, one in evidence.items()}
        shapes = np.array(starting_shapes(similarities["structure"]), np.int64)
        merging = Agglomeration(similarities, shapes)
        merging.run()
        clusters = refined(merging.clusters(), evidence)
        inside = {kind: _inside(matrix, clusters) for kind, matrix in similarities.items()}
        classifier = Representatives(evidence, clusters, inside)
        known = _assign_sample(sample, similarities, clusters, inside)
        return Clustering(tuple(_assign_rest(pages, known, classifier)), classifier, len(sample))


def _inside(alike: Matrix, clusters: Sequence[Sequence[int]]) -> Floats:
    """The average similarity of two pages of each of *clusters*; ``nan`` for a single page's."""
    averages = np.full(len(clusters), np.nan)
    for number, rows in enumerate(clusters):
        if len(rows) > 1:
            block = alike[np.ix_(rows, rows)]
            pairs = len(rows) * (len(rows) - 1)
            averages[number] = max(float(block.sum(dtype=np.float64)) - len(rows), 0.0) / pairs
    return averages


def _assign_sample(
    sample: Sequence[int],
    similarities: Mapping[str, Matrix],
    clusters: Sequence[Sequence[int]],
    inside: Mapping[str, Floats],
) -> dict[int, Assignment]:
    """The assignments of the pages that the clusters were found from."""
    labels = np.empty(len(sample), np.int64)
    for number, rows in enumerate(clusters):
        labels[rows] = number
    member = labels[:, None] == np.arange(len(clusters))
    others = np.maximum(member.sum(axis=0) - member, 1)
    ratios = np.empty((len(similarities), *member.shape))
    for row, (kind, matrix) in enumerate(similarities.items()):
        across = (sums_by(labels, matrix) - member) / others
        ratios[row] = log_ratio(across, np.where(np.isnan(inside[kind]), 1.0, inside[kind]))
    scores = score(tuple(similarities), ratios)
    sure = confidences(scores, labels)
    return {
        page: Assignment(label, confidence, "merged by the evidence")
        if len(clusters[label]) > 1
        else Assignment(label, 0.5, "like no other page")
        for page, label, confidence in zip(sample, labels.tolist(), sure, strict=True)
    }


def _assign_rest(
    pages: Pages, known: Mapping[int, Assignment], classifier: Representatives
) -> Iterator[Assignment]:
    """The assignments of all pages."""
    locations = pages.inbound.locations_by_page(len(pages))
    rest = classifier.assign_all(
        Arrival(
            pages.features[page],
            NO_OUTLINE,
            pages.first_locations[page],
            locations[page],
        )
        for page in range(len(pages))
        if page not in known
    )
    for page in range(len(pages)):
        yield known[page] if page in known else next(rest)
