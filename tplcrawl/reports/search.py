"""What a search has brought: a crawl that looks for pages like those that it was given."""

from __future__ import annotations

from typing import Any

from tplcrawl.reports.crawl import named
from tplcrawl.store.store import Store

POINTS = 20
"""Points of the curve, at the most."""


def search(store: Store) -> dict[str, Any] | None:
    """The templates that were looked for, how many pages of them came for all that was asked for,
    and after how many pages each part of them was there; ``None`` if nothing was looked for."""
    like = store.meta("like")
    if not isinstance(like, list) or not like:
        return None
    ends = set(map(store.urls.end_of, store.urls.known(like).values()))
    given = {told.template for *_, told in store.pages.briefs(sorted(ends))}
    wanted = sorted(template for template in given if template is not None)
    hits = [page for page, one in enumerate(store.pages.came(), 1) if one in wanted]
    asked = store.draws.fetches()
    marks = sorted({-(-len(hits) * part // POINTS) for part in range(1, POINTS + 1)} - {0})
    return {
        "like": like,
        "templates": [named(template) for template in wanted],
        "pages": len(hits),
        "asked": asked,
        "harvest": round(len(hits) / asked, 4) if asked else 0.0,
        "curve": [{"page": hits[mark - 1], "found": mark} for mark in marks],
    }
