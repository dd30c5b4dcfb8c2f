"""pq-grams: the second baseline of paper 001 (section 3.2, formula 2; its experiments, section 4.3,
with p = 2, q = 3 and a threshold of 0.8), there applied to the first 100 pages of a site.

The pq-gram distance of two pages is ``1 - 2·|a ∩ b| / |a ∪ b|`` over their bags of pq-grams, where
the union keeps all of both: ``|a ∪ b| = |a| + |b|`` (Augsten, Böhlen and Gamper 2005). The example
of that paper, two trees of 13 grams with 9 in common, has a distance of 0.31.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

import numpy as np

from tplcrawl.clustering.linked import Linked
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.pq_grams import pq_grams
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline
from tplcrawl.similarity.sets import linked_sets


def pq_gram_distance(a: Hashes, b: Hashes) -> float:
    """Formula 2; of two pages without grams, 0.

    >>> a, b = np.arange(13, dtype=np.uint32), np.arange(4, 17, dtype=np.uint32)
    >>> round(pq_gram_distance(a, b), 2)
    0.31
    """
    total = len(a) + len(b)
    common = len(np.intersect1d(a, b, assume_unique=True))
    return 1 - 2 * common / total if total else 0.0


class PQGrams(Linked[Hashes]):
    """Links pages whose pq-gram distance is at most 0.2. O(n²) in one sparse product."""

    name: ClassVar[str] = "pq-grams"
    threshold: ClassVar[float] = 0.8
    limit: ClassVar[int] = 500

    def __init__(
        self,
        *,
        p: int = 2,
        q: int = 3,
        similarity: float | None = None,
        most: int | None = None,
    ) -> None:
        super().__init__(similarity=similarity, most=most)
        if p < 1 or q < 1:
            raise UsageError(f"pq-grams: p and q must be at least 1, not {p} and {q}")
        self.p, self.q = p, q

    def represent(self, features: Features, outline: Outline) -> Hashes:
        return pq_grams(outline, self.p, self.q)

    def similarity(self, a: Hashes, b: Hashes) -> float:
        return 1 - pq_gram_distance(a, b)

    def key(self, page: Hashes) -> Hashable:
        return page.tobytes()

    def links(self, pages: Sequence[Hashes]) -> Iterator[tuple[int, int]]:
        # With c in common of s in all, 2c / s ≥ t where c / (s - c) ≥ t / (2 - t).
        return linked_sets(pages, self.at_least / (2 - self.at_least), of_larger=False)
