"""Tag vectors: the baseline TV of paper 000 (section 4.2, table 2; its reference [5]).

A page is the vector of how many elements of each tag it has; two are as alike as the cosine of
their vectors. Where the tags stand counts for nothing: the paper finds a precision of 0.19.

The paper takes each template's threshold from its training pages and has none for clustering.
Measured on nineteen real sites of 400 pages, 0.99 has the best mean of pairwise F1: 0.75 (0.65 at
0.95).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

import numpy as np

from tplcrawl.clustering.linked import Linked
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_sequence import tag_codes
from tplcrawl.outline import Outline
from tplcrawl.similarity.vectors import Counts, cosine, linked_counts


class TagVector(Linked[Counts]):
    """Links pages by the cosine of their tag counts. O(n²) in one sparse product."""

    name: ClassVar[str] = "tag-vector"
    threshold: ClassVar[float] = 0.99

    def represent(self, features: Features, outline: Outline) -> Counts:
        codes = np.array(tag_codes(outline), np.uint32)
        return Counts.of(codes[np.array(outline.sequence, np.int64)])

    def similarity(self, a: Counts, b: Counts) -> float:
        return cosine(a, b)

    def key(self, page: Counts) -> Hashable:
        return page.members.tobytes(), page.numbers.tobytes()

    def links(self, pages: Sequence[Counts]) -> Iterator[tuple[int, int]]:
        return linked_counts(pages, self.at_least)
