"""Whether samples are of one template at all: two that were merged have two skeletons."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tplcrawl.wrappers.skeleton import Part

APART = 0.4
"""Two halves are templates of their own if pages across them share less than this part of what
pages within one of them share."""

LEAST = 2
"""Pages of a half."""


def halves(parts: Sequence[Part], pages: int) -> tuple[list[int], list[int]] | None:
    """The pages of the two skeletons that *parts* are of, the larger half first; ``None`` if they
    are one. O(pages² · parts).

    The two pages least alike stand for the halves, each other page joins the one it is more like.
    """
    having: list[set[int]] = [set() for _ in range(pages)]
    for number, part in enumerate(parts):
        for node in part.examples:
            having[node.page].add(number)

    def alike(a: int, b: int) -> float:
        return len(having[a] & having[b]) / max(1, len(having[a] | having[b]))

    pairs = list(combinations(range(pages), 2))
    if pages < 2 * LEAST:
        return None
    first, second = min(pairs, key=lambda pair: alike(*pair))
    left = [p for p in range(pages) if alike(p, first) >= alike(p, second)]
    right = [p for p in range(pages) if p not in left]
    if min(len(left), len(right)) < LEAST:
        return None
    within = [alike(a, b) for a, b in pairs if (a in left) == (b in left)]
    across = [alike(a, b) for a, b in pairs if (a in left) != (b in left)]
    if sum(across) / len(across) >= APART * sum(within) / len(within):
        return None
    return (left, right) if len(left) >= len(right) else (right, left)
