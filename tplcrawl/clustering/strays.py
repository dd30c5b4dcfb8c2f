"""Single pages that a cluster has swallowed: a home page among articles, an index among entries.

Merging bears much against a page that nothing else is like. It is let go where three witnesses say
so: it looks much less like the others than they look like each other, it lacks what all of them
have, and its URL is not like theirs either. A variant of a template is one by its looks alone.
Places of links do not count here: many a page of a wiki is linked from one odd place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tplcrawl.clustering.evidence import STRUCTURE, URL, Evidence
from tplcrawl.clustering.furniture import ALL, OF_ONE
from tplcrawl.clustering.pairs import Flags, Ints, Pairs

LEAST = 12
"""The fewest pages that show what is usual among them."""

FAR = 0.6
"""A page is far from the others where it is less than so much as alike to them as they are to each
other."""


def let_go(
    clusters: Sequence[Sequence[int]],
    evidence: Mapping[str, Evidence],
    similarities: Mapping[str, Pairs],
) -> list[list[int]]:
    """*clusters*, each stray page one by itself; ordered by first member."""
    found: list[list[int]] = []
    for cluster in clusters:
        members = np.array(cluster, np.int64)
        strays = _strays(members, evidence, similarities)
        found += [[page] for page in members[strays].tolist()]
        found.append(members[~strays].tolist())
    return sorted(found)


def _strays(
    members: Ints, evidence: Mapping[str, Evidence], similarities: Mapping[str, Pairs]
) -> Flags:
    """Which of *members* do not belong to the others."""
    if len(members) < LEAST:
        return np.zeros(len(members), bool)
    strays = _far(similarities[STRUCTURE], members)
    if strays.any():
        strays &= _far(similarities[URL], members)
    if strays.any():
        strays[strays] = _lacks(evidence[STRUCTURE], members, strays) >= OF_ONE
    return strays


def _far(alike: Pairs, members: Ints) -> Flags:
    """Which of *members* are far from the others."""
    own, times = alike.among(members)
    count = len(members)
    sums = ((own.values.astype(np.float64) * times).sum(axis=1) - np.diag(own.values))[own.rows]
    rest = (sums.sum() - 2 * sums) / ((count - 1) * (count - 2))
    far: Flags = sums / (count - 1) < FAR * rest
    return far


def _lacks(structure: Evidence, members: Ints, some: Flags) -> Ints:
    """How much each of *some* of *members* lacks that all others have."""
    table, rows = structure.table.rows, structure.rows[members]
    held = table.T @ np.bincount(rows, minlength=table.shape[0]).astype(np.float64)
    has = table[rows[some]].toarray() > 0
    others = (held - has) / (len(members) - 1)
    lacks: Ints = ((others >= ALL) & ~has).sum(axis=1)
    return lacks
