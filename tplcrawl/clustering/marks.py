"""What a page shows, in words for people: those of its URL and its title, its JSON-LD types, the
classes of its ``body``, and its elements with classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from urllib.parse import unquote

from tplcrawl.clustering.names import FILLERS, stem
from tplcrawl.outline import Outline
from tplcrawl.queries import pairs, path_and_query

_GENERAL_TYPES = frozenset(
    """
    BreadcrumbList ContactPoint EntryPoint ImageObject ItemList ListItem Organization Person
    PostalAddress PropertyValueSpecification SearchAction ReadAction SiteNavigationElement
    WebPage WebSite
    """.split()
)
"""Types that describe the site or a part of a page, not what kind of page it is."""

_WORD = re.compile(r"[^\W\d_]{2,30}")
_CLASS = re.compile(r"[a-zA-Z][a-zA-Z_-]{1,40}").fullmatch
_MADE = re.compile(r"([a-zA-Z][a-zA-Z_-]*?)_{1,2}(?=\w*\d)(?=\d*[a-zA-Z])\w{4,8}").fullmatch
"""What a program has made of a class, so that it is the only one: ``Story_lead__1a2b3``."""

_TITLE = 300
"""Letters of a title that are looked at."""


class Mark(NamedTuple):
    """Something that is seen on a page."""

    kind: str
    """``type``, ``url``, ``title``, ``body`` or ``element``."""
    text: str
    at: int = 0
    """Where the word stands in the title: 1, 2, … from its start, and -1, -2, … from its end; 0
    where that does not matter."""

    def __str__(self) -> str:
        spelled = {
            "type": f"JSON-LD type {self.text}",
            "url": f"“{self.text}” in the URL",
            "title": f"“{self.text}” in the title",
            "body": f"body.{self.text}",
        }
        return spelled.get(self.kind, self.text)


def marks_of(url: str, outline: Outline, json_ld: str, title: str) -> dict[Mark, None]:
    """The marks of a page, those of the URL in their order.

    >>> page = Outline((-1, 0, 1), ("html", "body post", "h1 title"), (False,) * 3, (0, 1, 2))
    >>> page = marks_of("http://a.com/blog/7/?do=edit", page, "WebPage Article", "Edit")
    >>> [str(mark) for mark in page if not mark.at]
    ['“do” in the URL', '“blog” in the URL', '“edit” in the URL', 'JSON-LD type Article', \
'“edit” in the title', 'body.post', 'h1.title']
    """
    found: dict[Mark, None] = {Mark("url", word): None for word in _url_words(url)}
    for kind in json_ld.split():
        name = kind.rsplit("/", 1)[-1]
        if name not in _GENERAL_TYPES:
            found[Mark("type", name)] = None
    found.update(dict.fromkeys(_title_words(title)))
    found.update(dict.fromkeys(classes_of(outline)))
    return found


def classes_of(outline: Outline) -> Iterator[Mark]:
    """The elements of a page that have classes, and the classes of its ``body``."""
    return chain.from_iterable(map(_marks_of_step, outline.steps))


@lru_cache(maxsize=16384)
def _marks_of_step(step: str) -> tuple[Mark, ...]:
    """Those of one step of a path, kept: the same few hundred come on every page of a site."""
    tag, *classes = step.split(" ")
    names = filter(_CLASS, map(_given, classes))
    if tag == "body":
        return tuple(Mark("body", name) for name in names)
    return tuple(Mark("element", f"{tag}.{name}") for name in names)


def _given(name: str) -> str:
    """The class as somebody wrote it.

    >>> _given("Story_lead__1a2b3"), _given("story-lead")
    ('Story_lead', 'story-lead')
    """
    made = _MADE(name)
    return made[1] if made else name


def _url_words(url: str) -> Iterator[str]:
    """The words of *url*, those last that rather say what a page is: a parameter's value (``edit``)
    before the path, the path before a parameter's name (``do``)."""
    path, query = path_and_query(url)
    given = [(name, value) for name, value in pairs(query) if value][:10]
    yield from (name.lower() for name, _ in given if _WORD.fullmatch(name))
    for word in _WORD.findall(stem(unquote(path))):
        if word.lower() not in FILLERS:
            yield word.lower()
    yield from (value.lower() for _, value in given if _WORD.fullmatch(value))


def _title_words(title: str) -> Iterator[Mark]:
    """The words of *title*, each by itself and at its place from the start and from the end: what a
    template says is at one of them on all pages, before or behind what a page says."""
    words = [word.lower() for word in _WORD.findall(title[:_TITLE])]
    for place, word in enumerate(words, start=1):
        yield Mark("title", word)
        yield Mark("title", word, place)
        yield Mark("title", word, place - len(words) - 1)
