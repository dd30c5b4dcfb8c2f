"""Essential paths (paper 004, section 2.3): the paths of a page that enough other pages have.

The support of a path is the number of pages that have it. Each page d has a threshold t(d) of its
own, and keeps the paths that reach it: ``E(d) = {p in P(d): support(p) >= t(d)}``.

What t(d) is, paper 004 leaves open. To the letter it is the least support of the page's paths
(``minimum``), which all of them reach. Kim and Shim, from whom it takes the step (its reference
[8]), set t(d) to the mode of the supports of the page's paths, the smallest where there are several
(``mode``): the paths of a template are on as many pages as the template has, so theirs is the
support that a page meets most often. Within one site these are often the paths around every page,
menus and footers: then they alone are essential, and all pages are equal.

A path is a tag path here; the paper's paths end in texts too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tplcrawl.fingerprints.tag_paths import Hashes

Ints = npt.NDArray[np.int64]


def mode(supports: Ints) -> int:
    """The value that occurs most often, the smallest of several.

    >>> mode(np.array([3, 1, 3, 1, 2]))
    1
    """
    values, counts = np.unique(supports, return_counts=True)
    return int(values[np.argmax(counts)])


def minimum(supports: Ints) -> int:
    """The least value."""
    return int(supports.min())


THRESHOLDS: Mapping[str, Callable[[Ints], int]] = {"mode": mode, "minimum": minimum}
"""A page's threshold from the supports of its paths, by the name that users call it."""


@dataclass(frozen=True, slots=True)
class Supports:
    """The support of every path of some pages."""

    paths: Hashes
    counts: Ints

    @classmethod
    def of(cls, pages: Sequence[Hashes]) -> Supports:
        """Count the paths of *pages*. O(p log p) for p paths in all."""
        flat = np.concatenate(pages) if len(pages) else np.empty(0, np.uint32)
        paths, counts = np.unique(flat, return_counts=True)
        return cls(paths, counts.astype(np.int64))

    def of_page(self, page: Hashes) -> Ints:
        """The support of each path of *page*: 0 for one that none of the pages had.

        A page that was not among them adds 1 to each support and so to its threshold: that changes
        nothing, and is left out.
        """
        if not len(self.paths):
            return np.zeros(len(page), np.int64)
        at = np.searchsorted(self.paths, page)
        at[at == len(self.paths)] = 0
        return np.where(self.paths[at] == page, self.counts[at], 0)

    def essential(self, page: Hashes, threshold: Callable[[Ints], int] = mode) -> Hashes:
        """The essential paths of *page*. O(p log P) for p paths of a page and P in all.

        Two templates of three and two pages; paths 8 and 9 are content:

        >>> pages = [[1, 2, 3, 9], [1, 2, 3], [1, 2, 3, 8], [1, 4, 5], [1, 4, 5]]
        >>> pages = [np.array(page, np.uint32) for page in pages]
        >>> supports = Supports.of(pages)
        >>> supports.of_page(pages[0]).tolist()
        [5, 3, 3, 1]
        >>> [supports.essential(page).tolist() for page in (pages[0], pages[3])]
        [[1, 2, 3], [1, 4, 5]]
        >>> supports.essential(pages[0], minimum).tolist()
        [1, 2, 3, 9]
        """
        supports = self.of_page(page)
        return page[supports >= threshold(supports)] if len(page) else page


@dataclass(frozen=True, slots=True)
class Distinct:
    """Equal sets taken together."""

    sets: tuple[Hashes, ...]
    """Each once, ascending by their members: the same, in whatever order the pages came."""
    pages: Ints
    """How many pages have each."""
    of_page: tuple[int, ...]
    """The number of each page's set."""


def distinct_sets(sets: Sequence[Hashes]) -> Distinct:
    """Take equal *sets* together: the merge that figure 3 of paper 004 begins with.

    >>> found = distinct_sets([np.array(one, np.uint32) for one in ([2], [1, 3], [2])])
    >>> [one.tolist() for one in found.sets], found.pages.tolist(), found.of_page
    ([[1, 3], [2]], [1, 2], (1, 0, 1))
    """
    keys = [one.astype(">u4").tobytes() for one in sets]
    first: dict[bytes, int] = {}
    for page, key in enumerate(keys):
        first.setdefault(key, page)
    ordered = sorted(first)
    numbers = {key: number for number, key in enumerate(ordered)}
    of_page = tuple(numbers[key] for key in keys)
    counts = np.bincount(np.array(of_page, np.int64), minlength=len(ordered))
    return Distinct(tuple(sets[first[key]] for key in ordered), counts.astype(np.int64), of_page)
