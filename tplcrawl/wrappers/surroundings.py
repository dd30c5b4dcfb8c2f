"""What belongs to a page's surroundings: menus, footers, link blocks, boxes of the day.

Such things vary too, by chance: from page to page other links are left out, other advice is given.
They are told by where they stand and by what they are made of, never by words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from tplcrawl.wrappers.leaves import Leaf
from tplcrawl.wrappers.naming import slug
from tplcrawl.wrappers.skeleton import Part

_AROUND = frozenset(("nav", "footer", "aside", "select", "button"))
"""HTML's own names for them, and for what is there to be pressed."""

RARE = 0.3
"""Support up to which a value says little of the template."""

USUAL = 0.9
"""A text that so many of the pages share, of those that have one, is the template's."""

_MACHINE = 60
"""Characters without a space, beyond which a text is none for people."""

_CROWD = 8
"""Links that make a block of links."""


class Surroundings:
    """Judges the leaves of a skeleton."""

    def __init__(self, root: Part, leaves: Mapping[int, Sequence[Leaf]]) -> None:
        self._links: defaultdict[int, float] = defaultdict(float)
        self._texts: defaultdict[int, float] = defaultdict(float)
        for part in reversed(list(root.walk())):
            own = 1.0
            if part.many and part.parent is not None:
                own = len(part.examples) / len(part.parent.examples)
            if part.step.tag == "a":
                self._links[id(part)] += own
            self._texts[id(part)] += own * any(
                leaf.target.kind == "text" for leaf in leaves[id(part)]
            )
            if part.parent is not None:
                self._links[id(part.parent)] += self._links[id(part)]
                self._texts[id(part.parent)] += self._texts[id(part)]

    def low(self, leaf: Leaf, values: Sequence[str], pages: int) -> bool:
        """Whether *leaf*, with *values* on some of the pages, is of the surroundings."""
        if len(values) < 2 or len(values) <= RARE * pages:
            return True
        if leaf.part.step.tag == "meta" or leaf.minor:
            return True
        if leaf.target.kind != "attribute" and median(map(_longest_word, values)) > _MACHINE:
            return True
        counts = Counter(values)
        if len(values) >= 5 and counts.most_common(1)[0][1] >= USUAL * len(values):
            return True
        if leaf.target.name == "href" or (
            leaf.target.name == "src" and len(counts) < len(values) / 2
        ):
            return True
        return self._stands_around(leaf.part)

    def _stands_around(self, part: Part | None) -> bool:
        near = 0
        linked = False
        while part is not None:
            if part.step.tag in _AROUND:
                return True
            linked = linked or part.step.tag == "a"
            if linked and near <= 4:
                links = self._links[id(part)]
                if links >= _CROWD and links >= 0.8 * self._texts[id(part)]:
                    return True
            near += 1
            part = part.parent
        return False

    def low_list(self, top: Part, leaves: Sequence[Leaf]) -> bool:
        """Whether a list is one of links: its rows have no text outside of them."""
        if self._stands_around(top):
            return True
        return all(leaf.target.kind == "attribute" or _in_link(leaf.part, top) for leaf in leaves)

    def list_name(self, top: Part) -> str:
        """What a list is called: by its label, its id or classes, or those of what holds it."""
        part: Part | None = top
        for _ in range(3):
            if part is None:
                break
            step = part.step
            for text in (
                step.label.text if step.label else "",
                step.id,
                max(step.classes, key=lambda name: (len(name), name), default=""),
            ):
                if slug(text):
                    return slug(text)
            part = part.parent
        return f"{top.step.tag}_list"


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _in_link(part: Part | None, top: Part) -> bool:
    while part is not None:
        if part.step.tag == "a":
            return True
        if part is top:
            return False
        part = part.parent
    return False
