"""The pq-grams of a page (paper 001, section 3.2, after Augsten, Böhlen and Gamper 2005).

The tree is extended with empty nodes: *p* - 1 above the root, *q* - 1 before and after the children
of each inner node, *q* below each leaf. A pq-gram is then a node with its *p* - 1 nearest ancestors
(the stem) and *q* children in a row (the base). A tree of l leaves and i inner nodes has
2l + q·i - 1 of them.
"""

from __future__ import annotations

import numpy as np

from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.fingerprints.tree import Ints, Tree, mixed
from tplcrawl.outline import Outline


def pq_grams(outline: Outline, p: int = 2, q: int = 3) -> Hashes:
    """The bag of pq-grams of a page's tags, as a set: the second copy of a gram is another member
    than the first. O(q·n log n) for n elements.

    Two bags have as many grams in common as their sets have members, but for collisions of the
    32-bit hashes (one gram on one page of a few thousand).

    >>> paths, tags = (-1, 0, 1, 1, 0, 0), ("a", "a", "e", "b", "b", "c")
    >>> one = Outline(paths, tags, (), (0, 1, 2, 3, 4, 5))
    >>> other = Outline(paths, ("a", "a", "e", "b", "b", "x"), (), (0, 1, 2, 3, 4, 5))
    >>> len(pq_grams(one)), len(np.intersect1d(pq_grams(one), pq_grams(other)))
    (13, 9)
    """
    if p < 1 or q < 1:
        raise UsageError(f"pq-grams: p and q must be at least 1, not {p} and {q}")
    tree = Tree.of(outline)
    if not len(tree):
        return np.empty(0, np.uint32)
    anchors, base = _bases(tree, q)
    columns = [base[:, i] for i in range(q)]
    for _ in range(p):
        columns.append(tree.labels_at(anchors))
        anchors = np.where(anchors >= 0, tree.parents[anchors], -1)
    return numbered(mixed(*columns))


def _bases(tree: Tree, q: int) -> tuple[Ints, Hashes]:
    """The node of each gram, and the labels of the *q* children in a row under it."""
    children = np.argsort(tree.parents, kind="stable")[np.count_nonzero(tree.parents < 0) :]
    inner, sizes = np.unique(tree.parents[children], return_counts=True)
    padded = sizes + 2 * (q - 1)
    starts = np.cumsum(padded) - padded
    row = np.zeros(int(padded.sum()), np.uint32)
    row[_ranges(starts + q - 1, sizes)] = tree.labels[children]
    windows = sizes + q - 1
    at = _ranges(starts, windows)
    leaves = np.flatnonzero(tree.first_children < 0)
    anchors = np.concatenate((np.repeat(inner, windows), leaves))
    base = np.zeros((len(anchors), q), np.uint32)
    base[: len(at)] = row[at[:, None] + np.arange(q)]
    return anchors, base


def _ranges(starts: Ints, lengths: Ints) -> Ints:
    """``starts[0]``, ``starts[0] + 1``, … ``lengths[0]`` times; then those of the next."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))


def numbered(bag: Hashes) -> Hashes:
    """A bag as a set: the copies of a member are numbered and hashed with their numbers.

    >>> len(numbered(np.array([7, 9, 7, 7], np.uint32)))
    4
    """
    bag = np.sort(bag)
    first = np.flatnonzero(np.diff(bag, prepend=bag[:1] + np.uint32(1)))
    counts = np.diff(first, append=len(bag))
    copies = (np.arange(len(bag)) - np.repeat(first, counts)).astype(np.uint32)
    return np.unique(mixed(bag, copies))
