"""The kinds of evidence that two pages share a template, each as a similarity of all pairs.

Every member of a page's sets is weighted by what it says on this site (the entropy of its
presence), so that neither the chrome nor one-off content counts, and nothing is tuned by hand to a
content system's vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.similarity.sets import Matrix, SetTable, entropy_weights

LOCATION = "location"
"""The evidence of where links to a page stand: the only kind that is not read from the page."""


def _structure(features: Features) -> Hashes:
    return np.union1d(features.tag_paths, features.class_paths)


_READERS: dict[str, Callable[[Features], Hashes]] = {
    "tag paths": lambda features: features.tag_paths,
    "structure": _structure,
    "classes": lambda features: features.classes,
    "body": lambda features: features.body,
    "url": lambda features: features.url,
}
KINDS = (*_READERS, LOCATION)

RARE = 0.005
"""Members on fewer than this share of the pages are content."""


def read(kind: str, features: Features, locations: Hashes) -> Hashes:
    """A page's set of one kind of evidence."""
    return locations if kind == LOCATION else _READERS[kind](features)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One kind of evidence over a sample of a site's pages."""

    table: SetTable
    weights: npt.NDArray[np.float32]

    @classmethod
    def of(cls, sets: Sequence[Hashes]) -> Evidence:
        table = SetTable.of(sets, at_least=max(2, int(RARE * len(sets))))
        return cls(table, entropy_weights(table.frequencies()))

    def similarities(self) -> Matrix:
        """Of every pair of the sample's pages."""
        return self.table.weighted_jaccard(self.weights)


def gather(pages: Pages, sample: Sequence[int]) -> dict[str, Evidence]:
    """All kinds of evidence over the pages of *sample*, indices into *pages*."""
    locations = pages.inbound.locations_by_page(len(pages))
    features = [pages.features[i] for i in sample]
    return {
        kind: Evidence.of(
            [read(kind, one, locations[i]) for one, i in zip(features, sample, strict=True)]
        )
        for kind in KINDS
    }
