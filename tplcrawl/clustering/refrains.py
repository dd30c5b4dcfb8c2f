"""Refrains: one thing that is said under many URLs, where each of their likes says something else.

An excuse may have changing links or a number of its own, and may be so much like real pages that
it is taken for one of them, and expected in the end. What it calls itself is the same, but for what
was asked for, and what is built like it is called nothing else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence, Set

from tplcrawl.clustering.likes import Seen

_FEWEST = 5
"""Pages that make a refrain."""
_SHARED = 3
"""Pages that are no chance: with one title, in one place, or not as expected."""
_TWICE = 2
"""Pages of one structure: what is built otherwise each time is written."""
_BUILT_SO = 0.8
"""The share of the pages of one structure that are called the same."""
_DISCOVERED = 3
"""Pages that are found on one page, from which on it is no excuse."""
_UNLIKELY = 0.2
"""The share of a refrain's pages of which something else was expected."""
_LIKES = 8
"""Likes of a page by one clue that tell what is the rule."""
_RULE, _MOSTLY = 0.8, 0.5
"""The share of them that have titles of their own, by one clue, and by every one that tells."""
_MADE_SO = 1 / 3
"""The share of the pages by one clue that are called the same, above which that is how the site is
made."""


def called_alike(pages: Sequence[Seen]) -> list[list[Seen]]:
    """Those of *pages* that are called the same, and built as nothing is that is called otherwise,
    in the order in which they came. O(pages)."""
    built = Counter(page.structure for page in pages)
    groups: defaultdict[int, defaultdict[int, list[Seen]]] = defaultdict(lambda: defaultdict(list))
    for page in sorted(pages, key=lambda one: one.arrival):
        # A page without a title is called nothing.
        if page.title:
            groups[page.words][page.structure].append(page)
    found = []
    for structures in groups.values():
        group = [
            page
            for structure, some in structures.items()
            if len(some) >= max(_TWICE, _BUILT_SO * built[structure])
            and not any(page.everywhere or not page.clues for page in some)
            for page in some
        ]
        if len(group) >= max(_FEWEST, sum(map(len, structures.values())) / 2):
            found.append(sorted(group, key=lambda one: one.arrival))
    return found


def refrains(
    alike: Sequence[Sequence[Seen]], pages: Sequence[Seen], judged: Set[int]
) -> list[list[Seen]]:
    """Which of those of *pages* that are called *alike* are refrains: most of them are not what was
    expected, or their likes have titles of their own; or a third are not what was expected, and
    hardly any like is called so. Where all show one page, others have *judged* whose that is.
    O(pages)."""
    found_on = Counter(page.source for page in pages)
    likes = _Titles(pages)
    found = []
    for every in alike:
        parts: defaultdict[int, list[Seen]] = defaultdict(list)
        for page in every:
            parts[page.structure].append(page)
        told = [part for part in parts.values() if _unlikely(part) >= _UNLIKELY * len(part)]
        group = sorted((page for part in told for page in part), key=lambda one: one.arrival)
        if len(group) < max(_FEWEST, len(every) / 2) or sum(map(_unlikely, told)) < _SHARED:
            continue
        if len({(page.title, page.structure) for page in group}) == 1 and (
            any(page.docid in judged for page in group)
            or sum(found_on[page.docid] for page in group) >= _DISCOVERED
        ):
            continue
        denied, named, rare = likes.differ(group)
        half = len(group) / 2
        if denied + named > half or (denied > len(group) / 3 and denied + rare > half):
            found.append(group)
    return found


def _unlikely(part: Sequence[Seen]) -> int:
    """How many pages of *part* are not what was expected of them, or of most of it: URLs of several
    templates have nothing in common."""
    usual = Counter(page.expected for page in part).most_common(1)[0][0]
    return sum(_is_denied(page) or page.expected != usual for page in part)


def _is_denied(page: Seen) -> bool:
    return page.denied or bool(page.unmet)


class _Titles:
    """What pages are called that have something in common."""

    def __init__(self, pages: Sequence[Seen]) -> None:
        self._times = Counter(page.title for page in pages)
        self._every = _clues(pages)
        self._own = _clues(filter(self._has_own, pages))
        self._called = Counter((clue, page.words) for page in pages for clue in page.clues)

    def _has_own(self, page: Seen) -> bool:
        return self._times[page.title] < _SHARED

    def differ(self, group: Sequence[Seen]) -> tuple[int, int, int]:
        """How many pages of *group* are not what was expected; of the others, how many have likes
        with titles of their own, and how many have likes of which few are called so."""
        mine, own = _clues(group), _clues(filter(self._has_own, group))
        denied = named = rare = 0
        for page in group:
            if _is_denied(page):
                denied += 1
                continue
            if any(
                self._called[clue, page.words] >= max(_SHARED, _MADE_SO * self._every[clue])
                for clue in page.clues
            ):
                continue
            rare += 1
            told = [
                (self._own[clue] - own[clue]) / (self._every[clue] - mine[clue])
                for clue in page.clues
                if self._every[clue] - mine[clue] >= _LIKES
            ]
            named += bool(told) and max(told) >= _RULE and min(told) >= _MOSTLY
        return denied, named, rare


def _clues(pages: Iterable[Seen]) -> Counter[Hashable]:
    return Counter(clue for page in pages for clue in page.clues)
