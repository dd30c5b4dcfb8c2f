"""What a page shows, as a hash: its structure and its title."""

from __future__ import annotations

import re
from urllib.parse import unquote
from zlib import crc32

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")


def looks(url: str, title: str, outline: bytes) -> tuple[int, int]:
    """Two hashes of a page. The first, numbers aside, is equal for pages that show the same; the
    second, words of its URL aside, for excuses that repeat what was asked for.

    >>> looks("/red-shoe", "No red shoe", b"")[1] == looks("/blue-hat", "No blue hat", b"")[1]
    True
    """
    asked = set(_WORD.findall(unquote(url).lower()))
    said = " ".join(word for word in _WORD.findall(title.lower()) if word not in asked)
    return _hash(_NUMBER.sub("#", title), outline), _hash(said, outline)


def _hash(title: str, outline: bytes) -> int:
    return crc32(outline, crc32(title.encode("utf-8", "replace")))
