"""The binary branches of a page (paper 003, section 3.3, after Yang, Kalnis and Tung 2005).

As a binary tree (Knuth: the left child is the first child, the right child the next sibling), every
element is a branch of three tags: its own, its first child's, its next sibling's. The paper counts
them in a sparse matrix; here the same counts are a sparse vector.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.fingerprints.tree import Ints, Tree, mixed
from tplcrawl.outline import Outline


@dataclass(frozen=True, slots=True, eq=False)
class Branches:
    """How often each binary branch occurs on a page."""

    hashes: Hashes
    """Of the three tags of each distinct branch; ascending."""
    counts: Ints

    @property
    def key(self) -> tuple[bytes, bytes]:
        """Equal for equal branches and counts."""
        return self.hashes.tobytes(), self.counts.tobytes()


def branches(outline: Outline) -> Branches:
    """The binary branches of a page. O(n log n) for n elements.

    The paper's example has three ``meta`` and three ``li``; two of three have a next sibling:

    >>> paths = (-1, 0, 1, 0, 3, 4)
    >>> tags = ("html", "head", "meta", "body", "ul", "li")
    >>> found = branches(Outline(paths, tags, (), (0, 1, 2, 2, 2, 3, 4, 5, 5, 5)))
    >>> count = dict(zip(found.hashes.tolist(), found.counts.tolist()))
    >>> [count[branch_hash(*branch.split())] for branch in ("head meta body", "meta ε meta",
    ... "meta ε ε", "body ul ε", "ul li ε", "li ε li", "li ε ε")]
    [1, 2, 1, 1, 1, 2, 1]

    The paper prints the root's as ``html ε head``; by its own rules (a left child is a first child)
    it is:

    >>> count[branch_hash("html", "head", "ε")]
    1
    """
    return branches_of(Tree.of(outline))


def branches_of(tree: Tree) -> Branches:
    """The binary branches of a tree."""
    children = tree.labels_at(tree.first_children)
    siblings = tree.labels_at(tree.next_siblings)
    hashes, counts = np.unique(mixed(tree.labels, children, siblings), return_counts=True)
    return Branches(hashes, counts.astype(np.int64))


def branch_hash(tag: str, first_child: str, next_sibling: str) -> int:
    """The hash of one binary branch; ``ε`` stands for none."""
    outline = Outline((-1, -1, -1), (tag, first_child, next_sibling), (), (0, 1, 2))
    labels = Tree.of(outline).labels
    empty = np.array([name == "ε" for name in (tag, first_child, next_sibling)])
    labels[empty] = 0
    return int(mixed(*labels[:, None])[0])
