"""Tree edit distance after Zhang and Shasha 1989 (papers 001, formula 1, and 002, section 3), whole
rows of their table at a time.

The table of forest distances is filled once for each pair of key roots: the root, and every node
with a sibling before it. Here one row goes through all key roots of the second tree at once, with
numpy; equal subtrees are one; and trees are mirrored, for the large subtrees of pages stand at the
end (``body`` after ``head``), which leaves half to a quarter less of either to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from tplcrawl.fingerprints.shapes import Shape

Ints = npt.NDArray[np.int64]
Row = npt.NDArray[np.int32]


def forest_distance(a: Sequence[Shape], b: Sequence[Shape]) -> int:
    """The least number of nodes to insert, delete or rename to make forest *a* into *b*.

    O(n·m·k(a)·k(b)), as in the paper, where k is how many key roots lie on a way down, at most.

    >>> c, d, e = Shape.of(1), Shape.of(2), Shape.of(3)
    >>> forest_distance([Shape.of(4, (c, d))], [Shape.of(4, (c, Shape.of(5, (d,)), e))])
    2
    """
    # A root that both have costs nothing.
    one, other = (_Nodes.of(Shape.of(0, tuple(forest))) for forest in (a, b))
    if one.rows > other.rows:
        one, other = other, one
    return _fill(one, _Columns.of(other))


@dataclass(frozen=True, slots=True)
class _Nodes:
    """A mirrored tree, numbered so that a node comes after all below it: the reverse of the order
    in the document."""

    labels: Ints
    first: list[int]
    """For each node, the first one of its subtree."""
    shapes: Ints
    """For each node, the number of its subtree; equal ones have one number."""
    levels: list[int]
    """For each node, how many key roots lie on a way down from it, at most."""
    key_roots: list[int]
    """Ascending, one of equal ones."""

    @classmethod
    def of(cls, root: Shape) -> _Nodes:
        labels: list[int] = []
        first: list[int] = []
        shapes: list[int] = []
        levels: list[int] = []
        numbers: dict[bytes, int] = {}
        key_roots: dict[int, int] = {}
        done: list[int] = []
        for shape in reversed(list(root.walk())):
            at, count = len(labels), len(shape.children)
            children = done[len(done) - count :]
            del done[len(done) - count :]
            done.append(at)
            labels.append(shape.label)
            first.append(first[children[0]] if children else at)
            shapes.append(numbers.setdefault(shape.id, len(numbers)))
            levels.append(levels[children[0]] if children else 0)
            for child in children[1:]:
                levels[at] = max(levels[at], levels[child] + 1)
                key_roots.setdefault(shapes[child], child)
        key_roots.setdefault(shapes[-1], len(labels) - 1)
        return cls(np.array(labels), first, np.array(shapes), levels, sorted(key_roots.values()))

    @property
    def rows(self) -> int:
        """How many rows or columns it makes."""
        return sum(root - self.first[root] + 1 for root in self.key_roots)


@dataclass(frozen=True, slots=True)
class _Level:
    """The columns of the key roots of one level, which need those of lower levels only."""

    columns: slice
    starts: Ints
    """The columns without a node, counted from the first one here; likewise:"""
    whole: Ints
    """The columns whose forest is one tree."""
    whole_shapes: Ints
    whole_labels: Ints


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of the table: for each key root the forest of none of its nodes, of its first
    node, of its first two …"""

    count: int
    """Nodes of the tree."""
    shapes: Ints
    """For each column, the subtree of the last node."""
    before: Ints
    """For each column, the one that lacks this subtree."""
    sizes: Row
    """For each column, the number of its nodes."""
    roots: Row
    """For each column, the number of its key root."""
    starts: Ints
    levels: list[_Level]

    @classmethod
    def of(cls, nodes: _Nodes) -> _Columns:
        roots = sorted(nodes.key_roots, key=lambda root: (nodes.levels[root], root))
        first = np.array(nodes.first)
        lengths = np.array(roots) - first[roots] + 2
        starts = np.cumsum(lengths) - lengths
        start_of = np.repeat(starts, lengths)
        sizes = np.arange(len(start_of)) - start_of
        begin = np.repeat(first[roots], lengths)
        last = begin + np.maximum(sizes - 1, 0)
        before = start_of + np.where(sizes > 0, first[last] - begin, 0)
        levels = []
        start = 0
        for _, group in groupby(roots, key=nodes.levels.__getitem__):
            end = start + sum(root - nodes.first[root] + 2 for root in group)
            here = slice(start, end)
            whole = np.flatnonzero((sizes[here] > 0) & (before[here] == start_of[here]))
            ends = last[here][whole]
            empty = np.flatnonzero(sizes[here] == 0)
            levels.append(_Level(here, empty, whole, nodes.shapes[ends], nodes.labels[ends]))
            start = end
        return cls(
            count=len(first),
            shapes=nodes.shapes[last],
            before=before,
            sizes=sizes.astype(np.int32),
            roots=np.repeat(np.arange(len(roots), dtype=np.int32), lengths),
            starts=starts,
            levels=levels,
        )


def _fill(rows: _Nodes, columns: _Columns) -> int:
    """The distance of the trees."""
    trees = np.zeros((len(rows.shapes), columns.count), np.int32)
    # Taken off before a running minimum and put back after it: an insertion for each column; and
    # far more for each key root, so that the minimum starts again there.
    far = 2 * (len(rows.shapes) + columns.count)
    shift = columns.sizes + far * columns.roots
    for root in rows.key_roots:
        begin = rows.first[root]
        table = np.empty((root - begin + 2, len(shift)), np.int32)
        table[0] = columns.sizes
        for node in range(begin, root + 1):
            size = node - begin + 1
            above, row = table[size - 1], table[size]
            known = trees[rows.shapes[node]]
            if rows.first[node] > begin:
                np.take(table[rows.first[node] - begin], columns.before, out=row)
                row += known.take(columns.shapes)
                np.minimum(row, above + 1, out=row)
                row[columns.starts] = size
                row -= shift
                np.minimum.accumulate(row, out=row)
                row += shift
                continue
            # The forest of this row is one tree: its distances to trees come out here, and are
            # needed at once.
            for level in columns.levels:
                here = level.columns
                part = columns.sizes.take(columns.before[here])
                part += known.take(columns.shapes[here])
                renamed = level.whole_labels != rows.labels[node]
                part[level.whole] = above[here].take(level.whole - 1) + renamed
                np.minimum(part, above[here] + 1, out=part)
                part[level.starts] = size
                part -= shift[here]
                np.minimum.accumulate(part, out=row[here])
                row[here] += shift[here]
                known[level.whole_shapes] = row[here].take(level.whole)
    return int(trees[rows.shapes[-1], columns.shapes[-1]])
