"""Common paths: the first baseline of paper 001 (section 3.3, formula 3; its experiments, section
4.3), there applied to groups, here to pages.

Two pages are as alike as the share of tag paths that they have in common:
``1 - CPD(a, b) = |a ∩ b| / max(|a|, |b|)``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

from tplcrawl.clustering.linked import Linked
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline
from tplcrawl.similarity.sets import common_paths, linked_sets


class CommonPaths(Linked[Hashes]):
    """Links pages that share at least 0.8 of their tag paths. O(n²) in one sparse product."""

    name: ClassVar[str] = "common-paths"
    threshold: ClassVar[float] = 0.8

    def represent(self, features: Features, outline: Outline) -> Hashes:
        return features.tag_paths

    def similarity(self, a: Hashes, b: Hashes) -> float:
        return common_paths(a, b)

    def key(self, page: Hashes) -> Hashable:
        return page.tobytes()

    def links(self, pages: Sequence[Hashes]) -> Iterator[tuple[int, int]]:
        return linked_sets(pages, self.at_least, of_larger=True)
