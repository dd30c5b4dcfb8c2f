"""What holds a cluster together: something that its pages have and few others.

Of a template with one page, such as a contact form or an index, nothing is known but what it lacks:
what is its own is on no second page, and says nothing. Several such pages lack the same, and merge;
so do the views of a program of which each has much of its own. So a cluster should have a bond: a
piece of structure, a class of the ``body`` or a word of the URL that all its pages have and few of
the other pages. Of a cluster without one, pages stay together only if two of them have something in
common that few others have: anything where they are few; where they are many, a part of what is
rare on either, unless they are alike anyway. Of many, one that shows next to nothing of its own
stays with most of the others: plain text has no bond.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, hstack
from scipy.sparse.csgraph import connected_components

from tplcrawl.clustering.evidence import BODY, STRUCTURE, URL, Evidence, shown
from tplcrawl.clustering.pairs import Flags, Floats, Ints, Pairs
from tplcrawl.clustering.strays import LEAST
from tplcrawl.fingerprints.features import Features

SELDOM = 0.25
"""The share of the other pages that may have a bond."""

SHARED, ALIKE = 0.1, 0.5
"""The part of what is rare on two pages of many that they have in common, or how alike they are in
structure. Pages of the one large template of a site may have a lot of rare things each."""

OWN = 6
"""The rare pieces of structure that a page has which leaves many others alone."""

KINDS = STRUCTURE, BODY, URL
"""What a bond may be of. A place of links is none: a menu leads to all such pages."""


def bound(
    clusters: Sequence[Sequence[int]],
    evidence: Mapping[str, Evidence],
    alike: Pairs,
    features: Callable[[int], Features],
) -> list[list[int]]:
    """*clusters*, those without a bond in parts; ordered by first member. Pages are so much
    *alike* in structure. *features* are those of a row of *evidence*, which itself has nothing of
    what few pages have."""
    found: list[list[int]] = []
    told = {kind: _Told.of(evidence[kind]) for kind in KINDS}
    for members in clusters:
        if len(members) > 1 and not any(one.bond(members) for one in told.values()):
            found += _parts(members, told, alike, [features(row) for row in members])
        else:
            found.append(list(members))
    return sorted(found)


def _parts(
    members: Sequence[int],
    told: Mapping[str, _Told],
    alike: Pairs,
    features: Sequence[Features],
) -> list[list[int]]:
    """The parts of *members* that have nothing to do with each other."""
    by_kind = {kind: _telling(kind, told[kind], features) for kind in KINDS}
    telling = hstack(list(by_kind.values()), format="csr")
    if telling.sum(axis=0).max(initial=0) == len(members):
        return [list(members)]
    common = (telling @ telling.T).toarray()
    if len(members) < LEAST:
        labels: Ints = connected_components(common > 0, directed=False)[1]
    else:
        own = np.diag(common)
        rare = own[:, None] + own - common
        linked = (common > 0) & (common >= SHARED * rare)
        linked |= alike.between(members, members) >= ALIKE
        labels = connected_components(linked, directed=False)[1]
        labels = _with_plain(labels, by_kind[STRUCTURE].sum(axis=1) < OWN)
    rows = np.array(members)
    return [rows[labels == part].tolist() for part in np.unique(labels)]


def _with_plain(labels: Ints, plain: Flags) -> Ints:
    """*labels* of parts, pages that are *plain* and alone with most of the others: with each other
    where all are alone."""
    sizes = np.bincount(labels)
    alone = plain & (sizes[labels] == 1)
    if not alone.any():
        return labels
    home = int(np.argmax(sizes)) if sizes.max() > 1 else int(labels[alone][0])
    return np.where(alone, home, labels)


def _telling(kind: str, told: _Told, features: Sequence[Features]) -> csr_array:
    """Which pages have each member of one kind that few pages have but these."""
    sets = [shown(kind, one) for one in features]
    ends = np.cumsum([0, *(len(one) for one in sets)])
    members, columns = np.unique(np.concatenate(sets), return_inverse=True)
    has = csr_array((np.ones(len(columns), np.float32), columns, ends), (len(sets), len(members)))
    known = told.evidence.table.members
    _, at, own = np.intersect1d(known, members, assume_unique=True, return_indices=True)
    others = np.zeros(len(members))
    others[own] = told.counts[at] - has.sum(axis=0)[own]
    return has[:, np.flatnonzero(others <= SELDOM * (len(told.evidence.rows) - len(features)))]


@dataclass(frozen=True, slots=True)
class _Told:
    """How many of all pages have each member of one kind of evidence."""

    evidence: Evidence
    counts: Floats

    @classmethod
    def of(cls, evidence: Evidence) -> _Told:
        return cls(evidence, evidence.frequencies() * len(evidence.rows))

    def bond(self, members: Sequence[int]) -> bool:
        """Whether all of *members* have something that few others have. What the evidence leaves
        out, fewer pages have."""
        held = self.evidence.table.rows[self.evidence.rows[members]].sum(axis=0)
        most = SELDOM * (len(self.evidence.rows) - len(members))
        return bool(((held == len(members)) & (self.counts - held <= most)).any())
