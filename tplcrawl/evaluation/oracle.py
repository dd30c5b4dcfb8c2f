"""What a search for the pages of one template would fetch at least, if it knew the truth: all of
it, or no more than anybody can know of what has not been fetched.

An oracle knows every page, its template and its links, but may only fetch what a page that it has
fetched links to. It wants all pages of one template that can be reached. They cost it nothing but
their own fetch; what costs is the pages between, the *hubs*. The fewest of these is a node-weighted
Steiner tree, which nobody finds in reasonable time, so it goes greedily: of all pages, it walks to
the one that shows the most wanted pages that no fetched page shows, for each hub on the shortest
way there. So it may fetch more than it must, and what it fetches bounds the fewest from above.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from heapq import heappop, heappush

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


Kinds = Mapping[int, Hashable]
"""The template of each page."""

_FAR = 0.5
"""What a page is worth that leads to another one, for what that is worth."""


def informed(
    links: Graph, starts: Iterable[int], wanted: Collection[int], kinds: Kinds
) -> list[int]:
    """The pages that an oracle fetches that knows less: the template of every URL, how many
    *wanted* pages those of each template show on average, and when it has all; but not the links of
    any page before it is fetched. Wanted pages come first, then what may show most; of equal ones,
    what was discovered first. O(links).

    >>> informed({1: [2, 3], 2: [7], 3: [8, 9]}, [1], [8, 9], dict(zip([1, 2, 3, 7], "abbc")))
    [1, 2, 3, 8, 9]
    """
    targets = set(wanted)
    worth = _worth(links, targets, kinds)
    seen: set[int] = set()
    waiting: list[tuple[bool, float, int, int]] = []
    fetched: list[int] = []
    enough = 0

    def see(pages: Iterable[int]) -> None:
        for page in pages:
            if page not in seen:
                seen.add(page)
                value = worth.get(kinds.get(page), 0.0)
                heappush(waiting, (page not in targets, -value, len(seen), page))

    see(starts)
    while waiting:
        *_, page = heappop(waiting)
        fetched.append(page)
        if page in targets:
            enough = len(fetched)
        see(links.get(page, ()))
    return fetched[:enough]


def _worth(links: Graph, targets: Set[int], kinds: Kinds) -> dict[Hashable, float]:
    """What a page of each template is worth: the wanted pages that it shows, or what it leads to
    through another one, on average."""
    pages: defaultdict[Hashable, list[int]] = defaultdict(list)
    for page, kind in kinds.items():
        pages[kind].append(page)
    worth: dict[Hashable, float] = {}
    shares: dict[Hashable, dict[Hashable, float]] = {}
    for kind, own in pages.items():
        shown = [set(links.get(page, ())) for page in own]
        worth[kind] = sum(len(one & targets) for one in shown) / len(own)
        led = Counter(way for one in shown for way in {kinds.get(page) for page in one})
        shares[kind] = {way: count / len(own) for way, count in led.items()}
    for _ in worth:
        before = dict(worth)
        for kind, ways in shares.items():
            far = (_FAR * share * before.get(way, 0.0) for way, share in ways.items())
            worth[kind] = max(before[kind], *far, 0.0)
        if worth == before:
            break
    return worth
