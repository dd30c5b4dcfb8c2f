"""In which step of their positions the links of a page are numbered by rows.

The cells of a table say by their column what they lead to, whatever the row; so do the parts of
anything that comes again and again. What is repeated most is a row, and what is repeated inside it
stands in columns: of the links of one page at one location, positions go twice as far in the one
step as in any other, where they differ as well.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.uint32]

NOWHERE = -1
"""Instead of a step: there is none."""


def numbered_rows(places: Ints, steps: Numbers, begins: Ints, lengths: Ints) -> Ints:
    """The step that numbers the rows in which each link stands; :data:`NOWHERE` for those that
    stand in no columns. Links of one page and location have one of *places*, and as many *steps*:
    each link's *lengths*, from where it *begins*.

    O(links · steps), all pages at once.

    >>> cells = np.array([(row, cell) for row in range(1, 5) for cell in (2, 3)], np.uint32)
    >>> begins, lengths = np.arange(0, 16, 2), np.full(8, 2)
    >>> numbered_rows(np.full(8, 7), cells.ravel(), begins, lengths).tolist()
    [0, 0, 0, 0, 0, 0, 0, 0]
    """
    found = np.full(len(places), NOWHERE)
    if not len(places):
        return found
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=places[order[0]] - 1))
    sizes, depths = np.diff(starts, append=len(order)), lengths[order[starts]]
    begins = begins[order]
    rows = np.full(len(starts), NOWHERE)
    longest, widest = np.ones((2, len(starts)), np.int64)
    for step in range(int(depths.max())):
        deep = depths > step
        positions = steps[begins[deep.repeat(sizes)] + step].astype(np.int64)
        ends = np.cumsum(sizes[deep]) - sizes[deep]
        highest, lowest = (by.reduceat(positions, ends) for by in (np.maximum, np.minimum))
        extent = np.ones(len(starts), np.int64)
        extent[deep] = highest - lowest + 1
        rows[extent > longest] = step
        widest = np.maximum(widest, np.minimum(extent, longest))
        longest = np.maximum(longest, extent)
    rows[(widest < 2) | (longest < 2 * widest)] = NOWHERE
    found[order] = rows.repeat(sizes)
    return found
