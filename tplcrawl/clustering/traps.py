"""Places that give new URLs without end, and nothing new on their pages: calendars, filters in
every combination, sessions in paths, mirrored folders, mazes.

Whatever a trap is made of, it shows itself in one of three ways. Its pages say what others have
said already, and were found on pages that did so too: copies lead to copies. Or each leads to more
of its own kind and to nothing else, and either they show the known in ever new combinations, very
many URLs made of few words; or no two of them lead to the same page: what people write has threads
that meet again, and ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from tplcrawl.queries import parameters

_JOINED = re.compile(r"[+,;|]|%20|%2c|%7c", re.IGNORECASE)
"""What stands between tags that are looked for together."""

LEAST = 12
"""Pages of a place that are looked at before it is called a trap."""
_MOST, _HALF = 0.8, 0.5
"""The share of its pages that says nothing new, or leads nowhere else: the most of them, or half of
them, where each leads to more."""
_ENDLESS = 1.5
"""URLs that there are for each page of a place, and that each of its pages gives."""
_COMBINED = 3
"""URLs that there are for each word that they are made of."""


_MAZE = 50
"""Pages of a place that are looked at before it is called a maze."""
_MET, _ENDS = 0.02, 0.05
"""The share of its links to its own kind that lead to what was known before, and of its pages that
lead no further."""


@dataclass(frozen=True, slots=True)
class Corner:
    """Pages that one location leads to, on pages of one template."""

    pages: int
    """Those that were fetched."""
    urls: int
    """URLs that were found there, fetched or not."""
    copies: int = 0
    """Those of its pages that show what a page before them showed."""
    of_copies: int = 0
    """Those that were found on such a page."""
    barren: int = 0
    """Those that have led to nothing new but more of their own kind."""
    given: int = 0
    """The URLs of their own kind that they have led to."""
    ends: int = 0
    """Those that have led to none of these."""
    met: float = 0.0
    """The share of their links to URLs of their own kind that others had led to before."""
    words: int = 0
    """What its URLs are made of."""

    @property
    def combines(self) -> bool:
        """Whether each page leads to more of its kind, and to nothing else."""
        enough = self.pages >= LEAST and self.urls >= _ENDLESS * self.pages
        return enough and self.barren >= _MOST * self.pages and self.given >= _ENDLESS * self.pages

    @property
    def never_meets(self) -> bool:
        """Whether each page leads to others that no other page leads to."""
        enough = self.pages >= _MAZE and self.ends <= _ENDS * self.pages
        return enough and self.met <= _MET


def is_trap(corner: Corner) -> bool:
    """Whether *corner* goes on for ever and says nothing.

    >>> is_trap(Corner(20, 90, copies=19, of_copies=18)), is_trap(Corner(20, 90))
    (True, False)
    >>> is_trap(Corner(20, 90, barren=19, given=85, words=12))
    True
    >>> is_trap(Corner(60, 300, barren=60, given=280, words=900))
    True
    """
    if corner.pages < LEAST or corner.urls <= corner.pages:
        return False
    least = (_HALF if corner.urls >= _ENDLESS * corner.pages else _MOST) * corner.pages
    copied = corner.copies >= least and corner.of_copies >= least
    if copied or not corner.combines:
        return copied
    return corner.urls >= _COMBINED * corner.words or corner.never_meets


def words_of(urls: Iterable[str]) -> int:
    """How many different folders, names and parameters *urls* are made of; each of those that are
    joined in one counts for itself.

    >>> words_of(["http://a.com/x/?c=1&s=2", "http://a.com/x/?s=2", "http://a.com/y/?s=2"])
    4
    >>> words_of(["http://a.com/?q=red+blue", "http://a.com/?q=blue+red", "http://a.com/?q=red"])
    4
    """
    words: set[str] = set()
    for url in urls:
        parts = urlsplit(url)
        given = [f"/{segment}" for segment in parts.path.split("/") if segment]
        given += [f"?{one}" for one in parameters(parts.query) if one]
        words.update(word for one in given for word in _JOINED.split(one))
    return len(words)
