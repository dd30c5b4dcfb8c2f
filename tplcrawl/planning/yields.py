"""What the pages of each template lead to.

Pages of a template of which there are enough are still worth a fetch if they lead to others: lists
and indexes do, until all that they list is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

_RECENT = 0.2
"""The weight of the last page of a template, once there are five."""

Kind = int | None
"""The template that a URL is expected to be of; ``None`` where nothing is."""


class Yields:
    """For each template, how many needed pages of each other one its last pages have led to."""

    def __init__(self) -> None:
        self._pages: defaultdict[int, int] = defaultdict(int)
        self._given: defaultdict[int, dict[Kind, float]] = defaultdict(dict)

    def note(self, template: int) -> None:
        """A page of *template* came: what earlier ones led to counts less. O(templates)."""
        self._pages[template] += 1
        keep = 1 - self._weight(template)
        given = self._given[template]
        self._given[template] = {k: mean * keep for k, mean in given.items() if mean > 1e-3}

    def credit(self, template: int, kind: Kind) -> None:
        """A page of *template* has led to a needed page of *kind*."""
        given = self._given[template]
        given[kind] = given.get(kind, 0.0) + self._weight(template)

    def of(self, template: int, needed: Callable[[Kind], bool]) -> float:
        """The needed pages that the next page of *template* may be expected to lead to.

        >>> yields = Yields()
        >>> yields.note(1)
        >>> yields.credit(1, 7)
        >>> yields.credit(1, 7)
        >>> yields.of(1, lambda kind: kind == 7), yields.of(1, lambda kind: kind == 8)
        (2.0, 0)
        """
        return sum(mean for kind, mean in self._given[template].items() if needed(kind))

    def _weight(self, template: int) -> float:
        return max(_RECENT, 1 / max(self._pages[template], 1))
