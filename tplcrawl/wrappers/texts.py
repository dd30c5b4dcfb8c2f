"""Texts of lxml elements, read as XPath reads them."""

from __future__ import annotations

from typing import Any

from lxml import etree

from tplcrawl.wrappers.labels import MARKS, brief
from tplcrawl.wrappers.nodes import BLANK, squeezed
from tplcrawl.wrappers.steps import Label, Target


def marked(text: str) -> str:
    """*text* up to its first mark, if it has one.

    >>> marked("ISBN: 978"), marked("ISBN")
    ('ISBN:', '')
    """
    for i, c in enumerate(text):
        if c in MARKS:
            return text[: i + 1]
    return ""


def says(text: str, label: Label) -> bool:
    """Whether *text* is *label*, or begins with it."""
    return text.startswith(label.text) if label.prefix else text == label.text


def own_texts(element: Any) -> list[tuple[str, Any]]:
    """The texts of *element* itself that are not blank, each with the element before it."""
    text = element.text
    found = [(text, None)] if text and text.strip(BLANK) else []
    before = None
    for child in element:
        if child.tag.__class__ is str:
            before = child
        text = child.tail
        if text and text.strip(BLANK):
            found.append((text, before))
    return found


def first_own_text(element: Any) -> str | None:
    """The first of the texts of *element* itself that is not blank."""
    text: str | None = element.text
    if text and text.strip(BLANK):
        return text
    for child in element:
        text = child.tail
        if text and text.strip(BLANK):
            return text
    return None


def text_below(element: Any) -> list[str]:
    """The first text of an element below that has any, scripts left out; in a list, or none."""
    for below in element.iterdescendants(etree.Element):
        if below.tag not in ("script", "style"):
            text = first_own_text(below)
            if text is not None:
                return [text]
    return []


def chosen_texts(texts: list[tuple[str, Any]], target: Target) -> list[str]:
    """Those of an element's own *texts* that *target* means."""
    label, nth = target.label, target.nth
    if label is None:
        found = [text for text, _ in texts]
    elif label.where == "inside":
        found = [text for text, _ in texts if says(squeezed(text), label)]
    else:
        found = [
            text for text, before in texts if before is not None and says(brief(before), label)
        ]
    return numbered(found, nth)


def numbered(found: list[Any], nth: int) -> list[Any]:
    """Of *found*, what stands at *nth*, from the end if negative; all for 0."""
    if nth == 0:
        return found
    if nth > 0:
        return found[nth - 1 : nth]
    return found[nth : nth + 1 or None] if len(found) >= -nth else []
