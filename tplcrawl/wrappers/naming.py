"""Names of fields: from what pages call them, at best; from where they stand, at worst."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

from tplcrawl.wrappers.labels import MARKS, element_label, is_label
from tplcrawl.wrappers.leaves import Leaf
from tplcrawl.wrappers.skeleton import Part

LONGEST = 40
_MOST_WORDS = 6
"""Words of a label that names a field; what has more is a sentence, or a row of a table."""
_SPLIT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HEADS = {"h1": "title", "title": "page_title", "time": "time", "address": "address"}
"""Tags that say what their text is."""

_SUFFIXES = {
    "href": "url",
    "src": "image",
    "data-src": "image",
    "datetime": "date",
    "content": "",
    "value": "",
}


def slug(text: str) -> str:
    """*text* as a name that a programming language takes.

    >>> slug("ISBN-13:"), slug("productPriceValue"), slug("2nd hand"), slug("Größe (cm)")
    ('isbn_13', 'product_price_value', 'n2nd_hand', 'größe_cm')
    """
    text = unicodedata.normalize("NFKC", text).replace("\xa0", " ")
    words = re.findall(r"\w+", _SPLIT.sub(" ", text).replace("_", " ").lower())
    made = ""
    for word in words:
        if made and len(made) + len(word) > LONGEST:
            break
        made += ("_" if made else "") + word[:LONGEST]
    if made[:1].isdigit():
        made = f"n{made}"
    if not made.isidentifier():
        made = "".join(c for c in made if c.isascii())
    return f"{made}_" if keyword.iskeyword(made) else made


def name_of(leaf: Leaf, width: Callable[[Part], int]) -> tuple[str, str]:
    """The name of a leaf, and what it is from. *width* tells how many leaves a part has below: one
    that has many is called after none of its steps."""
    suffix = _SUFFIXES.get(leaf.target.name, leaf.target.name)
    for found, source in _candidates(leaf, width):
        # What the page's markup calls it stays as it is.
        exact = source in ("microdata", "rdfa") and found.isidentifier()
        name = found if exact else slug(found)
        if name and not (name.isdigit() or len(name) < 2):
            if suffix and not name.endswith(suffix):
                name = f"{name}_{suffix}"
            return name, source
    tag = leaf.part.step.tag
    return slug(f"{tag} {suffix}"), "position"


def _candidates(leaf: Leaf, width: Callable[[Part], int]) -> Iterable[tuple[str, str]]:
    nodes = leaf.part.examples
    for attribute, source in (("itemprop", "microdata"), ("property", "rdfa")):
        given = nodes[0].element.get(attribute) if nodes else None
        if given:
            yield next(iter(given.rpartition(":")[2].split()), ""), source
    if leaf.part.step.tag == "meta" and nodes:
        yield nodes[0].element.get("name") or "", "meta"
    if leaf.target.label is not None:
        yield _words(leaf.target.label.text), "label"
    near = list(_near(leaf, width))
    for part in near:
        if part.step.label is not None:
            yield _words(part.step.label.text), "label"
    yield _words(_beside(leaf.part)), "label"
    for part in near:
        step = part.step
        if step.tag in _HEADS:
            yield _HEADS[step.tag], "tag"
        if step.id:
            yield step.id, "id"
        if step.classes:
            yield max(step.classes, key=lambda name: (len(name), name)), "class"


def _near(leaf: Leaf, width: Callable[[Part], int]) -> Iterator[Part]:
    """The part of a leaf and those that hold little more than it."""
    part: Part | None = leaf.part
    own = width(leaf.part)
    for _ in range(4):
        if part is None or (part.many and part is not leaf.part) or width(part) > max(3, own + 1):
            return
        yield part
        if part.step.first:
            return
        part = part.parent


def _beside(part: Part) -> str:
    """What all examples of a part have before them, where that is a label by its place or mark."""
    texts = {element_label(node.element) or "" for node in part.examples}
    text = texts.pop() if len(texts) == 1 else ""
    return text if part.step.tag in ("td", "dd") or text[-1:] in MARKS else ""


def _words(text: str) -> str:
    """*text*, if it is a label that may be a name."""
    fit = is_label(text) and len(re.findall(r"\w+", text)) <= _MOST_WORDS
    return text if fit else ""


def unique(name: str, taken: set[str]) -> str:
    """*name*, with a number if it is taken; takes it."""
    made, number = name, 2
    while made in taken:
        made, number = f"{name}_{number}", number + 1
    taken.add(made)
    return made
