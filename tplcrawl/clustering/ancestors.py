"""Pages of an earlier crawl, with which a model begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tplcrawl.clustering.inbound import Inbound
from tplcrawl.clustering.predictions import Link
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A page whose template is known for good. It is compared with the pages of the crawl, and
    counts as none of them: templates keep their ids because its own stays what it was."""

    template: int
    link: Link
    """How it was found, without the page that the link stood on."""
    on: int | None
    """The template of that page."""
    features: Features
    outline: Outline
    inbound: tuple[tuple[int, bool, int], ...]
    """The locations that led to it, whether in running text, and from how many pages."""


def inbound_of(ancestors: Sequence[Ancestor]) -> Inbound:
    """The links to *ancestors*, which have the ids -n … -1: they come before all pages."""
    rows = [
        (number - len(ancestors), *row)
        for number, ancestor in enumerate(ancestors)
        for row in ancestor.inbound
    ]
    pages, locations, prose, counts = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Inbound(
        np.array(pages, np.int64),
        np.array(locations, np.int64),
        np.array(prose, bool),
        np.array(counts, np.int64),
    )
