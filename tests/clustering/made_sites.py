"""Made sites: pages of some features and outlines without links, and the clusters of such."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tests.made_trees import Rows, outline_of
from tplcrawl.clustering.base import Arrival, Clustering
from tplcrawl.clustering.inbound import InboundCounter
from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import hash_set
from tplcrawl.outline import Outline

EMPTY = Outline((), (), (), ())
_NOTHING = np.empty(0, np.uint32)

Parts = list[list[int]]
"""The pages of each cluster, all in ascending order."""


def make_features(paths: Iterable[int] = (), mark: bytes = b"") -> Features:
    """Features with these tag paths, and with *mark* for the LZW fingerprint."""
    return Features(hash_set(paths), _NOTHING, _NOTHING, _NOTHING, _NOTHING, mark)


NO_FEATURES = make_features()


def site_of(outlines: Sequence[Outline], features: Sequence[Features] | None = None) -> Pages:
    """Pages of these outlines; without features, unless they are given."""
    return Pages(
        urls=[f"http://a.com/{n}" for n in range(len(outlines))],
        features=[NO_FEATURES] * len(outlines) if features is None else features,
        outlines=outlines,
        inbound=InboundCounter().result(),
        first_locations=[None] * len(outlines),
    )


def site_of_trees(trees: Iterable[Rows]) -> Pages:
    """Pages that are these trees."""
    return site_of([outline_of(rows) for rows in trees])


def site_of_sets(sets: Sequence[Iterable[int]]) -> Pages:
    """Pages that have these tag paths, and no outlines."""
    return site_of([EMPTY] * len(sets), [make_features(paths) for paths in sets])


def arrival(outline: Outline) -> Arrival:
    """A later page of this outline, without features."""
    return Arrival(NO_FEATURES, outline)


def arrival_with(paths: Iterable[int]) -> Arrival:
    """A later page with these tag paths, and without an outline."""
    return Arrival(make_features(paths), EMPTY)


def labels_of(found: Clustering) -> list[int | None]:
    """The template of each page."""
    return [one.template for one in found.assignments]


def parts_of(labels: Sequence[int | None], order: Sequence[int] | None = None) -> Parts:
    """The pages of each label; their numbers are those of *order*, if it is given."""
    numbers = range(len(labels)) if order is None else order
    return sorted(
        sorted(n for n, own in zip(numbers, labels, strict=True) if own == label)
        for label in {*labels}
    )


def partition(found: Clustering) -> Parts:
    """The pages of each cluster."""
    return parts_of(labels_of(found))


def linked_in(found: Clustering) -> list[tuple[int, int | None]]:
    """The pages that were compared with each other, not assigned later, and their templates."""
    return [
        (page, one.template)
        for page, one in enumerate(found.assignments)
        if one.reason == "linked by similarity"
    ]
