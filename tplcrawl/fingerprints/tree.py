"""The tree of a page's elements as columns of numbers: what grams of neighbours are cut from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline

Ints = npt.NDArray[np.int64]

NONE = 0
"""The label of an element that is not there: no tag has the CRC-32 of an empty text."""


@dataclass(frozen=True)
class Tree:
    """Elements in document order. Every column is O(n) or O(n log n), without recursion, so that
    depth does not matter."""

    labels: Hashes
    """The CRC-32 of each element's tag."""
    depths: Ints

    @classmethod
    def of(cls, outline: Outline, most: int | None = None) -> Tree:
        """The tree of a page; of a page of more than *most* elements, the *most* that are nearest
        to the root, in document order among equals: all of its parts, without their details.

        >>> outline = Outline((-1, 0, 1, 0), ("html", "head", "meta", "body"), (), (0, 1, 2, 2, 3))
        >>> Tree.of(outline, most=4).depths.tolist()
        [0, 1, 2, 1]
        """
        names = (tag.encode("utf-8", "surrogatepass") for tag in outline.tags)
        labels = np.fromiter(map(crc32, names), np.uint32, len(outline.tags))
        paths = np.array(outline.sequence, np.int64)
        depths = np.array(outline.depths, np.int64)[paths]
        if most is not None and len(paths) > most:
            keep = np.sort(np.argsort(depths, kind="stable")[:most])
            paths, depths = paths[keep], depths[keep]
        return cls(labels[paths], depths)

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def _by_depth(self) -> Ints:
        return np.argsort(self.depths, kind="stable")

    @cached_property
    def parents(self) -> Ints:
        """The index of each element's parent: the last one before it that is a step less deep; -1
        for the root.

        >>> Tree(np.arange(5, dtype=np.uint32), np.array([0, 1, 2, 2, 1])).parents.tolist()
        [-1, 0, 1, 1, 0]
        """
        count = len(self)
        rows = self.depths * count + np.arange(count)
        known = rows[self._by_depth]
        parents = self._by_depth[np.searchsorted(known, rows - count) - 1] if count else rows
        return np.where(self.depths > 0, parents, -1)

    @cached_property
    def first_children(self) -> Ints:
        """The index of each element's first child; -1 for none.

        >>> Tree(np.arange(5, dtype=np.uint32), np.array([0, 1, 2, 2, 1])).first_children.tolist()
        [1, 2, -1, -1, -1]
        """
        children = np.full(len(self), -1, np.int64)
        parents = np.flatnonzero(np.diff(self.depths) > 0)
        children[parents] = parents + 1
        return children

    @cached_property
    def next_siblings(self) -> Ints:
        """The index of each element's next sibling; -1 for none.

        >>> Tree(np.arange(5, dtype=np.uint32), np.array([0, 1, 2, 2, 1])).next_siblings.tolist()
        [-1, 4, 3, -1, -1]
        """
        siblings = np.full(len(self), -1, np.int64)
        one, other = self._by_depth[:-1], self._by_depth[1:]
        together = (self.parents[one] == self.parents[other]) & (self.depths[one] > 0)
        siblings[one[together]] = other[together]
        return siblings

    def labels_at(self, indices: Ints) -> Hashes:
        """The labels of the elements at *indices*, :data:`NONE` where the index is -1."""
        return np.where(indices >= 0, self.labels[indices], np.uint32(NONE))


def mixed(*columns: Hashes) -> Hashes:
    """One hash for each row of *columns*, which are hashes themselves. The order counts."""
    rows = np.zeros(len(columns[0]), np.uint32)
    for column in columns:
        rows ^= column
        rows *= np.uint32(0x9E3779B1)
        rows ^= rows >> np.uint32(15)
        rows *= np.uint32(0x85EBCA6B)
        rows ^= rows >> np.uint32(13)
    return rows
