"""What sites show where something goes wrong, in place of a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from tplcrawl.batch.documents import Document
from tplcrawl.clustering.mismatches import BLOCK, LOGIN, REDIRECT, SOFT_404
from tplcrawl.evaluation.sample.dice import Dice
from tplcrawl.page.profile import parse

BARE, FRAMED, SORRY, GONE, SUGGESTING = "bare", "framed", "sorry", "gone", "suggesting"
HOME, MENU, MENUS, OTHERS = "home", "menu", "menus", "others"
WALL, WAVE, INCIDENTS, EMPTY = "wall", "wave", "incidents", "empty"

FAULTS = {
    BARE: SOFT_404,
    FRAMED: SOFT_404,
    SORRY: SOFT_404,
    GONE: SOFT_404,
    SUGGESTING: SOFT_404,
    HOME: REDIRECT,
    MENU: REDIRECT,
    MENUS: REDIRECT,
    OTHERS: REDIRECT,
    WALL: LOGIN,
    WAVE: BLOCK,
    INCIDENTS: BLOCK,
    EMPTY: BLOCK,
}
"""What is planted, and what it is to be called.

Excuses: of nothing else, in the frame of the home page named after what was asked for, in that
frame with one title, in the frame of the page itself with its title, and in the frame of the home
page with links to a few pages, each time others. The home page, the page that most others link to,
one of the five that they do, each time another page of another template. A form for a password in
the frame of the home page. And for a while, whatever is asked for: an excuse, one of any length
with a number of its own, and a frame with nothing in it."""

WAVES = frozenset((WAVE, INCIDENTS, EMPTY))
"""Those that come for a while."""

_MENU = 5
_SUGGESTED = 5
_INSIDE = 0.6
"""The share of a page's text in one element that makes it the frame of the rest."""
_TEXTS = etree.XPath(".//text()[not(ancestor::script or ancestor::style)]", smart_strings=False)


@dataclass(frozen=True)
class Surroundings:
    """What a page that goes wrong may show of the rest of its site."""

    fetch: Callable[[str], Document | None]
    home: str
    linked: Sequence[str]
    """All other pages, those that most pages link to first."""
    seed: int

    @property
    def menu(self) -> Sequence[str]:
        """The pages that most others link to."""
        return self.linked[:_MENU]

    def instead(self, fault: str, url: str, strange: Sequence[str]) -> Document | None:
        """What is shown under *url*; *strange* are the pages of other templates."""
        dice = Dice(self.seed, "instead", url)
        there = {
            HOME: lambda: self.home,
            MENU: lambda: self.menu[0],
            MENUS: lambda: dice.pick(self.menu),
            OTHERS: lambda: dice.pick(strange or [self.home]),
            GONE: lambda: url,
        }
        source = self.fetch(there.get(fault, there[HOME])())
        if source is None or FAULTS[fault] == REDIRECT:
            return source
        return replace(source, body=self._made(fault, source, url, dice), encoding="utf-8")

    def _made(self, fault: str, source: Document, url: str, dice: Dice) -> bytes:
        """What is made of *source*."""
        name = escape(" ".join(unquote(urlsplit(url).path).strip("/").split("/")[-1].split("-")))
        excuse = f"<p>There is nothing called {name} here.</p>"
        if fault == WAVE:
            number = Dice(0, url).roll(10**9)
            return _bare("One moment", f"<p>Too many requests. Reference {number}.</p>")
        if fault == INCIDENTS:
            return _bare("Denied", _incident(dice))
        if fault == EMPTY:
            return _framed(source, None, "")
        if fault == BARE:
            return _bare(name, excuse)
        if fault == FRAMED:
            return _framed(source, name, f"<h1>{name}</h1>{excuse}")
        if fault == SORRY:
            return _framed(source, "Sorry", "<h1>Sorry</h1><p>That page is not there.</p>")
        if fault == GONE:
            title = parse(source.body, source.encoding).findtext(".//title") or ""
            gone = "<p>This is no longer available.</p>"
            return _framed(source, None, f"<h1>{escape(title)}</h1>{gone}")
        if fault == SUGGESTING:
            found = (dice.pick(self.linked) for _ in range(dice.between(2, _SUGGESTED)))
            rows = "".join(f'<li><a href="{escape(one)}">{dice.title(2)}</a></li>' for one in found)
            return _framed(source, "Not found", f"<h1>Not found</h1>{excuse}<ul>{rows}</ul>")
        inside = "<input name=name><input type=password name=word><button>Go</button>"
        form = f"<h1>Who is there?</h1><form method=post>{inside}</form>"
        return _framed(source, "Who is there?", form)


def _incident(dice: Dice) -> str:
    """A refusal with a number of its own, and more or less about the visitor."""
    lines = [f"Incident {dice.roll(16**12):012x}, 2024-03-04 {dice.between(10, 23)}:10:05."]
    lines += [f"Ray {dice.roll(16**8):08x}, {dice.words(1)}." for _ in range(dice.roll(4))]
    shown = "".join(f"<p>{line}</p>" for line in lines)
    return f"<p>Your request looks like that of a machine, so it was not answered.</p>{shown}"


def _bare(title: str, inner: str) -> bytes:
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    return f"{head}<body><h1>{title}</h1>{inner}</body></html>".encode()


def _framed(source: Document, title: str | None, inner: str) -> bytes:
    """*source* with *inner* in the place of what it has to say, and another *title*, if any."""
    root = parse(source.body, source.encoding)
    place = root.find("body")
    if place is None:
        return _bare(title or "", inner)
    while (inside := _main(place)) is not None:
        place = inside
    for child in list(place):
        place.remove(child)
    place.text = None
    made = etree.fromstring(f"<div>{inner}</div>", etree.HTMLParser())
    place.extend(made.find("body/div"))
    for head in root.iter("title"):
        head.text = head.text if title is None else title
    page: bytes = etree.tostring(root, method="html", encoding="utf-8", doctype="<!doctype html>")
    return page


def _main(element: Any) -> Any | None:
    """The child with most of the text of *element*."""
    sizes = [(len("".join(_TEXTS(child))), child) for child in element.iterchildren("*")]
    whole = sum(size for size, _ in sizes)
    for size, child in sizes:
        if size > _INSIDE * whole:
            return child
    return None
