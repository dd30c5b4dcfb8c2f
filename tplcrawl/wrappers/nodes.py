"""Pages as plain trees to learn from: bounded, and quick to go through many times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

IGNORED = frozenset(
    ("script", "style", "noscript", "template", "svg", "math", "iframe", "object", "embed")
)
"""Elements whose insides are no content of a page."""

MOST_CHILDREN = 1000
MOST_ELEMENTS = 20_000
MOST_DEPTH = 250
"""How much of one page is learnt from. What lies beyond is a list going on, or an attack."""

BLANK = " \t\r\n"
"""What XPath takes for space."""

_SPACE = re.compile(r"[ \t\r\n]+")


whole_text = etree.XPath("string()", smart_strings=False)
"""All text below an lxml element: many times quicker than to join its parts."""


def squeezed(text: str) -> str:
    """*text* as XPath's ``normalize-space`` gives it: a no-break space is no space to it.

    >>> squeezed(" a\\n b\xa0 ")
    'a b\\xa0'
    """
    if text.isascii():
        return " ".join(text.split())
    return _SPACE.sub(" ", text).strip(" ")


def first_text(top: Any) -> str:
    """The first text below *top* that is not blank, as XPath finds it: in scripts, too."""
    element = top
    while True:
        text = element.text
        if text and text.strip(BLANK) and element.tag.__class__ is str:
            return squeezed(text)
        if len(element):
            element = element[0]
            continue
        while True:
            if element is top:
                return ""
            text = element.tail
            if text and text.strip(BLANK):
                return squeezed(text)
            after = element.getnext()
            if after is not None:
                element = after
                break
            element = element.getparent()


def text_before(element: Any) -> str:
    """The text that stands directly before *element*."""
    before = element.getprevious()
    while before is not None:
        text = before.tail
        if text and text.strip(BLANK):
            return squeezed(text)
        if before.tag.__class__ is str:
            return ""
        before = before.getprevious()
    return squeezed(element.getparent().text or "")


@dataclass(eq=False, slots=True)
class Node:
    """An element of one page."""

    tag: str
    element: Any = field(repr=False)
    page: int
    parent: Node | None = field(repr=False)
    index: int
    """Its place among its parent's contents."""
    contents: list[Node | str] = field(default_factory=list, repr=False)
    """Its elements and its texts in order; texts are squeezed, and never empty."""
    _first: str | None = None
    _text: str | None = None

    @property
    def children(self) -> Iterator[Node]:
        return (part for part in self.contents if not isinstance(part, str))

    @property
    def id(self) -> str:
        return self.element.get("id") or ""

    @property
    def classes(self) -> list[str]:
        return (self.element.get("class") or "").split()

    def texts(self) -> Iterator[str]:
        """Every text below, in order."""
        stack: list[Node | str] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                yield part
            else:
                stack.extend(reversed(part.contents))

    @property
    def first(self) -> str:
        """The first text below, as a selector finds it."""
        if self._first is None:
            self._first = first_text(self.element)
        return self._first

    @property
    def text(self) -> str:
        """All the text below."""
        if self._text is None:
            self._text = " ".join(self.texts())
        return self._text

    def every(self) -> Iterator[Node]:
        """It and all elements below, in no particular order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(node.children)

    def below(self, most: int) -> Iterator[Node]:
        """The first *most* elements below, in order."""
        stack = list(self.children)[::-1]
        while stack and most:
            node = stack.pop()
            most -= 1
            yield node
            stack.extend(list(node.children)[::-1])


@dataclass(frozen=True, slots=True)
class Tree:
    """One page to learn from."""

    root: Node
    cuts: frozenset[str]
    """What of the page was too much: ``children``, ``elements``, ``depth``."""


def tree_of(root: Any, page: int = 0) -> Tree:
    """The tree below *root*, an lxml element. O(elements), without recursion."""
    top = Node(root.tag, root, page, None, 0)
    cuts: set[str] = set()
    count = 0
    # Breadth first, so that a cut loses depth, not the foot of the page.
    level = [top]
    depth = 0
    while level:
        below: list[Node] = []
        depth += 1
        for node in level:
            count = _fill(node, page, count, below, cuts)
        level = below
        if depth >= MOST_DEPTH and level:
            cuts.add("depth")
            break
    return Tree(top, frozenset(cuts))


def _fill(node: Node, page: int, count: int, below: list[Node], cuts: set[str]) -> int:
    element, contents = node.element, node.contents
    text = squeezed(element.text or "")
    if text:
        contents.append(text)
    children = 0
    for child in element:
        if child.tag.__class__ is str and child.tag not in IGNORED:
            if children >= MOST_CHILDREN:
                cuts.add("children")
            elif count >= MOST_ELEMENTS:
                cuts.add("elements")
            else:
                children += 1
                count += 1
                made = Node(child.tag, child, page, node, len(contents))
                contents.append(made)
                below.append(made)
        tail = child.tail
        if tail:
            text = squeezed(tail)
            if text:
                contents.append(text)
    return count
