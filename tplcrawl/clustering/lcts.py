"""Longest common tag subsequence: the baseline LCTS of paper 000 (section 4.2, table 2; its
reference [7]; printed there as LTCS too).

A page is the sequence of its tags; two are as alike as ``|lcts(a, b)| / max(|a|, |b|)``. The paper
estimates 30 days for its cross-validation of 13,237 pages, at 6.7 pages a second and ten training
pages for each of 50 templates.

The paper takes each template's threshold from its training pages and has none for clustering.
Measured on nineteen real sites of 400 pages, 0.85 has the best mean of pairwise F1: 0.68 (0.67 at
0.75, 0.57 at 0.9).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

import numpy as np

from tplcrawl.clustering.linked import Linked
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_sequence import Tags, tag_sequence
from tplcrawl.outline import Outline
from tplcrawl.similarity.sequences import common_subsequence, compacted, has_common


class LCTS(Linked[Tags]):
    """Links pages by their longest common subsequence of tags.

    O(n² · m² / 64) for n pages of m tags at worst. Two cheap bounds come first, as no subsequence
    is longer than the shorter sequence, or than what both have of each tag.
    """

    name: ClassVar[str] = "lcts"
    threshold: ClassVar[float] = 0.85
    limit: ClassVar[int] = 1000

    def represent(self, features: Features, outline: Outline) -> Tags:
        return tag_sequence(outline)

    def similarity(self, a: Tags, b: Tags) -> float:
        return common_subsequence(a.tolist(), b.tolist())

    def key(self, page: Tags) -> Hashable:
        return page.tobytes()

    def links(self, pages: Sequence[Tags]) -> Iterator[tuple[int, int]]:
        """Enough of the pairs that are alike to connect all that are: two pages that are known to
        be of one cluster need no comparison."""
        symbols, counts = compacted(pages)
        lengths = counts.sum(axis=1)
        cluster = np.arange(len(pages))
        for i in range(1, len(pages)):
            needed = np.ceil(self.at_least * np.maximum(lengths[:i], lengths[i]) - 1e-9)
            possible = np.flatnonzero(np.minimum(lengths[:i], lengths[i]) >= needed)
            common = np.minimum(counts[possible], counts[i]).sum(axis=1)
            for j in possible[common >= needed[possible]].tolist():
                if cluster[i] != cluster[j] and has_common(symbols[i], symbols[j], int(needed[j])):
                    cluster[cluster == cluster[i]] = cluster[j]
                    yield i, j
