"""What holds a small cluster together: something that its pages have and few others.

Of a template with one page, such as a contact form or an index, nothing is known but what it lacks:
what is its own is on no second page, and says nothing. Several such pages lack the same, and merge.
So a small cluster must have a bond: a piece of structure, a class of the ``body`` or a word of the
URL that all its pages have and few of the other pages. Of a cluster without one, pages stay
together only if two of them have something in common that few others have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

from tplcrawl.clustering.evidence import BODY, STRUCTURE, URL, Evidence, shown
from tplcrawl.clustering.pairs import Flags, Floats
from tplcrawl.clustering.strays import LEAST
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes

SELDOM = 0.25
"""The share of the other pages that may have a bond."""

KINDS = STRUCTURE, BODY, URL
"""What a bond may be of. A place of links is none: a menu leads to all such pages."""


def bound(
    clusters: Sequence[Sequence[int]],
    evidence: Mapping[str, Evidence],
    features: Callable[[int], Features],
) -> list[list[int]]:
    """*clusters*, small ones without a bond in parts; ordered by first member. *features* are those
    of a row of *evidence*, which itself has nothing of what few pages have."""
    found: list[list[int]] = []
    told = {kind: _Told.of(evidence[kind]) for kind in KINDS}
    for members in clusters:
        if 1 < len(members) < LEAST:
            found += _parts(members, told, [features(row) for row in members])
        else:
            found.append(list(members))
    return sorted(found)


def _parts(
    members: Sequence[int], told: Mapping[str, _Told], features: Sequence[Features]
) -> list[list[int]]:
    """The parts of *members* that have nothing to do with each other."""
    telling = np.concatenate([_telling(kind, told[kind], features) for kind in KINDS], axis=1)
    if telling.all(axis=0).any():
        return [list(members)]
    count, labels = connected_components(telling.astype(np.float32) @ telling.T, directed=False)
    rows = np.array(members)
    return [rows[labels == part].tolist() for part in range(count)]


def _telling(kind: str, told: _Told, features: Sequence[Features]) -> Flags:
    """Which pages have each member of one kind that few pages have but these."""
    sets = [shown(kind, one) for one in features]
    owners = np.arange(len(sets)).repeat([len(one) for one in sets])
    members, columns = np.unique(np.concatenate(sets), return_inverse=True)
    has = np.zeros((len(sets), len(members)), bool)
    has[owners, columns] = True
    _, at, own = np.intersect1d(told.members, members, assume_unique=True, return_indices=True)
    others = np.zeros(len(members))
    others[own] = told.counts[at] - has.sum(axis=0)[own]
    return has[:, others <= SELDOM * (told.pages - len(features))]


class _Told(NamedTuple):
    """How many of all pages have each member of one kind of evidence."""

    members: Hashes
    counts: Floats
    pages: int

    @classmethod
    def of(cls, evidence: Evidence) -> _Told:
        pages = len(evidence.rows)
        return cls(evidence.table.members, evidence.frequencies() * pages, pages)
