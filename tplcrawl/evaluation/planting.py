"""What goes wrong on real sites, planted into packed ones: the truth for mismatches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from tplcrawl.batch.documents import Document
from tplcrawl.clustering.mismatches import BLOCK, LOGIN, REDIRECT, SOFT_404
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.sample.dice import Dice
from tplcrawl.page.profile import parse

BARE, FRAMED, HOME, MENU, MENUS, OTHERS = "bare", "framed", "home", "menu", "menus", "others"
WALL, WAVE = "wall", "wave"

FAULTS = {
    BARE: SOFT_404,
    FRAMED: SOFT_404,
    HOME: REDIRECT,
    MENU: REDIRECT,
    MENUS: REDIRECT,
    OTHERS: REDIRECT,
    WALL: LOGIN,
    WAVE: BLOCK,
}
"""What is planted, and what it is to be called: an excuse of nothing else, and one in the frame of
the home page; the home page, the page that most others link to, one of the five that they do, each
time another page of another template; a form for a password in the frame of the home page; and an
excuse for every page, for a while."""

USUAL = 15
"""Pages of a template from which on some of them go wrong."""
SHARE = 7
"""The percentage of these that do."""
LASTING = 40
"""Pages of a wave."""
_MENU = 5
_INSIDE = 0.6
"""The share of a page's text in one element that makes it the frame of the rest."""
_TEXTS = etree.XPath(".//text()[not(ancestor::script or ancestor::style)]", smart_strings=False)


@dataclass(frozen=True, slots=True)
class Visited:
    """A page of a crawl in which nothing went wrong."""

    url: str
    truth: str | None
    linked: int
    """How many pages link to it."""


@dataclass(frozen=True)
class FaultyCorpus(Corpus):
    """A packed site of which some pages show something else."""

    shown: Mapping[str, Document] = field(default_factory=dict, repr=False)
    """What they show instead, by their URLs."""

    def fetch(self, url: str) -> Document | None:
        """The page that *url* answers with, or what it shows instead."""
        document = super().fetch(url)
        if document is None or document.url not in self.shown:
            return document
        return replace(self.shown[document.url], url=document.url)


def plant(corpus: Corpus, fault: str, visited: Sequence[Visited], seed: int) -> FaultyCorpus:
    """*corpus* with one of :data:`FAULTS` at some of the pages that a crawl *visited*, in order."""
    home, *rest = visited
    by_links = sorted(rest, key=lambda page: (-page.linked, page.url))
    menu = by_links[:_MENU]
    everywhere = (page for page in rest if 2 * page.linked > len(visited))
    spared = {page.url for page in (home, *menu, *everywhere)}
    counts = Counter(page.truth for page in visited)
    chosen = [
        page
        for page in visited
        if page.url not in spared
        and page.truth is not None
        and counts[page.truth] >= USUAL
        and Dice(seed, fault, page.url).chance(SHARE)
    ]
    if fault == WAVE:
        first = len(visited) // 3 + Dice(seed, fault).roll(max(len(visited) // 3, 1))
        chosen = [page for page in visited[first : first + LASTING] if page.url not in spared]
    shown = {}
    for page in chosen:
        dice = Dice(seed, "instead", page.url)
        others = [one for one in visited if one.truth != page.truth] or [home]
        there = {HOME: home, MENU: menu[0], MENUS: dice.pick(menu), OTHERS: dice.pick(others)}
        source = corpus.fetch(there.get(fault, home).url)
        if source is not None:
            shown[page.url] = _instead(fault, source, page.url)
    return FaultyCorpus(corpus.folder, corpus.start, corpus.answers, shown)


def _instead(fault: str, source: Document, url: str) -> Document:
    """What is shown under *url*: *source*, or what is made of it."""
    name = escape(" ".join(unquote(urlsplit(url).path).strip("/").split("/")[-1].split("-")))
    excuse = f"<p>There is nothing called {name} here.</p>"
    if fault == WAVE:
        number = Dice(0, url).roll(10**9)
        body = _bare("One moment", f"<p>Too many requests. Reference {number}.</p>")
    elif fault == BARE:
        body = _bare(name, excuse)
    elif fault == FRAMED:
        body = _framed(source, name, excuse)
    elif fault == WALL:
        inside = "<input name=name><input type=password name=word><button>Go</button>"
        body = _framed(source, "Who is there?", f"<form method=post>{inside}</form>")
    else:
        return source
    return replace(source, body=body, encoding="utf-8")


def _bare(title: str, inner: str) -> bytes:
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    return f"{head}<body><h1>{title}</h1>{inner}</body></html>".encode()


def _framed(source: Document, title: str, inner: str) -> bytes:
    """*source* with *inner* in the place of what it has to say."""
    root = parse(source.body, source.encoding)
    place = root.find("body")
    if place is None:
        return _bare(title, inner)
    while (inside := _main(place)) is not None:
        place = inside
    for child in list(place):
        place.remove(child)
    place.text = None
    made = etree.fromstring(f"<div><h1>{title}</h1>{inner}</div>", etree.HTMLParser())
    place.extend(made.find("body/div"))
    for head in root.iter("title"):
        head.text = title
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
