"""Labels: texts that name what stands beside them, read from nodes and texts alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tplcrawl.wrappers.nodes import Node, squeezed, text_before, whole_text
from tplcrawl.wrappers.steps import Label

LONGEST = 60
"""Characters of a label."""

_FAR = 500
"""Characters, blanks among them, beyond which nobody looks for a label."""

MARKS = ":=："
_WORD = re.compile(r"[^\W\d_]").search
_UNSAYABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]").search
"""Characters that XPath cannot say, or nobody can read."""


def is_label(text: str) -> bool:
    """Whether *text* is short, and has a letter.

    >>> is_label("ISBN:"), is_label("12"), is_label("\xa0"), is_label("a\x01b")
    (True, False, False, False)
    """
    return len(text) <= LONGEST and _WORD(text) is not None and not _UNSAYABLE(text)


def prefix_of(text: str) -> str | None:
    """The label that *text* begins with, its mark included, if something comes after it.

    >>> prefix_of("ISBN: 978"), prefix_of("at 12:30"), prefix_of("ISBN:")
    ('ISBN:', None, None)
    """
    for i, c in enumerate(text[:LONGEST]):
        if c in MARKS:
            after = text[i + 1 :].strip()
            if (
                is_label(text[:i])
                and after
                and not (text[i - 1].isdigit() or text.startswith("//", i + 1))
            ):
                return text[: i + 1]
            return None
    return None


def inner_labels(node: Node) -> Iterator[Label]:
    """What *node* may be called by the first text in it."""
    first = node.first
    if is_label(first):
        yield Label("inside", first)
    prefix = prefix_of(first)
    if prefix:
        yield Label("inside", prefix, prefix=True)


def outer_labels(node: Node) -> Iterator[Label]:
    """What *node* may be called by what stands before it: a term is a label itself."""
    if node.tag == "dt":
        return
    before = text_before(node.element)
    if before:
        if is_label(before):
            yield Label("text", before)
        return
    if node.tag == "dd":
        term = previous(node.element, "dt")
        if term is not None:
            text = brief(term)
            if is_label(text):
                yield Label("term", text)
        return
    words = element_label(node.element)
    if words:
        yield Label("before", words)


def element_label(element: Any) -> str | None:
    """The text of the element before *element*, if it is short enough for a label."""
    before = previous(element)
    if before is None:
        return None
    text = brief(before)
    return text if is_label(text) else None


def previous(element: Any, tag: str | None = None) -> Any:
    """The element before an lxml *element*: of *tag*, or the nearest."""
    before = element.getprevious()
    while before is not None and (
        before.tag.__class__ is not str or (tag is not None and before.tag != tag)
    ):
        before = before.getprevious()
    return before


def brief(element: Any) -> str:
    """The text below an lxml *element* where it may be a label, and nothing where it is long."""
    if not len(element):
        text = element.text
        return squeezed(text) if text and len(text) < _FAR else ""
    text = whole_text(element)
    return squeezed(text) if len(text) < _FAR else ""
