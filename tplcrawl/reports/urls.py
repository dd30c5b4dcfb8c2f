"""Every URL of a crawl, packed to be searched in the report."""

from __future__ import annotations

import os.path
import zlib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from tplcrawl.clustering.sampling import shares, spread
from tplcrawl.reports.crawl import Crawl


class UrlRow(NamedTuple):
    """One URL and what became of it."""

    url: str
    template: int
    """The index of its template, or of that it is expected to be of; -1 for none."""
    state: int
    """The index of its state in :attr:`UrlTable.states`."""
    depth: int
    confidence: int
    """Per cent; 0 for what was not fetched."""


_MANY = 20_000
"""Rows that are not all packed to see whether they fit."""

PAGE, MISMATCH = "page", "page, mismatch"
"""The states of what was fetched; what was not has the reason."""


@dataclass(frozen=True, slots=True)
class UrlTable:
    """The URLs by the alphabet."""

    states: tuple[str, ...]
    rows: tuple[UrlRow, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Packed:
    """A table, or a fair part of it, as text for a page: the first line is what all URLs begin
    with."""

    text: str
    shown: int


def url_table(crawl: Crawl) -> UrlTable:
    """All URLs but those that only led to others."""
    index = {template.number: at for at, template in enumerate(crawl.templates)}
    states = {PAGE: 0, MISMATCH: 1}
    rows = []
    for page in crawl.pages:
        given = page.assignment
        at = index[given.template] if given.template is not None else -1
        state = states[MISMATCH if page.docid in crawl.mismatches else PAGE]
        rows.append(UrlRow(page.url, at, state, page.depth, round(100 * given.confidence)))
    for missing in crawl.absent.urls:
        state = states.setdefault(missing.reason or crawl.stopped, len(states))
        at = index.get(missing.expected, -1) if missing.expected is not None else -1
        rows.append(UrlRow(missing.url, at, state, missing.depth, 0))
    rows.sort(key=itemgetter(0))
    return UrlTable(tuple(states), tuple(rows))


def packed(table: UrlTable, room: int) -> Packed:
    """As many rows as fit into *room* characters; if not all do, of each template and state."""
    rows: Sequence[UrlRow] = table.rows
    # What a row takes is told by some of them before all are packed.
    some = rows[: len(rows) // 8] if len(rows) > _MANY else ()
    if some:
        text = squeezed("\n".join(_line(row, 0) for row in some))
        rows = _fair(rows, room * len(some) // len(text))
    while True:
        prefix = os.path.commonprefix([rows[0].url, rows[-1].url]) if rows else ""
        prefix = prefix[: prefix.rfind("/") + 1]
        lines = (_line(row, len(prefix)) for row in rows)
        text = squeezed("\n".join((_plain(prefix), *lines)))
        if len(text) <= room or not rows:
            return Packed(text, len(rows))
        fewer = min(int(0.97 * len(rows) * room / len(text)), len(rows) - 1)
        rows = _fair(rows, max(fewer, 0))


def _fair(rows: Sequence[UrlRow], most: int) -> Sequence[UrlRow]:
    """At most so many of *rows*, of each template and state, evenly spread over the alphabet."""
    groups: defaultdict[tuple[int, int], list[UrlRow]] = defaultdict(list)
    for row in rows:
        groups[row.template, row.state].append(row)
    waiting = sorted(groups.values(), key=len)
    found = zip(waiting, shares(map(len, waiting), most), strict=True)
    return sorted(chain.from_iterable(spread(group, share) for group, share in found))


def squeezed(text: str) -> str:
    """*text* compressed (zlib) and spelled in letters (Base64)."""
    return b64encode(zlib.compress(text.encode("utf-8", "replace"), 6)).decode("ascii")


def _plain(url: str) -> str:
    return url.replace("\t", "%09").replace("\n", "%0A")


def _line(row: UrlRow, start: int) -> str:
    return f"{_plain(row.url[start:])}\t{row.template}\t{row.state}\t{row.depth}\t{row.confidence}"
