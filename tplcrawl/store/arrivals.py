"""How pages came: when, from where, and what was noted then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tplcrawl.store.database import Database
from tplcrawl.store.urls import Place


class PageArrival(NamedTuple):
    """A page, as it came."""

    docid: int
    arrival: int
    """Its place in the order in which pages came."""
    place: Place
    """Where it was seen first."""
    asks: bool
    """Whether it asks for a password."""
    text: bytes
    """A sketch of its text, if it was not what had been predicted."""


def arrivals(database: Database) -> Iterator[PageArrival]:
    """All pages in the order in which they came."""
    for docid, arrival, note, *place in database.rows(
        "SELECT docid, arrival, note, location, positions, source FROM page"
        " JOIN url ON id = docid ORDER BY arrival"
    ):
        note = note or b"\0"
        yield PageArrival(docid, arrival, Place(*place), bool(note[0]), note[1:])
