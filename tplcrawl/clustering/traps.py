"""Places that give new URLs without end, and nothing new on their pages: calendars, filters in
every combination, sessions in paths, mirrored folders.

Whatever a trap is made of, it shows itself in one way: pages of one template, linked from one
location on that same template, say nearly the same, and each gives more URLs of its own kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LEAST = 12
"""Pages of a place that are looked at before it is called a trap."""
_SAME = 0.8
"""The share of its pages that say what others of them say already."""
_ENDLESS = 1.5
"""New URLs of its own kind that each of its pages gives."""


@dataclass(frozen=True, slots=True)
class Corner:
    """Pages that one location leads to, on pages of their own template."""

    texts: Sequence[int]
    """A hash of what each of them says."""
    urls: int
    """URLs that were found there, fetched or not."""


def is_trap(corner: Corner) -> bool:
    """Whether *corner* goes on for ever and says nothing.

    >>> is_trap(Corner([7] * 20, 90)), is_trap(Corner(list(range(20)), 90))
    (True, False)
    >>> is_trap(Corner([7] * 20, 20))
    False
    """
    pages = len(corner.texts)
    if pages < LEAST:
        return False
    again = 1 - len(set(corner.texts)) / pages
    return again >= _SAME and corner.urls >= _ENDLESS * pages
