"""A URL on its way from one worker to another."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tplcrawl.page.limits import DEFAULT
from tplcrawl.page.site import DEFAULT_PORTS, Site
from tplcrawl.store.keys import url_key
from tplcrawl.store.locations import OTHER
from tplcrawl.words import MOST

_LONGEST = 40_000
_LONGEST_LOCATION = 4000
_UNFIT = re.compile(r"[\x00-\x20\x7f]").search
_WORDS = re.compile(rf"([0-9a-f]{{8}}){{0,{MOST}}}").fullmatch
_POSITIONS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})*").fullmatch


@dataclass(frozen=True, slots=True)
class Task:
    """A URL to be fetched, and where it was seen first."""

    url: str
    depth: int
    location: str | None = None
    """The general location; ``None`` for a start page."""
    positions: str | None = None
    words: bytes = b""
    """What the links to it say, packed."""

    @property
    def key(self) -> str:
        """The identity of the URL, as Redis has it."""
        return str(url_key(self.url))

    def encode(self) -> str:
        """This task as JSON; scripts read the depth in front."""
        place = self.location, self.positions
        if self.location is not None and len(self.location) > _LONGEST_LOCATION:
            place = OTHER, "1"
        return json.dumps([self.depth, self.url, *place, self.words.hex()])

    @classmethod
    def decode(cls, key: bytes, text: bytes, site: Site) -> Task:
        """The task that :meth:`encode` wrote. Raises :exc:`ValueError` for anything else: whoever
        can write to Redis may have written it.

        >>> task = Task("http://a.com/b", 1, "/html/body/a", "1.1.3", b"word")
        >>> Task.decode(task.key.encode(), task.encode().encode(), Site(["http://a.com/"])) == task
        True
        """
        found = json.loads(text) if len(text) <= _LONGEST else None
        if not isinstance(found, list) or len(found) != 5:
            raise ValueError("not a task")
        depth, url, location, positions, words = found
        place = _location(location), _positions(positions)
        task = cls(_url(url, site), _depth(depth), *place, _words(words))
        if (task.location is None) != (task.positions is None) or task.key.encode() != key:
            raise ValueError("not a task of this key")
        return task


def _url(given: Any, site: Site) -> str:
    if not isinstance(given, str) or len(given) > DEFAULT.url or _UNFIT(given):
        raise ValueError("not a URL")
    parts = urlsplit(given)
    if parts.scheme not in DEFAULT_PORTS or not site.covers(parts):
        raise ValueError("not a URL of the site")
    return given


def _depth(given: Any) -> int:
    if type(given) is not int or not 0 <= given < 1 << 30:
        raise ValueError("not a depth")
    return given


def _location(given: Any) -> str | None:
    if given is not None and not (isinstance(given, str) and given.startswith("/")):
        raise ValueError("not a location")
    return given


def _positions(given: Any) -> str | None:
    if given is not None and not (isinstance(given, str) and _POSITIONS(given)):
        raise ValueError("not positions")
    return given


def _words(given: Any) -> bytes:
    if not isinstance(given, str) or not _WORDS(given):
        raise ValueError("not words")
    return bytes.fromhex(given)
