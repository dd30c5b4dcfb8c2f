"""Common tag sequence shingles: the baseline CTSS of paper 000 (section 4.2, table 2; its
reference [7]), there the only one that is as good as the LZW fingerprint.

A page is the set of the windows over its sequence of tags (see
:mod:`~tplcrawl.fingerprints.shingles` for their length); two are as alike as
``|a ∩ b| / max(|a|, |b|)``, and of one template from 0.8: the threshold that section 4.2 gives.
"""

from __future__ import annotations

from typing import ClassVar

from tplcrawl.clustering.path_shingles import PathShingles
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.shingles import tag_shingles
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline


class TagShingles(PathShingles):
    """Links pages that share at least 0.8 of their tag shingles. O(n²) in one sparse product."""

    name: ClassVar[str] = "tag-shingles"
    threshold: ClassVar[float] = 0.8

    def represent(self, features: Features, outline: Outline) -> Hashes:
        return tag_shingles(outline, self.length)
