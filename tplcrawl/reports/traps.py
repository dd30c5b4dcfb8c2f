"""The traps that a crawl has met."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tplcrawl.clustering.sampling import spread
from tplcrawl.clustering.template_ids import template_name
from tplcrawl.clustering.traps import LEAST, Corner, is_trap, words_of
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.store import Store

_Key = tuple[int, int]
"""A location, and the template of the pages that it stands on."""

_OWN = 0.8
"""The share of a corner's pages that are of the template of the pages that it stands on, if it
leads to its own kind."""

_FOLLOWED = 500
"""Pages of a corner whose links are looked at one by one."""


@dataclass(slots=True)
class _Found:
    """The pages of a corner, in order of discovery."""

    pages: list[int] = field(default_factory=list)
    url: str = ""
    copies: int = 0
    of_copies: int = 0
    own: int = 0


def traps_of(store: Store, contents: Mapping[int, int]) -> list[dict[str, Any]]:
    """Each trap with its location, its template, the pages that were fetched of it, the URLs that
    were found, and the last of the pages; the one with most URLs first. *contents* has a hash of
    what each page shows."""
    copies = _copies(contents)
    corners: defaultdict[_Key, _Found] = defaultdict(_Found)
    for key, docid, source, own, url in store.corners.pages():
        found = corners[key]
        found.pages.append(docid)
        found.url = url
        found.copies += docid in copies
        found.of_copies += source in copies
        found.own += own
    large = {key: found for key, found in corners.items() if len(found.pages) >= LEAST}
    sizes = store.corners.sizes() if large else {}
    judged = _judged(store, large, sizes)
    paths = store.locations.paths()
    traps = [
        {
            "location": paths[key[0]],
            "template": template_name(key[1]),
            "fetched": corner.pages,
            "urls": corner.urls,
            "url": large[key].url,
        }
        for key, corner in sorted(judged.items())
        if is_trap(corner)
    ]
    return sorted(traps, key=lambda trap: -int(trap["urls"]))


def _copies(contents: Mapping[int, int]) -> set[int]:
    """The pages that show what a page before them showed."""
    shown: set[int] = set()
    copies = set()
    for docid in sorted(contents):
        if contents[docid] in shown:
            copies.add(docid)
        shown.add(contents[docid])
    return copies


def _judged(
    store: Store, large: Mapping[_Key, _Found], sizes: Mapping[_Key, int]
) -> dict[_Key, Corner]:
    """What is to be known of each corner. What its pages gave is asked only of those that lead to
    their own kind, and of what its URLs are made only where that makes a trap."""
    judged = {
        key: Corner(len(found.pages), sizes[key], found.copies, found.of_copies)
        for key, found in large.items()
    }
    own = {key for key, found in large.items() if found.own >= _OWN * len(found.pages)}
    own = {key for key in own if sizes[key] > len(large[key].pages)}
    given = store.corners.given([page for key in own for page in large[key].pages]) if own else {}
    for key in own:
        barren, ends, count = _yield(large[key].pages, key[1], own, given)
        judged[key] = corner = replace(judged[key], barren=barren, ends=ends, given=count)
        if corner.combines:
            words = words_of(store.corners.urls(*key))
            pages = spread(large[key].pages, _FOLLOWED)
            kinds = [location for location, template in own if template == key[1]]
            links = sum(
                _links(docid, table, kinds) for docid, table in store.pages.sightings(pages)
            )
            met = 1 - _yield(pages, key[1], own, given)[2] / max(links, 1)
            judged[key] = replace(corner, words=words, met=met)
    return judged


def _yield(
    pages: Sequence[int], template: int, own: set[_Key], given: Mapping[int, Counter[int]]
) -> tuple[int, int, int]:
    """Of *pages* of a template, how many have led to nothing but their *own* kind, and to none of
    that; and to how many URLs of it they have."""
    barren = ends = count = 0
    for page in pages:
        kind = [n for location, n in given.get(page, {}).items() if (location, template) in own]
        count += sum(kind)
        barren += len(kind) == len(given.get(page, {}))
        ends += not kind
    return barren, ends, count


def _links(docid: int, table: SightingTable, locations: Sequence[int]) -> int:
    """How many URLs but its own a page links to at some *locations*."""
    return len(set(table.targets[np.isin(table.locations, locations)].tolist()) - {docid})
