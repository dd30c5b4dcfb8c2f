"""Equal digests of the tag sequence: the baseline MD5 of paper 000 (section 4.2, table 2).

Two pages are of one template if the MD5 of their whole tag sequences is the same: one more row of a
table, and they are not. The paper compares with it to show what a locality sensitive hash is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import md5
from typing import ClassVar

from tplcrawl.clustering.base import Arrival, Classifier, Clustering, Method
from tplcrawl.clustering.linked import STRANGER
from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.tag_sequence import Tags, tag_sequence
from tplcrawl.outline import Outline
from tplcrawl.records import Assignment


class MD5(Method):
    """Groups pages by a digest. O(tags), no page is compared with another."""

    name: ClassVar[str] = "md5"
    reason: ClassVar[str] = "the same sequence of tags"

    def sequence(self, outline: Outline) -> Tags:
        """What must be the same."""
        return tag_sequence(outline)

    def digest(self, outline: Outline) -> bytes:
        """Equal for pages of one template.

        >>> page = Outline((-1,), ("html",), (False,), (0,))
        >>> MD5().digest(page).hex()
        '444e15a86303b53757dc1fdf0f14b2c1'
        """
        tags = self.sequence(outline).astype("<u4", copy=False)
        return md5(tags.tobytes(), usedforsecurity=False).digest()

    def cluster(self, pages: Pages) -> Clustering:
        known: dict[bytes, Assignment] = {}
        assignments = []
        for outline in pages.outlines:
            fresh = Assignment(len(known), 1.0, self.reason)
            assignments.append(known.setdefault(self.digest(outline), fresh))
        return Clustering(tuple(assignments), ByDigest(self, known), learned_from=len(pages))


class ByDigest(Classifier):
    """A page is of the template with its digest, else of none. O(tags)."""

    def __init__(self, method: MD5, known: Mapping[bytes, Assignment]) -> None:
        self._method = method
        self._known = known

    def assign(self, page: Arrival) -> Assignment:
        return self._known.get(self._method.digest(page.outline), STRANGER)
