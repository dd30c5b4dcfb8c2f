"""The default method: locations, structure, classes and URLs together.

Pages that are all but equal in structure are merged, the best supported merge first, while the
evidence of all kinds speaks for it (:mod:`~tplcrawl.clustering.agglomeration`). What was merged is
tried once more by evidence that had no part in it (:mod:`~tplcrawl.clustering.refinement`), and
what only looks tell apart is joined (:mod:`~tplcrawl.clustering.variants`). No kind decides alone:
on one site classes name the template, on the next they differ from page to page; what a kind is
worth shows in how alike pages are inside a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from tplcrawl.clustering.agglomeration import (
    BARE,
    PATIENCE,
    UNLINKED,
    Agglomeration,
    log_ratio,
    score,
    starting_shapes,
)
from tplcrawl.clustering.base import Arrival, Clustering, Method
from tplcrawl.clustering.bonds import bound
from tplcrawl.clustering.continuations import joined
from tplcrawl.clustering.evidence import CLASSES, COLUMN, STRUCTURE, Evidence, gather
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.pairs import Floats, Ints
from tplcrawl.clustering.refinement import refined
from tplcrawl.clustering.representatives import Representatives, confidences
from tplcrawl.clustering.sampling import stratified
from tplcrawl.clustering.strays import let_go
from tplcrawl.clustering.unmerging import Merges
from tplcrawl.clustering.variants import reunited
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.fingerprints.url_shape import url_form
from tplcrawl.outline import NO_OUTLINE
from tplcrawl.records import Assignment
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
        locations = pages.inbound.locations_by_page(len(pages))
        stands = pages.stands(sample)
        evidence = gather(pages, sample, locations, stands.positions)
        similarities = {kind: one.similarities() for kind, one in evidence.items()}
        shapes = starting_shapes(similarities[STRUCTURE])
        merging = Agglomeration(
            similarities, shapes, _patience([locations[page] for page in sample], evidence[CLASSES])
        )
        merging.run()
        parted = refined(
            merging.clusters(),
            {**evidence, COLUMN: Evidence.of(stands.columns)},
            Merges(merging.merges, similarities[STRUCTURE]),
        )
        urls = [pages.urls[page] for page in sample]
        places = [
            (place := pages.first_locations[page]) and (place, url_form(url))
            for page, url in zip(sample, urls, strict=True)
        ]
        whole = reunited(joined(parted, urls, similarities), places, evidence)
        clusters = bound(
            let_go(whole, evidence, similarities),
            evidence,
            similarities[STRUCTURE],
            lambda row: pages.features[sample[row]],
        )
        labels = np.empty(len(sample), np.int64)
        for number, rows in enumerate(clusters):
            labels[rows] = number
        sums = [alike.sums(labels) for alike in similarities.values()]
        inside = {kind: _inside(labels, one) for kind, one in zip(evidence, sums, strict=True)}
        classifier = Representatives(evidence, clusters, inside)
        known = dict(zip(sample, _assign_sample(labels, sums, inside), strict=True))
        return Clustering(
            tuple(_assign_rest(pages, locations, known, classifier)), classifier, len(sample)
        )


def _patience(locations: Sequence[Hashes], classes: Evidence) -> float:
    """What merges of pages may have against them, by what is known of most of them, as the
    *locations* that lead to each: saved pages, or a few of a large site, have no links to them, and
    are judged by what they show."""
    if 2 * sum(len(own) > 0 for own in locations) < len(locations):
        return UNLINKED
    return PATIENCE if classes.speaks else BARE


def _inside(labels: Ints, sums: Floats) -> Floats:
    """The average similarity of two pages of each cluster, from the *sums* of each page's with all
    of each; ``nan`` for a single page's."""
    sizes = np.bincount(labels)
    own = np.bincount(labels, sums[np.arange(len(labels)), labels]) - sizes
    pairs = sizes * (sizes - 1)
    return np.where(pairs > 0, np.maximum(own, 0.0) / np.maximum(pairs, 1), np.nan)


def _assign_sample(
    labels: Ints, sums: Sequence[Floats], inside: Mapping[str, Floats]
) -> Iterator[Assignment]:
    """The assignments of the pages that the clusters were found from."""
    sizes = np.bincount(labels)
    member = labels[:, None] == np.arange(len(sizes))
    others = np.maximum(sizes - member, 1)
    ratios = np.empty((len(sums), *member.shape))
    for row, (own, alike) in enumerate(zip(inside.values(), sums, strict=True)):
        ratios[row] = log_ratio((alike - member) / others, np.where(np.isnan(own), 1.0, own))
    sure = confidences(score(tuple(inside), ratios), labels)
    for label, confidence in zip(labels.tolist(), sure, strict=True):
        if sizes[label] > 1:
            yield Assignment(label, confidence, "merged by the evidence")
        else:
            yield Assignment(label, 0.5, "like no other page")


def _assign_rest(
    pages: Pages,
    locations: Sequence[Hashes],
    known: Mapping[int, Assignment],
    classifier: Representatives,
) -> Iterator[Assignment]:
    """The assignments of all pages."""
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
