"""One walk over a parsed page, for everything that is read from its tree.

Creating lxml's proxy objects is the larger part of the cost of looking at a page, so they are
visited once. ``getpath`` would be quadratic in the number of siblings: counters are kept instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

from tplcrawl.outline import Outline
from tplcrawl.page.limits import DEFAULT, Limits

_LINKS = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
_TELLING = _LINKS | dict.fromkeys(("link", "meta", "base", "title", "html", "script", "input"), "")
"""Tags that link, by the attribute that says where to, and tags that say something of the page."""
_OPAQUE = frozenset(("svg", "math"))
"""Drawings: their insides are content, and no page type shows in them."""
_PAGED = frozenset(("next", "prev", "previous"))
_REFRESH = re.compile(
    r"\s*+[\d.]*+\s*+(?:[;,]\s*+)?+url\s*+=\s*+[\"']?+\s*+([^\"'>]+)", re.IGNORECASE
)
_JSON_LD_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([^"\\]{1,80})"')
_INSIDE, _SAID = 12, 300
"""Elements of a link, and characters, that are looked at for what it says."""
_HAS_WORD = re.compile(r"\w\w").search


@dataclass(slots=True)
class Head:
    """What a page says of itself."""

    title: str = ""
    canonical: str = ""
    lang: str = ""
    base: str = ""
    json_ld: list[str] = field(default_factory=list)
    """The ``@type`` names of its JSON-LD, in order."""
    asks: bool = False
    """Whether it has a field for a password."""


@dataclass(frozen=True, slots=True)
class RawLinks:
    """The links of a page as they stand on it, a column for each fact, in document order."""

    hrefs: tuple[str, ...] = ()
    positions: tuple[tuple[int, ...], ...] = ()
    """For each step of a link's path, its element's number among siblings of one tag."""
    paths: tuple[int, ...] = ()
    """The links' distinct paths: indices into the outline."""
    prose: tuple[bool, ...] = ()
    """Whether a link stands in running text: words follow it, or its parent begins with words."""
    said: tuple[str, ...] = ()
    """What each says, if that is asked for."""


@dataclass(frozen=True, slots=True)
class Walk:
    """What one walk found."""

    outline: Outline
    links: RawLinks
    head: Head
    elements: int
    """No fewer than were seen, those inside drawings and too far down among them."""
    cuts: tuple[str, ...]


def walk(root: Any, limits: Limits = DEFAULT, *, said: bool = False) -> Walk:
    """Walk the tree below *root*, an lxml element, in document order. With *said*, note what links
    say.

    O(elements), without recursion; bounded by *limits*.
    """
    parents: list[int] = []
    steps: list[str] = []
    texts: list[bool] = []
    sequence: list[int] = []
    links: list[tuple[str, tuple[int, ...], int, bool, str]] = []
    head, cuts = Head(), set[str]()

    visit, deepest, opaque = sequence.append, limits.depth - 1, _OPAQUE
    # Of the element whose children come: itself, the steps below its path, its path, how many
    # children of each tag it had so far, whether it begins with words, if that was asked.
    owner, known, above, counts = None, dict[str, Any](), -1, dict[str, int]()
    leads: bool | None = False
    stack: list[tuple[Any, ...]] = []
    trail = [0]
    last, tag, index = None, "", -1
    node: Any = None
    outside = set[Any]()
    elements = root.iter("*")
    for element in islice(elements, limits.elements):
        parent = element.getparent()
        if parent is not owner:
            if parent is last:
                if tag in opaque or len(stack) >= deepest:
                    if tag not in opaque:
                        cuts.add("depth")
                    outside |= {parent, element}
                    continue
                stack.append((owner, known, above, counts, leads))
                known = node[3]
                if known is None:
                    known = node[3] = {}
                owner, above, counts, leads = parent, index, {}, None
                trail.append(0)
            elif parent in outside:
                outside.add(element)
                continue
            else:
                while owner is not parent:
                    owner, known, above, counts, leads = stack.pop()
                    trail.pop()
        last = element
        tag = element.tag
        trail[-1] = counts[tag] = counts.get(tag, 0) + 1
        classes = element.get("class")
        step = tag if classes is None else f"{tag} {classes}"
        node = known.get(step)
        if node is None:
            name = step if classes is None else _clean_step(step, limits, cuts)
            node = known.get(name)
            if node is None:
                # A step's index, whether it is known to carry text, what it tells, and the steps
                # below it, if there are any.
                node = known[name] = [len(steps), False, _TELLING.get(tag), None]
                parents.append(above)
                steps.append(name)
                texts.append(False)
            known[step] = node
        index, texted, tells, _ = node
        visit(index)
        if not texted:
            text = element.text
            if text is not None and not text.isspace():
                node[1] = texts[index] = True
        if tells is not None:
            href = element.get(tells) if tells else _read_head(element, tag, head)
            if href:
                tail = element.tail
                if tail is not None and _HAS_WORD(tail):
                    prose = True
                else:
                    if leads is None:
                        leads = _begins_with_words(owner)
                    prose = leads
                links.append((href, tuple(trail), index, prose, _said(element) if said else ""))
    if next(elements, None) is not None:
        cuts.add("elements")
    if len(links) > limits.links:
        del links[limits.links :]
        cuts.add("links")
    outline = Outline(tuple(parents), tuple(steps), tuple(texts), tuple(sequence))
    seen = len(sequence) + len(outside)
    return Walk(outline, RawLinks(*zip(*links, strict=True)), head, seen, tuple(sorted(cuts)))


def _clean_step(step: str, limits: Limits, cuts: set[str]) -> str:
    if len(step) > limits.classes:
        cuts.add("classes")
        step = step[: limits.classes]
    return _spaced(step)


@lru_cache(maxsize=8192)
def _spaced(step: str) -> str:
    """*step* with single spaces. The same few hundred come on every page of a site."""
    return " ".join(step.split())


def _begins_with_words(element: Any) -> bool:
    text = element.text
    return text is not None and _HAS_WORD(text) is not None


def _said(link: Any) -> str:
    """What *link* says, as far as that is near: its text and that inside it, and what its images
    are."""
    text = link.text or ""
    if len(link):
        parts = [text]
        for inside in islice(link.iterdescendants("*"), _INSIDE):
            parts += [inside.get("alt") or "", inside.text or "", inside.tail or ""]
        text = " ".join(parts)
    return text[:_SAID]


def _read_head(element: Any, tag: str, head: Head) -> str | None:
    """Note what *element* says of its page; return the link that it is, if it is one."""
    href: str | None = None
    if tag == "link":
        relations = (element.get("rel") or "").lower().split()
        if "canonical" in relations and not head.canonical:
            head.canonical = (element.get("href") or "").strip()[:2083]
        if not _PAGED.isdisjoint(relations):
            href = element.get("href")
    elif tag == "meta":
        if (element.get("http-equiv") or "").lower() == "refresh":
            target = _REFRESH.match(element.get("content") or "")
            href = target[1].strip() if target else None
    elif tag == "base":
        head.base = head.base or element.get("href") or ""
    elif tag == "title":
        head.title = head.title or " ".join((element.text or "").split())[:500]
    elif tag == "html":
        head.lang = head.lang or (element.get("lang") or "").strip()[:35]
    elif tag == "input":
        head.asks = head.asks or (element.get("type") or "").strip().lower() == "password"
    elif (element.get("type") or "").lower() == "application/ld+json":
        head.json_ld += _JSON_LD_TYPE.findall((element.text or "")[:65536])[:20]
    return href
