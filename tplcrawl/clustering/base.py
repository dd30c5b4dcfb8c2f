"""The seam between methods and everything that uses them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline
from tplcrawl.records import Assignment


@dataclass(frozen=True, slots=True)
class Arrival:
    """A page that was not there when the templates were found."""

    features: Features
    outline: Outline
    first_location: Hashable | None = None
    """See :attr:`Pages.first_locations`."""
    locations: Hashes = field(default_factory=lambda: np.empty(0, np.uint32))
    """The general locations that are known to lead to it."""
    url: str = ""
    """Empty where it is not known."""


class Classifier(ABC):
    """Assigns pages that were not there when the templates were found."""

    @abstractmethod
    def assign(self, page: Arrival) -> Assignment:
        """The template of *page*: the number of a cluster of the clustering that this is from."""


@dataclass(frozen=True, slots=True)
class Clustering:
    """What a method found: an assignment for each page, its clusters numbered from 0."""

    assignments: tuple[Assignment, ...]
    classifier: Classifier
    learned_from: int
    """The pages that were compared to find the clusters; the others were assigned to them."""


def with_others(
    pages: Pages, known: Mapping[int, Assignment], classifier: Classifier
) -> Clustering:
    """What a method found that compared the *known* pages only: *classifier* assigns the others."""
    return Clustering(
        tuple(
            known[i]
            if i in known
            else classifier.assign(
                Arrival(pages.features[i], pages.outlines[i], pages.first_locations[i])
            )
            for i in range(len(pages))
        ),
        classifier,
        learned_from=len(known),
    )


class Method(ABC):
    """A way from pages to templates. Its parameters are checked when it is made."""

    name: ClassVar[str]
    """What users call it."""

    needs_links: ClassVar[bool] = False
    """Whether it finds nothing in an input without links."""

    skims: ClassVar[bool] = False
    """Whether it reads nothing of a page but its URL and its LZW fingerprint: the page need not be
    parsed then."""

    def parameters(self) -> dict[str, Any]:
        """What :func:`~tplcrawl.clustering.methods.make_method` needs to make it again."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    @abstractmethod
    def cluster(self, pages: Pages) -> Clustering:
        """Group *pages* into templates. The same pages in the same order give the same answer."""
