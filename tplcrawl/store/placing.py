"""The places of pages that came in any order: depths mean nothing there, but first links do."""

from __future__ import annotations

import numpy as np

from tplcrawl.store.store import Store
from tplcrawl.store.urls import State


def first_sightings(store: Store) -> dict[int, tuple[int, int, str]]:
    """For each page that another one links to, the first such link in order of pages: the page
    that has it, its location and its positions."""
    pages = store.pages.docids()
    last = max(pages, default=0)
    wanted = np.zeros(last + 2, bool)
    wanted[pages] = True
    found: dict[int, tuple[int, int, str]] = {}
    for docid, links in store.pages.sightings():
        rows = np.flatnonzero(wanted[np.minimum(links.targets, last + 1)])
        for row, target in zip(rows.tolist(), links.targets[rows].tolist(), strict=True):
            if wanted[target] and target != docid:
                wanted[target] = False
                positions = ".".join(map(str, links.position(row)))
                found[target] = (docid, int(links.locations[row]), positions)
    return found


def place_anew(store: Store) -> None:
    """Let every page stand where the first link to it does, in the order of pages."""
    store.database.write(
        "UPDATE url SET depth = 0, source = NULL, location = NULL, positions = NULL"
        " WHERE state = ?",
        [int(State.FETCHED)],
    )
    store.urls.adopt(first_sightings(store))
