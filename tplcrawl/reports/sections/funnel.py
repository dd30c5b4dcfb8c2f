"""From the URLs that were discovered to the pages that have a template."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tplcrawl.reports.crawl import Crawl
from tplcrawl.store.urls import State


def funnel(crawl: Crawl) -> dict[str, int]:
    """How many URLs came how far. Each step is a part of the one before it."""
    states = crawl.store.urls.counts()
    discovered = sum(states.values())
    asked = sum(states[state] for state in (State.FETCHED, State.FAILED, State.REDIRECTED))
    return {
        "discovered": discovered,
        "wanted": asked + states[State.QUEUED],
        "asked": asked,
        "fetched": states[State.FETCHED],
        "pages": len(crawl.pages),
        "assigned": sum(template.pages for template in crawl.templates),
    }


def states(crawl: Crawl) -> dict[str, int]:
    """How many URLs are in each state."""
    return {state.name.lower(): count for state, count in crawl.store.urls.counts().items()}


def unassigned(crawl: Crawl, most: int) -> dict[str, Any]:
    """The pages without a template, and why they have none."""
    alone = [page for page in crawl.pages if page.assignment.template is None]
    reasons = Counter(page.assignment.reason for page in alone)
    return {
        "pages": len(alone),
        "reasons": dict(sorted(reasons.items(), key=lambda one: (-one[1], one[0]))),
        "examples": [
            {"url": page.url, "title": page.title, "reason": page.assignment.reason}
            for page in alone[:most]
        ],
    }
