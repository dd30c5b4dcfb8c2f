"""A page as the sequence of its tags (paper 000, section 3.1), hashed: the page as it is read.

Start and end tags count alike, void elements once, attributes, text and comments not at all, as in
the LZW fingerprint. That one is taken from the raw bytes; this is rebuilt from the tree, so that an
end tag that the author left out is there, and drawings (``svg``, ``math``) are one element without
insides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tplcrawl.fingerprints.steps import step_parts
from tplcrawl.outline import Outline

Tags = npt.NDArray[np.uint32]
"""A sequence of tags, each as the CRC-32 of its name."""

VOID = frozenset(
    "area base basefont bgsound br col command embed frame hr img input isindex keygen link meta"
    " param source spacer track wbr".split()
)
"""Elements without an end tag: those of HTML and those that browsers still know."""


def tag_codes(outline: Outline) -> list[int]:
    """The hash of the last tag of each distinct path.

    >>> tag_codes(Outline((-1,), ("html", ), (False,), (0,))) == [crc32(b"html")]
    True
    """
    return [crc32(step_parts(step).tag[1:]) for step in outline.steps]


def tag_sequence(outline: Outline) -> Tags:
    """The tags of a page in order. O(elements), without recursion.

    >>> page = Outline((-1, 0, 1, 1), ("html", "body", "p", "br"), (False,) * 4, (0, 1, 2, 3, 2))
    >>> names = {crc32(name.encode()): name for name in ("html", "body", "p", "br")}
    >>> " ".join(names[tag] for tag in tag_sequence(page).tolist())
    'html body p p br p p body html'
    """
    return _sequence(outline, outline.sequence, 0)


def head_sequence(outline: Outline) -> Tags:
    """The part of a page's sequence that is its ``head``: its own tags and all between them.

    >>> page = Outline((-1, 0, 1, 0), ("html", "head", "title", "body"), (False,) * 4, (0, 1, 2, 3))
    >>> len(head_sequence(page)), len(tag_sequence(page))
    (4, 8)
    """
    inside: list[bool] = []
    for parent, tag in zip(outline.parents, outline.tags, strict=True):
        top = tag == "head" and parent >= 0 and outline.path(parent) == "/html"
        inside.append(top or (parent >= 0 and inside[parent]))
    return _sequence(outline, [path for path in outline.sequence if inside[path]], 1)


def _sequence(outline: Outline, elements: Iterable[int], top: int) -> Tags:
    """The tags of *elements*, whole trees in document order with roots *top* steps deep."""
    codes: Sequence[int] = tag_codes(outline)
    depths = [depth - top for depth in outline.depths]
    void = [tag in VOID for tag in outline.tags]
    tags: list[int] = []
    open_: list[int] = []
    for path in elements:
        depth = depths[path]
        if depth < len(open_):
            tags += [codes[one] for one in reversed(open_[depth:]) if not void[one]]
            del open_[depth:]
        tags.append(codes[path])
        open_.append(path)
    tags += [codes[one] for one in reversed(open_) if not void[one]]
    return np.array(tags, np.uint32)
