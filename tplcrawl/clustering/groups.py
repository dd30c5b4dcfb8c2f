"""Pages grouped by the location of the link that first led to them (paper 001, section 3.3)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

PAPER_CUTOFF, PAPER_PAGES = 100, 76_503
"""The paper's cut-off, and the mean size of the sites it was found on (table 1)."""

SMALLEST_CUTOFF = 3

Cutoff = int | None
"""The fewest pages of a group that counts; ``None`` is in proportion to the pages crawled."""


def groups_by_location(locations: Sequence[Hashable | None]) -> list[list[int]]:
    """The pages of each location, by their first page. Pages without a location are in no group.

    >>> groups_by_location(["a", None, "b", "a"])
    [[0, 3], [2]]
    """
    groups: dict[Hashable, list[int]] = {}
    for page, location in enumerate(locations):
        if location is not None:
            groups.setdefault(location, []).append(page)
    return list(groups.values())


def effective_cutoff(cutoff: Cutoff, pages: int) -> int:
    """The cut-off for so many pages. On its own it keeps the proportion of the paper: 100 pages of
    a site of 76,503, and no fewer than 3.

    >>> effective_cutoff(None, 1000), effective_cutoff(None, 76_503), effective_cutoff(10, 1000)
    (3, 100, 10)
    """
    if cutoff is not None:
        return cutoff
    return max(SMALLEST_CUTOFF, round(PAPER_CUTOFF * pages / PAPER_PAGES))
