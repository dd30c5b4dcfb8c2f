"""How far the places of links to two sets of pages differ.

Places are told twice. General locations always say where a link stands: in which list, in which
menu. Positions say more where they are one place for many pages, as in a menu or among tabs; in a
list, each page has a place of its own, by which nothing can be told.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tplcrawl.clustering.agglomeration import SMOOTHING
from tplcrawl.clustering.evidence import LOCATION, POSITION, Evidence
from tplcrawl.clustering.looks import Shared, tanimoto
from tplcrawl.clustering.pairs import Flags, Floats, Ints


def elsewhere(members: Ints, ones: Flags, evidence: Mapping[str, Evidence]) -> Floats:
    """How far the places of links differ between the *members* that a row of *ones* flags and the
    others, from 0 to 1, for each row.

    Positions count as much as two pages of one set agree in them, at most as much as locations.
    """
    general, exact = (
        Shared.of(evidence[kind].common(members), ones, ~ones) for kind in (LOCATION, POSITION)
    )
    agreed = np.maximum(_part(exact.one, exact.own_one), _part(exact.other, exact.own_other))
    alike = (1 - _apart(general)) * (1 - _apart(exact)) ** agreed
    return np.asarray(1 - alike ** (1 / (1 + agreed)), np.float64)


def _apart(shared: Shared) -> Floats:
    """How far two sets differ, if any two pages had a little in common: rare coincidences count as
    none."""
    little = SMOOTHING * (shared.own_one + shared.own_other) / 2
    return tanimoto(shared.one + little, shared.other + little, shared.across + little)


def _part(common: Floats, own: Floats) -> Floats:
    """The part of what pages have that two of them have in common."""
    return np.divide(common, own, out=np.zeros_like(own), where=own > 1e-9)
