"""Misnomers: pages that have nothing of what they were asked for by.

On most sites, a word of the link to a page, or of its URL, is in its title or in the URL that it
gives itself. Where that is so as a rule, a page of which it is not so is another one. Words that
many pages share say nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

_COMMON = 0.1
"""The share of pages above which a word that all of these have says nothing."""
_LIKES = 8
"""Likes of a page by one clue that tell what is the rule."""
_RULE, _MOSTLY = 0.8, 0.5
"""The share of them that have a word of what they were asked for by, by one clue, and by every one
that tells: it is a rule then."""


class Called(NamedTuple):
    """A page by words."""

    docid: int
    asked: Set[int]
    """Those of the link to it, and of its URL."""
    shown: Set[int]
    """Those of its title, and of the URL that it gives itself."""


def misnomers(
    pages: Callable[[], Iterable[Called]], clues: Mapping[int, Sequence[Hashable]]
) -> dict[int, Set[int]]:
    """Which of *pages*, which are gone through twice, have no word of what they were asked for by,
    as their likes have: these words of each. *clues* tells of each what it has in common with its
    likes. O(words)."""
    heard: defaultdict[Hashable, Counter[bool]] = defaultdict(Counter)
    unmet: dict[int, Set[int]] = {}
    for docid, wanted, there in _telling(pages):
        fits = not wanted.isdisjoint(there)
        if not fits:
            unmet[docid] = wanted
        for clue in clues[docid]:
            heard[clue][fits] += 1
    return {
        docid: wanted
        for docid, wanted in unmet.items()
        if _is_rule([heard[clue] for clue in clues[docid]])
    }


def _telling(
    pages: Callable[[], Iterable[Called]],
) -> Iterator[tuple[int, Set[int], Set[int]]]:
    """Of each page, the words that it was asked for by and those that it shows, where both say
    something."""
    asked: Counter[int] = Counter()
    shown: Counter[int] = Counter()
    count = 0
    for page in pages():
        asked.update(page.asked)
        shown.update(page.shown)
        count += 1
    most = _COMMON * count
    common = {word for counts in (asked, shown) for word in counts if counts[word] > most}
    for page in pages():
        wanted, there = page.asked - common, page.shown - common
        if wanted and there:
            yield page.docid, wanted, there


def _is_rule(votes: Sequence[Counter[bool]]) -> bool:
    """Whether nearly all others fit; *votes* have the page itself, which does not."""
    told = [vote[True] / (vote.total() - 1) for vote in votes if vote.total() > _LIKES]
    return bool(told) and max(told) >= _RULE and min(told) >= _MOSTLY
