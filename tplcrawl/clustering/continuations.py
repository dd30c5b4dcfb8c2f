"""Clusters of pages that continue those of another: page 2 of a list, version 3 of an article.

Links to them stand elsewhere, in a pager or a history, and their URLs are not those of the pages
that they continue; so all that is known of them without a look speaks for another template. But
they are known: the URL of each is that of another page and a number. Then only looks count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from tplcrawl.clustering.agglomeration import log_ratio, score
from tplcrawl.clustering.evidence import HEARSAY
from tplcrawl.clustering.joining import Clusters, joined_while
from tplcrawl.clustering.pairs import Pairs
from tplcrawl.fingerprints.url_shape import continued

LEAST = 2.0
"""What :func:`~tplcrawl.clustering.agglomeration.score` must say of looks alone."""

FEWEST, SHARE = 5, 0.2
"""The fewest pages that are continued, and the share of a cluster's pages that are known to
continue one; a sample has not all pages."""

AGREE = 0.8
"""The share of these that must continue pages of one cluster."""

AGAIN = 2
"""How often each number comes, on average. Pages are numbered alike whatever they continue, items
of a list are not."""


def joined(
    clusters: Clusters, urls: Sequence[str], similarities: Mapping[str, Pairs]
) -> list[list[int]]:
    """*clusters* of pages with *urls*, those joined that are continued by another and look like it;
    ordered by first member."""
    rows = {url: row for row, url in enumerate(urls)}
    known = [
        next(((number, rows[base]) for number, base in continued(url) if base in rows), None)
        for url in urls
    ]
    return joined_while(clusters, lambda found: _next(found, known, similarities))


def _next(
    clusters: Clusters,
    known: Sequence[tuple[str, int] | None],
    similarities: Mapping[str, Pairs],
) -> tuple[int, int] | None:
    """Two clusters of which the second continues the first, and that look alike."""
    owner = {row: number for number, members in enumerate(clusters) for row in members}
    for number, members in enumerate(clusters):
        continuing = [told for row in members if (told := known[row]) is not None]
        if len(continuing) < max(FEWEST, SHARE * len(members)):
            continue
        of = defaultdict[int, list[tuple[str, int]]](list)
        for told in continuing:
            of[owner[told[1]]].append(told)
        of.pop(number, None)
        most = max(of, key=lambda one: (len(of[one]), -one), default=None)
        if most is None or len(of[most]) < AGREE * sum(map(len, of.values())):
            continue
        times, bases = Counter(told for told, _ in of[most]), {base for _, base in of[most]}
        numbered = len(bases) >= FEWEST and times.total() >= AGAIN * len(times)
        if numbered and _looks(clusters[most], members, similarities) >= LEAST:
            return most, number
    return None


def _looks(one: Sequence[int], other: Sequence[int], similarities: Mapping[str, Pairs]) -> float:
    """The score of joining two clusters by what their pages show."""
    looks = {kind: alike for kind, alike in similarities.items() if kind not in HEARSAY}
    across = [np.mean(alike.between(one, other), dtype=np.float64) for alike in looks.values()]
    inside = [alike.average(one) * alike.average(other) for alike in looks.values()]
    return float(score(tuple(looks), log_ratio(np.array(across), np.sqrt(inside)))[()])
