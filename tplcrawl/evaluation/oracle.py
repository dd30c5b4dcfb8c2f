"""What a search for the pages of one template would fetch at least, if it knew the truth.

An oracle knows every page, its template and its links, but may only fetch what a page that it has
fetched links to. It wants all pages of one template that can be reached. They cost it nothing but
their own fetch; what costs is the pages between, the *hubs*. The fewest of these is a node-weighted
Steiner tree, which nobody finds in reasonable time, so it goes greedily: of all pages, it walks to
the one that shows the most wanted pages that no fetched page shows, for each hub on the shortest
way there. So it may fetch more than it must, and what it fetches bounds the fewest from above.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence

Graph = Mapping[int, Sequence[int]]
"""The pages that each page links to."""


def oracle(links: Graph, starts: Collection[int], wanted: Collection[int]) -> set[int]:
    """The pages that an oracle fetches, from *starts* on, to have all *wanted* ones that can be
    reached. O(hubs · links).

    >>> sorted(oracle({1: [2, 3], 2: [7], 3: [7, 8, 9], 9: [10]}, [1], [7, 8, 10]))
    [1, 3, 7, 8, 9, 10]
    """
    targets = set(wanted)
    fetched: set[int] = set()
    _fetch(starts, links, targets, fetched)
    while way := _best_way(links, targets, fetched):
        _fetch(way, links, targets, fetched)
    return fetched


def _fetch(pages: Collection[int], links: Graph, targets: set[int], fetched: set[int]) -> None:
    """Fetch *pages*, and every wanted page that comes in sight."""
    waiting = deque(pages)
    while waiting:
        page = waiting.popleft()
        if page not in fetched:
            fetched.add(page)
            waiting.extend(found for found in links.get(page, ()) if found in targets)


def _best_way(links: Graph, targets: set[int], fetched: set[int]) -> list[int]:
    """The pages to fetch next: the shortest way to the page that pays best."""
    before: dict[int, int | None] = dict.fromkeys(sorted(fetched))
    steps = dict.fromkeys(before, 0)
    waiting = deque(before)
    best, end = 0.0, None
    while waiting:
        page = waiting.popleft()
        for found in links.get(page, ()):
            if found not in before:
                before[found], steps[found] = page, steps[page] + 1
                waiting.append(found)
                shown = sum(
                    far in targets and far not in fetched for far in set(links.get(found, ()))
                )
                if shown / steps[found] > best:
                    best, end = shown / steps[found], found
    way: list[int] = []
    while end is not None and end not in fetched:
        way.append(end)
        end = before[end]
    return way[::-1]
