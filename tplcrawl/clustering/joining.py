"""Clusters joined two by two."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Clusters = Sequence[Sequence[int]]


def joined_while(
    clusters: Clusters, pair: Callable[[Clusters], tuple[int, int] | None]
) -> list[list[int]]:
    """*clusters*, joined as long as *pair* finds two to join; ordered by first member.

    >>> joined_while([[0, 3], [1], [2]], lambda found: (0, 1) if len(found) > 2 else None)
    [[0, 1, 3], [2]]
    """
    found = [list(members) for members in clusters]
    while (two := pair(found)) is not None:
        one, other = two
        found[one] = sorted(found[one] + found[other])
        del found[other]
    return sorted(found)
