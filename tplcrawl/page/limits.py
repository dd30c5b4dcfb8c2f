"""How much of one page is looked at.

A page is written by a stranger: each of its dimensions has a bound, and a bound that is reached is
named in the profile's ``cuts``, counted and reported, never silent.
"""

from __future__ import annotations

from dataclasses import dataclass

DEADLY = "page that killed its reader"
"""Why a page is left out at which the parser killed the process: no bound holds against that."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one page. Each field's name is also the name of its cut."""

    body: int = 8 * 1024 * 1024
    """Bytes that are parsed; the rest of a longer page is dropped before the parse."""

    attributes: int = 200
    """Attributes of one tag: libxml2 needs quadratic time for more."""

    depth: int = 500
    """Levels of the tree that are walked. libxml2 itself stops at 2,048 without a word."""

    elements: int = 200_000
    """Elements that are looked at, the insides of drawings among them."""

    links: int = 20_000
    """Links that are recorded."""

    location: int = 4096
    """Characters of a link's general location; a link that stands deeper is dropped: all locations
    of one page together could be hundreds of times as long as the page."""

    url: int = 2083
    """Characters of a URL; a longer link is dropped."""

    classes: int = 500
    """Characters of a ``class`` attribute."""


DEFAULT = Limits()
