"""What a page shows, as hashes: its structure and its title, and its bytes."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote
from zlib import crc32

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[^\W_]+")


class Looks(NamedTuple):
    """What a page shows."""

    content: int
    """Its structure and title, numbers aside: equal for pages that show the same."""
    excuse: int
    """The same, words of its URL aside: equal for excuses that repeat what was asked for."""
    digest: int
    """Its bytes: equal for one page that came twice, whatever its links mean at each URL."""
    named: int
    """How many words and numbers of its URL are in its title or in the URL that it gives itself:
    more at the URL that is its own."""
    title: int = 0
    """A hash of its title; 0 if it has none."""
    structure: int = 0
    words: int = 0
    """A hash of the words and numbers of its title that are not of its URL."""

    @classmethod
    def of(cls, url: str, title: str, canonical: str, outline: bytes, digest: int) -> Looks:
        """Those of the page that *url* answered with, and which may call itself *canonical*.

        >>> red = Looks.of("/red-shoe", "No red shoe", "", b"", 1)
        >>> red.excuse == Looks.of("/blue-hat", "No blue hat", "", b"", 2).excuse
        True
        >>> Looks.of("/shoes/red-7", "Shoe: red, 7", "http://a.com/shoes/red-7", b"", 1).named
        3
        """
        url, lower = unquote(url).lower(), title.lower()
        asked = set(_WORD.findall(url))
        said = " ".join(word for word in _WORD.findall(lower) if word not in asked)
        places, names = set(_NAME.findall(url)), _NAME.findall(lower)
        named = len(places.intersection(names + _NAME.findall(unquote(canonical).lower())))
        return cls(
            _hash(_NUMBER.sub("#", title), outline),
            _hash(said, outline),
            digest,
            named,
            _hash(title),
            crc32(outline),
            _hash(" ".join(name for name in names if name not in places)),
        )


def _hash(title: str, outline: bytes = b"") -> int:
    return crc32(outline, crc32(title.encode("utf-8", "replace")))
