"""Bunches by how little is known of them.

Whether a try of a bunch is wanted depends on how likely something else comes and on how often it
was tried. A site has thousands of bunches of which the same is said, so what is said is looked at
once for all of them, not bunch by bunch each time that a URL is picked.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Generic, Protocol, TypeVar

Said = tuple[float, int]
"""How likely something else comes, and how often it was tried."""


class Ranked(Protocol):
    """What is ranked."""

    number: int
    doubt: float
    tries: int

    @property
    def worth(self) -> float:
        """What one more try tells; the same for all of which the same is said."""
        ...


R = TypeVar("R", bound=Ranked)


class Ranks(Generic[R]):
    """Entries by worth. O(log n) to add one; O(1) for each thing that is said of some that nobody
    wants, and amortised for each entry that does not hold any more."""

    def __init__(self, holds: Callable[[R], bool]) -> None:
        self._holds = holds
        self._alike: dict[Said, list[tuple[int, R]]] = {}
        self._order: list[tuple[float, Said]] = []

    def add(self, entry: R) -> None:
        """Rank *entry* by what is said of it now; what was said before does not hold any more."""
        said = entry.doubt, entry.tries
        alike = self._alike.get(said)
        if alike is None:
            alike = self._alike[said] = []
            heappush(self._order, (-entry.worth, said))
        heappush(alike, (entry.number, entry))

    def best(self, least: float, fit: Callable[[R], bool]) -> R | None:
        """The entry of the highest worth, of those that are worth *least* and *fit*; of equal ones
        the first. All of which the same is said fit, or none."""
        passed, found = [], None
        while found is None and self._order and -self._order[0][0] >= least:
            first = self._first(self._order[0][1])
            if first is None:
                del self._alike[heappop(self._order)[1]]
            elif fit(first):
                found = first
            else:
                passed.append(heappop(self._order))
        for entry in passed:
            heappush(self._order, entry)
        return found

    def _first(self, said: Said) -> R | None:
        alike = self._alike[said]
        while alike:
            entry = alike[0][1]
            if (entry.doubt, entry.tries) == said and self._holds(entry):
                return entry
            heappop(alike)
        return None
