"""Binary branches (Wijn 2017, paper 003): locality sensitive hashing of the neighbourhoods of tags.

Section 3.3: a page is its binary branches, with counts. Section 3.4: MinHash signatures in b bands
of r rows make candidates of pages whose sets of branches have a Jaccard coefficient of about
(1/b)^(1/r). Section 3.5: candidates are compared by the cosine of their counts. The paper stops at
retrieval, "pages like this one"; here pages that are alike enough are linked.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

import numpy as np

from tplcrawl.clustering.linked import Linked
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.branches import Branches, branches
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.similarity.branch_index import BranchIndex, cosine


class BranchLinks(Linked[Branches]):
    """Links pages that agree in a band and whose counts have a cosine of at least 0.9.

    The bands' cut-off is 0.9 too. The paper names neither; lower cut-offs chain templates together
    on most sites. With *candidates* 0, nearly all pages that have a branch in common are compared.

    Near linear where templates are distinct: O(pages · permutations) for the signatures, then each
    page is compared with those of its candidates that are not in its cluster yet. The outcome does
    not depend on the order of the pages.
    """

    name: ClassVar[str] = "branches"
    threshold: ClassVar[float] = 0.9
    limit: ClassVar[int] = 100_000

    def __init__(
        self,
        *,
        similarity: float | None = None,
        candidates: float = 0.9,
        permutations: int = 128,
        most: int | None = None,
    ) -> None:
        super().__init__(similarity=similarity, most=most)
        if not 0 <= candidates <= 1:
            raise UsageError(f"branches: candidates must be between 0 and 1, not {candidates}")
        if permutations < 1:
            raise UsageError(f"branches: permutations must be at least 1, not {permutations}")
        self.candidates, self.permutations = candidates, permutations

    def represent(self, features: Features, outline: Outline) -> Branches:
        return branches(outline)

    def similarity(self, a: Branches, b: Branches) -> float:
        return cosine(a, b)

    def key(self, page: Branches) -> Hashable:
        return page.key

    def links(self, pages: Sequence[Branches]) -> Iterator[tuple[int, int]]:
        """Enough pairs of candidates to connect what all of them would connect."""
        index = BranchIndex(pages, threshold=self.candidates, permutations=self.permutations)
        buckets = index.buckets()
        lists: list[list[int]] = [[] for _ in pages]
        for number, bucket in enumerate(buckets):
            for page in bucket.tolist():
                lists[page].append(number)
        apart = np.ones(len(pages), bool)
        for start in range(len(pages)):
            reached = [start] if apart[start] else []
            apart[start] = False
            while reached:
                one = reached.pop()
                near = []
                for number in lists[one]:
                    # Whoever is reached leaves the bucket, so that large ones are read once.
                    bucket = buckets[number] = buckets[number][apart[buckets[number]]]
                    near.append(bucket)
                among = np.unique(np.concatenate(near)) if near else np.empty(0, np.int64)
                if not len(among):
                    continue
                alike = among[index.table.cosines(pages[one], among) >= self.at_least]
                apart[alike] = False
                reached += alike.tolist()
                yield from ((one, other) for other in alike.tolist())
