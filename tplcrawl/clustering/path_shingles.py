"""Common path shingles: the baseline CPS of paper 000 (section 4.2, table 2; its reference [3]).

A page is the set of the windows over its root-to-leaf paths (see
:mod:`~tplcrawl.fingerprints.shingles` for their length); two are as alike as
``|a ∩ b| / max(|a|, |b|)``, as whole paths are.

The paper takes each template's threshold from its training pages and has none for clustering.
Measured on nineteen real sites of 400 pages, 0.9 has the best mean of pairwise F1: 0.88 (0.77 at
0.8); windows are shorter than paths, so that more of them are on every page.
"""

from __future__ import annotations

from typing import ClassVar

from tplcrawl.clustering.common_paths import CommonPaths
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.shingles import LENGTH, path_shingles
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline


class PathShingles(CommonPaths):
    """Links pages by the share of their path shingles. O(n²) in one sparse product."""

    name: ClassVar[str] = "path-shingles"
    threshold: ClassVar[float] = 0.9

    def __init__(
        self, *, length: int = LENGTH, similarity: float | None = None, most: int | None = None
    ) -> None:
        super().__init__(similarity=similarity, most=most)
        if not isinstance(length, int) or length < 1:
            raise UsageError(f"{self.name}: length must be a whole number from 1, not {length}")
        self.length = length

    def represent(self, features: Features, outline: Outline) -> Hashes:
        return path_shingles(outline, self.length)
