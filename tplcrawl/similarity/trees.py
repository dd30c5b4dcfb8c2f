"""Tree edit distance (papers 001, formula 1, and 002, section 3), and what bounds it cheaply.

Exact distances of pages of 500 elements take some 0.1 s a pair, so they come last: the bounds
decide nearly all pairs. Trees are those of :mod:`~tplcrawl.fingerprints.shapes`, which stop at 500
elements a page. All of it is iterative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Levenshtein

from tplcrawl.fingerprints.shapes import Shape
from tplcrawl.similarity.zhang_shasha import forest_distance


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """A tree, and what is quickly compared of it. Its texts have a character for each node; tags
    that share one by chance make bounds looser, not wrong."""

    shape: Shape
    preorder: str = field(repr=False)
    postorder: str = field(repr=False)
    tags: Counter[str] = field(repr=False)

    @classmethod
    def of(cls, shape: Shape) -> Sketch:
        """The sketch of a tree. O(n)."""
        preorder = "".join(_character(node) for node in shape.walk())
        backwards = "".join(_character(node) for node in shape.walk(mirrored=True))
        return cls(shape, preorder, backwards[::-1], Counter(preorder))


def _character(shape: Shape) -> str:
    return chr(0x10000 + shape.label % 0x100000)


def bounds_below(a: Sketch, b: Sketch) -> Iterator[int]:
    """Lower bounds of the edit distance of two trees, the cheapest first.

    The difference of their sizes; the larger size less the tags in common (Kailing et al. 2004);
    the edit distances of their tags before and after their children (Guha et al. 2002), O(n·m/64).
    Binary branches (paper 003: their distance is at most five times this one) were never tighter
    on real pages.

    >>> c, d, e = Shape.of(1), Shape.of(2), Shape.of(3)
    >>> one, other = Shape.of(4, (c, d)), Shape.of(4, (d, e, c))
    >>> list(bounds_below(Sketch.of(one), Sketch.of(other))), edit_distance(one, other)
    ([1, 1, 3, 3], 3)
    """
    larger = max(a.shape.size, b.shape.size)
    yield abs(a.shape.size - b.shape.size)
    yield larger - (a.tags & b.tags).total()
    yield Levenshtein.distance(a.preorder, b.preorder)
    yield Levenshtein.distance(a.postorder, b.postorder)


def bound_below(a: Sketch, b: Sketch, enough: float = float("inf")) -> int:
    """The best lower bound of the edit distance, or the first above *enough*."""
    best = 0
    for bound in bounds_below(a, b):
        best = max(best, bound)
        if best > enough:
            break
    return best


def edit_distance(a: Shape, b: Shape) -> int:
    """How many nodes must be inserted, deleted or renamed to make tree *a* into *b*, at unit cost.

    Roots with one tag, and equal trees at the start and the end of two forests, are mapped onto
    each other first: no other mapping is better, since nothing crosses it. What is left is as dear
    as :func:`~tplcrawl.similarity.zhang_shasha.forest_distance`.

    >>> li = Shape.of(1)
    >>> ul = Shape.of(2, (li, li))
    >>> edit_distance(Shape.of(3, (ul,)), Shape.of(3, (Shape.of(4, (ul,)), li)))
    2
    """
    one: Sequence[Shape] = [a]
    other: Sequence[Shape] = [b]
    while one and other:
        if one[0].id == other[0].id:
            one, other = one[1:], other[1:]
        elif one[-1].id == other[-1].id:
            one, other = one[:-1], other[:-1]
        elif len(one) == len(other) == 1 and one[0].label == other[0].label:
            one, other = one[0].children, other[0].children
        else:
            return forest_distance(one, other)
    return sum(tree.size for tree in (*one, *other))
