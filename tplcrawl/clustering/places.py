"""How far the places of links to two sets of pages differ.

Places are told three times. General locations always say where a link stands: in which list, in
which menu. Positions say more where they are one place for many pages, as in a menu or among tabs;
in a list, each page has a place of its own, by which nothing can be told. Where the rows of a list
have columns, these say it, whatever the row: here the author of each book, there its title.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tplcrawl.clustering.agglomeration import SMOOTHING
from tplcrawl.clustering.evidence import COLUMN, LOCATION, POSITION, Evidence
from tplcrawl.clustering.looks import Shared, tanimoto
from tplcrawl.clustering.pairs import Flags, Floats, Ints
from tplcrawl.fingerprints.tag_paths import Hashes

FEW = 0.02
"""A place that leads to fewer of the pages is a row of a list, if it is not steady."""

STEADY = 5
"""A place is steady that leads to so many pages, to each from so many pages on average. The entry
of a menu leads from all pages of a project to the one page of its files, and where the site is
large, these are few of its pages."""

ENTRY = 0.7
"""How far pages of either part agree in the positions of links, and the parts differ in these,
where the parts are two entries of menus."""


def elsewhere(members: Ints, ones: Flags, evidence: Mapping[str, Evidence]) -> Floats:
    """How far the places of links differ between the *members* that a row of *ones* flags and the
    others, from 0 to 1, for each row.

    Positions, alone or with columns, count as much as two pages of one set agree in them, at most
    as much as locations.
    """
    general, exact, columns = (
        Shared.of(evidence[kind].common(members), ones, ~ones)
        for kind in (LOCATION, POSITION, COLUMN)
    )
    return np.maximum(_differ(general, exact), _differ(general, exact + columns))


def _differ(general: Shared, exact: Shared) -> Floats:
    agreed = np.maximum(_part(exact.one, exact.own_one), _part(exact.other, exact.own_other))
    alike = (1 - _apart(general)) * (1 - _apart(exact)) ** agreed
    return np.asarray(1 - alike ** (1 / (1 + agreed)), np.float64)


def entries(members: Ints, ones: Flags, others: Flags, evidence: Mapping[str, Evidence]) -> Flags:
    """Whether links to two parts of *members* stand in two entries of menus: a row each of *ones*
    and *others* for several pairs of parts. Each page has a tab for its history, or a link to a
    form of its own to log in."""
    exact = Shared.of(evidence[POSITION].common(members), ones, others)
    agreed = np.minimum(_part(exact.one, exact.own_one), _part(exact.other, exact.own_other))
    return np.asarray((agreed >= ENTRY) & (_apart(exact) >= ENTRY), np.bool_)


def rows_of_lists(spots: Hashes, links: Ints, pages: int) -> Flags:
    """Which of *spots*, places that each lead to one of so many *pages* by so many *links*, are
    rows of lists. A place stands there once for each page that it leads to.

    >>> menu, row = [1] * 5, [2] * 5
    >>> flags = rows_of_lists(np.array(menu + row, np.uint32), np.array([9] * 5 + [1] * 5), 1000)
    >>> flags.tolist() == [False] * 5 + [True] * 5
    True
    """
    _, place, targets = np.unique(spots, return_inverse=True, return_counts=True)
    sources = np.bincount(place, links, minlength=len(targets))
    steady = (targets >= STEADY) & (sources >= STEADY * targets)
    return np.asarray((~steady & (targets < int(FEW * pages)))[place], np.bool_)


def _apart(shared: Shared) -> Floats:
    """How far two sets differ, if any two pages had a little in common: rare coincidences count as
    none."""
    little = SMOOTHING * (shared.own_one + shared.own_other) / 2
    return tanimoto(shared.one + little, shared.other + little, shared.across + little)


def _part(common: Floats, own: Floats) -> Floats:
    """The part of what pages have that two of them have in common."""
    return np.divide(common, own, out=np.zeros_like(own), where=own > 1e-9)
