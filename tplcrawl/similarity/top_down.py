"""RTDM: the restricted top-down mapping of two trees (Reis, Golgher, da Silva and Laender 2004,
the reference [14] of paper 000; papers 000, section 4.2, and 004, section 2.1).

A mapping is top-down when the parents of mapped nodes are mapped too, and restricted when below a
pair of nodes with different tags, other than the roots, nothing is mapped: a subtree is kept in
part, or replaced whole. So the distance is an alignment of the children of two nodes, and of the
children of those that are aligned and have one tag.
"""

from __future__ import annotations

from collections.abc import Sequence

from tplcrawl.fingerprints.shapes import Shape

Known = dict[tuple[bytes, bytes], int]
"""The distances of pairs of shapes by their ids."""


def top_down_distance(a: Shape, b: Shape, known: Known | None = None) -> int:
    """How many nodes must be inserted, deleted or renamed, at unit cost.

    *known* keeps the distances of subtrees for further calls: pages of one site share most of
    theirs. Iterative: all pairs of subtrees that are ever aligned, the smallest first. O(n·m) in
    the worst case; equal subtrees cost nothing, equal first and last children next to nothing.

    >>> li, p = Shape.of(1), Shape.of(2)
    >>> ul, longer = Shape.of(3, (li, li)), Shape.of(3, (li, li, li))
    >>> top_down_distance(ul, longer)
    1
    >>> top_down_distance(Shape.of(0, (ul, p)), Shape.of(0, (longer, li)))
    2

    A subtree is not moved: all of ``ul`` is deleted and inserted, though it only got a parent.

    >>> top_down_distance(Shape.of(0, (ul,)), Shape.of(0, (Shape.of(2, (ul,)),)))
    6
    """
    known = {} if known is None else known
    renamed = int(a.label != b.label)
    pairs: dict[tuple[bytes, bytes], tuple[Shape, Shape]] = {}
    waiting = [(a, b)]
    while waiting:
        one, other = waiting.pop()
        rows, columns = _differing(one.children, other.children)
        for row in rows:
            for column in columns:
                key = _key(row, column)
                if _aligned(row, column) and key not in pairs and key not in known:
                    pairs[key] = row, column
                    waiting.append((row, column))
    for key, (one, other) in sorted(
        pairs.items(), key=lambda item: item[1][0].size + item[1][1].size
    ):
        known[key] = _align(one.children, other.children, known)
    return renamed + _align(a.children, b.children, known)


def share_kept(distance: int, a: Shape, b: Shape) -> float:
    """A distance as a similarity: 1 - distance / nodes of the larger tree (paper 001, formula 1),
    at least 0, for two trees with little in common may cost more than the larger one's nodes.

    >>> ul = Shape.of(3, (Shape.of(1),) * 4)
    >>> share_kept(1, ul, Shape.of(3, (Shape.of(1),) * 3))
    0.8
    """
    return max(1 - distance / max(a.size, b.size), 0.0)


def _key(a: Shape, b: Shape) -> tuple[bytes, bytes]:
    return (a.id, b.id) if a.id < b.id else (b.id, a.id)


def _aligned(a: Shape, b: Shape) -> bool:
    """Whether the distance of two children is an alignment of theirs."""
    return a.label == b.label and a.id != b.id and bool(a.children) and bool(b.children)


def _differing(a: Sequence[Shape], b: Sequence[Shape]) -> tuple[Sequence[Shape], Sequence[Shape]]:
    """*a* and *b* without what is equal at their starts and ends: mapping that onto itself is
    never worse, for the cost of a pair obeys the triangle inequality."""
    shorter = min(len(a), len(b))
    start = 0
    while start < shorter and a[start].id == b[start].id:
        start += 1
    end = 0
    while end < shorter - start and a[-1 - end].id == b[-1 - end].id:
        end += 1
    return a[start : len(a) - end], b[start : len(b) - end]


def _align(a: Sequence[Shape], b: Sequence[Shape], known: Known) -> int:
    """The cost of the best alignment of two lists of siblings (Selkow 1977)."""
    a, b = _differing(a, b)
    row = [0]
    for column in b:
        row.append(row[-1] + column.size)
    for one in a:
        size, label = one.size, one.label
        left = row[0] + size
        after = [left]
        for j, other in enumerate(b):
            if label != other.label:
                pair = size + other.size - 1
            elif one.id == other.id:
                pair = 0
            elif one.children and other.children:
                pair = known[_key(one, other)]
            else:
                pair = size + other.size - 2
            left = min(row[j] + pair, row[j + 1] + size, left + other.size)
            after.append(left)
        row = after
    return row[-1]
