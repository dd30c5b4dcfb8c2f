"""The nouns of tplcrawl as frozen values. The words are those of the design: one for each thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tplcrawl.outline import Outline

_PLAIN_TAG = re.compile(r"[a-z][a-z0-9._-]*").fullmatch


@dataclass(frozen=True, slots=True)
class Sighting:
    """One link seen on one page: paper 001's tuple (XPath, URL, docid)."""

    location: str
    """Where the link stands, without positions: its general location. One list on a page is one
    location, however long it is."""
    positions: tuple[int, ...]
    """What the general location leaves out: each step's number among siblings of its tag."""
    url: str
    docid: int
    """The page it stands on."""
    prose: bool
    """Whether it stands in running text."""

    @property
    def xpath(self) -> str:
        """The positional location. An index is always written, so that it does not change when a
        sibling appears.

        >>> Sighting("/html/o:p/a", (1, 2, 1), "http://a.com/", 1, False).xpath
        "/html[1]/*[name()='o:p'][2]/a[1]"
        """
        steps = self.location.split("/")[1:]
        return "".join(
            f"/{_name_test(tag)}[{position}]"
            for tag, position in zip(steps, self.positions, strict=True)
        )


def _name_test(tag: str) -> str:
    """Tags such as ``o:p`` are no names that XPath takes."""
    return tag if _PLAIN_TAG(tag) else f"*[name()={_literal(tag)}]"


def _literal(text: str) -> str:
    """XPath 1.0 knows no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat('" + text.replace("'", "',\"'\",'") + "')"


@dataclass(frozen=True, slots=True)
class Links:
    """The inner-site links of one page in document order, a column for each fact."""

    urls: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    positions: tuple[tuple[int, ...], ...] = ()
    prose: tuple[bool, ...] = ()
    said: tuple[str, ...] = ()
    """What each says; empty where nobody asked."""

    def __len__(self) -> int:
        return len(self.urls)

    def sightings(self, docid: int) -> Iterator[Sighting]:
        """The links as sightings on the page *docid*."""
        for url, location, positions, prose in zip(
            self.urls, self.locations, self.positions, self.prose, strict=True
        ):
            yield Sighting(location, positions, url, docid, prose)


@dataclass(frozen=True, slots=True)
class Profile:
    """What one page shows. A pure function of its URL and bytes."""

    url: str
    outline: Outline
    lzw: bytes
    """The LZW fingerprint (paper 000), up to 25 references."""
    links: Links = Links()
    title: str = ""
    canonical: str = ""
    lang: str = ""
    json_ld: tuple[str, ...] = ()
    """The ``@type`` names of the page's JSON-LD."""
    cuts: tuple[str, ...] = ()
    """The limits that the page reached."""
    digest: int = 0
    """A checksum of its bytes."""
    asks: bool = False
    """Whether it has a field for a password."""

    def summary(self, template: str | None = None) -> dict[str, object]:
        """What is told of every page, whatever it is about."""
        return {
            "url": self.url,
            "title": self.title,
            "template": template,
            "canonical": self.canonical or None,
            "lang": self.lang or None,
            "json_ld": list(self.json_ld),
        }


@dataclass(frozen=True, slots=True)
class Assignment:
    """A page's template, how sure that is, and why."""

    template: int | None
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Prediction:
    """A URL's template before it is fetched."""

    template: int
    confidence: float
    """The share of the pages linked from its location that are of this template."""
