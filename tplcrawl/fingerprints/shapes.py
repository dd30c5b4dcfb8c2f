"""The tree of a page as what alignments work on: subtrees that know whether they are equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from tplcrawl.fingerprints.tree import Tree
from tplcrawl.outline import Outline

MOST = 500
"""Elements of a page that alignments look at: the ones nearest to the root. Their cost grows with
the square of this, or worse."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A node and all below it. Shapes with one *id* are the same tree, on whatever pages."""

    id: bytes = field(repr=False)
    label: int
    """The CRC-32 of the tag."""
    children: tuple[Shape, ...]
    size: int
    """The number of nodes, this one among them."""

    @classmethod
    def of(cls, label: int, children: tuple[Shape, ...] = ()) -> Shape:
        """The shape of a node with these children.

        >>> li = Shape.of(7)
        >>> Shape.of(8, (li, li)).id == Shape.of(8, (Shape.of(7), li)).id
        True
        """
        content = b"".join((label.to_bytes(4, "little"), *(child.id for child in children)))
        size = 1 + sum(child.size for child in children)
        return cls(blake2b(content, digest_size=8).digest(), label, children, size)

    def walk(self, *, mirrored: bool = False) -> Iterator[Shape]:
        """The nodes in document order, or as if all children stood in reverse: that, reversed, has
        every node after all below it. Iterative: depth does not matter."""
        waiting = [self]
        while waiting:
            shape = waiting.pop()
            yield shape
            waiting.extend(shape.children if mirrored else reversed(shape.children))


def shape_of(outline: Outline, most: int = MOST) -> Shape:
    """The shape of a page, or of the *most* elements nearest to its root. O(n): equal subtrees are
    made once.

    >>> outline = Outline((-1, 0, 0), ("html", "head", "body"), (), (0, 1, 2))
    >>> [child.size for child in shape_of(outline).children]
    [1, 1]
    """
    return shape_of_tree(Tree.of(outline, most))


def shape_of_tree(tree: Tree) -> Shape:
    """The shape of a tree; of an empty one, a node without a label."""
    made: dict[tuple[int, tuple[bytes, ...]], Shape] = {}
    open_: list[tuple[int, list[Shape]]] = [(0, [])]
    labels, depths = tree.labels.tolist(), tree.depths.tolist()
    for label, depth in zip((*labels, 0), (*depths, 0), strict=True):
        while len(open_) > depth + 1:
            own, children = open_.pop()
            key = own, tuple(child.id for child in children)
            shape = made.get(key)
            if shape is None:
                shape = made[key] = Shape.of(own, tuple(children))
            open_[-1][1].append(shape)
        open_.append((label, []))
    roots = open_[0][1]
    return roots[0] if roots else Shape.of(0)
