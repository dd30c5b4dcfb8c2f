"""Elements of which every page of a cluster has one or the other.

A variant has something more than the others, or lacks it. What stands on all pages that lack
something else, and on none that has it, is another template's way to say the same: one heading for
modules and one for classes. Such a division is chosen for its looks, so looks do not confirm it:
links to the two parts must stand in different places.
"""

from __future__ import annotations

import numpy as np

from tplcrawl.clustering.evidence import Evidence
from tplcrawl.clustering.pairs import Flags, Ints
from tplcrawl.similarity.sets import distinct_columns


def switched(members: Ints, structure: Evidence, least: int) -> Flags:
    """The ways in which *members* are parted by two elements of *structure*, of which each has one:
    a row of flags for each, in which the first is set. Either part has *least* pages or more."""
    used, rows = np.unique(structure.rows[members], return_inverse=True)
    table = structure.table.rows[used]
    times = np.bincount(rows).astype(np.float32)
    counts = table.T @ times
    known = np.flatnonzero((counts >= least) & (len(members) - counts >= least))
    first, _ = distinct_columns(table[:, known])
    columns = table[:, known[first]].toarray().T > 0
    seen = {column.tobytes() for column in columns}
    found = [column for column in columns if column[0] and (~column).tobytes() in seen]
    return np.array(found, bool).reshape(-1, len(used))[:, rows]
