"""Cosine similarity of essential paths (paper 004, section 3, figure 3).

Pages with equal essential paths are merged (line 2); the cosine of each two columns of M_E is taken
(lines 3 to 9), ``|a ∩ b| / √(|a| · |b|)`` for sets; the mean of these is the threshold (line 10),
and what is below it is dropped (line 11); then, from the highest cosine down, two clusters are
merged and all entries of both removed (lines 12 to 20). What is left stands alone.

As printed, a merged pair is never looked at again: **a cluster is at most two distinct essential
sets**, however many pages have each. A template whose pages differ ends up in as many clusters as
half the number of its variants. And the highest cosine is never below the mean: the two sets most
alike are merged however little they share, so of two kinds of pages one cluster is made.

One thing is read into it: sets that share nothing are not merged even where the mean is 0, since
the paper keeps pages "not related to any other" apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from tplcrawl.clustering.essential import Essential, Groups
from tplcrawl.fingerprints.essential_paths import Ints
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.similarity.sets import Floats, SetTable

_TIES = 12
"""Decimals to which cosines are told apart: equal ones differ in their last bit."""
_SLACK = 1e-9
"""What a cosine may be below the mean by rounding alone."""


class Cosine(Essential):
    """Figure 3 of paper 004. O(n² log n) for n distinct essential sets."""

    name: ClassVar[str] = "cosine"
    limit: ClassVar[int] = 3000

    def partition(self, sets: Sequence[Hashes], pages: Ints) -> Groups:
        return pair_off(cosines(sets))


def cosines(sets: Sequence[Hashes]) -> Floats:
    """The cosine of each two of *sets*; 0 with an empty one. One sparse product.

    Example 1 of the paper, an apple and an orange:

    >>> apple, orange = np.array([1, 2, 3, 4], np.uint32), np.array([1, 2, 3], np.uint32)
    >>> round(float(cosines([apple, orange])[0, 1]), 3)
    0.866
    """
    table = SetTable.of(sets).rows
    common = (table @ table.T).toarray().astype(np.float64)
    sizes = np.array([len(one) for one in sets], np.float64)
    found: Floats = np.round(common / np.sqrt(np.maximum(np.outer(sizes, sizes), 1)), _TIES)
    return found


def pair_off(similarity: Floats) -> Groups:
    """Lines 10 to 20 of figure 3. Of equal cosines, the one of the lowest rows comes first.

    The mean of these six is 0.5. The second is most like the third; the first, which was most like
    the second, is left with the last, and 0.6 will do:

    >>> pair_off(np.array([[1, 0.8, 0.3, 0.6], [0.8, 1, 0.9, 0.3], [0.3, 0.9, 1, 0.1],
    ...                    [0.6, 0.3, 0.1, 1]]))
    [[0, 3], [1, 2]]
    """
    count = len(similarity)
    first, second = np.triu_indices(count, 1)
    values = similarity[first, second]
    if not len(values):
        return [[number] for number in range(count)]
    kept = np.flatnonzero((values >= values.mean() - _SLACK) & (values > 0))
    order = kept[np.argsort(-values[kept], kind="stable")]
    partner = list(range(count))
    for a, b in zip(first[order].tolist(), second[order].tolist(), strict=True):
        if partner[a] == a and partner[b] == b:
            partner[a], partner[b] = b, a
    return [
        [number] if other == number else [number, other]
        for number, other in enumerate(partner)
        if number <= other
    ]
