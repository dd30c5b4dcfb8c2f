"""Equal digests of the head's tag sequence: the baseline MDH5 of paper 000 (section 4.2, table 2),
"motivated by our hypothesis, that the initial segment of a document is structurally more stable",
and the only other method of the paper that clusters in linear time (section 5.2, table 6).

Pages without a head have the same head: nothing.
"""

from __future__ import annotations

from typing import ClassVar

from tplcrawl.clustering.md5 import MD5
from tplcrawl.fingerprints.tag_sequence import Tags, head_sequence
from tplcrawl.outline import Outline


class MDH5(MD5):
    """Groups pages by the digest of their heads. O(tags), no page is compared with another.

    What stands in the body counts for nothing:

    >>> tree = (-1, 0, 1, 0, 3), ("html", "head", "title", "body", "p"), (False,) * 5
    >>> short, long = Outline(*tree, (0, 1, 2, 3)), Outline(*tree, (0, 1, 2, 3, 4, 4))
    >>> MDH5().digest(short) == MDH5().digest(long), MD5().digest(short) == MD5().digest(long)
    (True, False)
    """

    name: ClassVar[str] = "mdh5"
    reason: ClassVar[str] = "the same sequence of tags in the head"

    def sequence(self, outline: Outline) -> Tags:
        return head_sequence(outline)
