"""Rich text: what an editor wrote with markup of its own, as a description or an article.

Its elements are content, not template: one page has two paragraphs, the next one a list and a
heading. Such a part is one value. It is told by what it is made of: HTML's elements for text, and
none of those for layout or data.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from tplcrawl.wrappers.nodes import Node
from tplcrawl.wrappers.skeleton import Part

LONG = 150
"""Characters from which a text is read, not looked up."""

_BLOCKS = frozenset("p br blockquote pre h2 h3 h4 h5 h6 hr".split())
_ELEMENTS = _BLOCKS | frozenset(
    "a abbr b big cite code del em figcaption figure font i img ins kbd li mark ol q s small span "
    "strike strong sub sup tt u ul var wbr".split()
)
_HOLDING = frozenset("html head body ul ol dl table thead tbody tr a span nav select".split())
"""Elements whose insides are no text that was written in one piece."""

_LOOKED_AT = 400
"""Elements of one example."""


def rich_parts(parts: Sequence[Part]) -> set[int]:
    """The ids of those of *parts*, parents first, that are rich text, none within another."""
    found: set[int] = set()
    for part in parts:
        if not part.lists and not within(part, found) and _is_rich(part):
            found.add(id(part))
    return found


def within(part: Part, found: set[int]) -> bool:
    """Whether *part* stands inside one of those *found*."""
    above = part.parent
    while above is not None:
        if id(above) in found:
            return True
        above = above.parent
    return False


def _is_rich(part: Part) -> bool:
    if part.step.tag in _HOLDING or not part.examples:
        return False
    marked = 0
    for node in part.examples:
        below = list(node.below(_LOOKED_AT))
        if len(below) == _LOOKED_AT or any(one.tag not in _ELEMENTS for one in below):
            return False
        marked += len(below) > 1 and any(one.tag in _BLOCKS for one in below)
    if 2 * marked < len(part.examples):
        return False
    lengths = [len(node.text) for node in part.examples]
    linked = [_linked(node) for node in part.examples]
    return median(lengths) > LONG and 2 * sum(linked) <= sum(lengths)


def _linked(node: Node) -> int:
    """Characters of links."""
    return sum(len(one.text) for one in node.below(_LOOKED_AT) if one.tag == "a")
