"""Bunches by what the next URL of each may be worth.

A site has thousands of places with links, and an answer tells of a few. So what a bunch is worth is
kept, and weighed anew only where what tells of it has changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heappop, heappush

from tplcrawl.planning.bunches import Bunch
from tplcrawl.planning.outcomes import Record

Worth = tuple[bool, float]
"""Whether a URL is to be fetched in any case, and what it may be worth."""

_Entry = tuple[bool, float, int, int]
"""What sorts a bunch: both of its worth, turned round, its first URL, and its number."""


class Prospects:
    """Knows the best of all bunches. O(log bunches) for each that has changed."""

    def __init__(self, weigh: Callable[[Bunch], tuple[Worth, Sequence[Record]]]) -> None:
        self._weigh = weigh
        """What a bunch is worth, and what tells that."""
        self._heap: list[_Entry] = []
        self._current: dict[int, _Entry] = {}
        self._bunches: dict[int, Bunch] = {}
        self._changed: dict[int, Bunch] = {}
        self._readers: defaultdict[Record, dict[int, Bunch]] = defaultdict(dict)

    def clear(self) -> None:
        """Forget all bunches."""
        self._heap.clear()
        for known in (self._current, self._bunches, self._changed, self._readers):
            known.clear()

    def change(self, bunch: Bunch) -> None:
        """What waits in *bunch* has changed, or what is expected of it."""
        self._changed[bunch.number] = bunch

    def best(
        self, news: Iterable[Record], fit: Callable[[Bunch], bool]
    ) -> tuple[Bunch, Worth] | None:
        """The bunch that is worth most, of those that *fit*; of equal ones the one with the URL
        that was discovered first. *news* is what has changed of what tells of them."""
        for record in news:
            self._changed.update(self._readers.get(record, {}))
        for bunch in self._changed.values():
            self._file(bunch)
        self._changed.clear()
        aside = []
        found = None
        while self._heap and found is None:
            entry = self._heap[0]
            if self._current.get(entry[-1]) != entry:
                heappop(self._heap)
            elif fit(self._bunches[entry[-1]]):
                found = self._bunches[entry[-1]], (not entry[0], -entry[1])
            else:
                aside.append(heappop(self._heap))
        for entry in aside:
            heappush(self._heap, entry)
        return found

    def _file(self, bunch: Bunch) -> None:
        if not bunch.strands:
            self._current.pop(bunch.number, None)
            return
        (sure, value), records = self._weigh(bunch)
        for record in records:
            self._readers[record][bunch.number] = bunch
        entry = not sure, -value, bunch.first, bunch.number
        if self._current.get(bunch.number) == entry:
            return
        self._current[bunch.number] = entry
        self._bunches[bunch.number] = bunch
        if len(self._heap) > 2 * len(self._current) + 64:
            self._heap = list(self._current.values())
            heapify(self._heap)
        else:
            heappush(self._heap, entry)
