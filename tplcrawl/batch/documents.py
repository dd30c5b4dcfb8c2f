"""A page that was fetched by somebody else, some time ago."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

LARGEST = 64 * 1024 * 1024
"""Bytes that are read of a page at the most."""

NO_URL = "no http URL"
NO_HTML = "not HTML"
DOUBLE = "URL seen before"
"""Why something is no page, or is left out since there is one already."""

_told = lru_cache(maxsize=256)(http_content_type_encoding)
"""A server says the same of most of its pages."""


@dataclass(frozen=True, slots=True)
class Document:
    """One page of an input."""

    url: str
    body: bytes = field(repr=False)
    encoding: str
    status: int = 200


@dataclass(slots=True)
class Losses:
    """What of an input could not be used, by reason: nothing is left out without being counted."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, reason: str, count: int = 1) -> None:
        """Count one, or so many."""
        self.counts[reason] += count


def encoding_of(body: bytes, content_type: str | None = None) -> str:
    """The encoding of a page, as browsers find it: the server's word, a byte order mark, the page's
    own word; else UTF-8 where it fits.

    >>> encoding_of("é".encode()), encoding_of("é".encode("latin-1"))
    ('utf-8', 'cp1252')
    """
    told = read_bom(body[:4])[0] or _told(content_type)
    known = resolve_encoding(told) if told else None
    if known is None:
        said = html_body_declared_encoding(body[:4096])
        known = resolve_encoding(said) if said else None
        if known is not None and known.startswith(("utf-16", "utf-32")):
            known = None
    if known is not None:
        return known
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
