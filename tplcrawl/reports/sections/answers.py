"""What the server answered: statuses, redirects, and pages that say the same."""

from __future__ import annotations

from typing import Any

from tplcrawl.reports.crawl import Crawl
from tplcrawl.store.urls import State


def answers(crawl: Crawl, most: int) -> dict[str, Any]:
    """The answers by status, the redirects, and the signs of duplicates."""
    figures = crawl.store.figures
    titles = figures.common_titles(most)
    return {
        "statuses": {str(status): count for status, count in figures.statuses().items()},
        "redirects": {
            "urls": crawl.store.urls.counts()[State.REDIRECTED],
            "examples": [
                {"url": url, "status": status, "to": to}
                for url, status, to in figures.redirects(most)
            ],
        },
        "duplicates": {
            "canonical_elsewhere": figures.canonical_elsewhere(),
            "same_title": figures.same_title(),
            "untitled": figures.untitled(),
            "titles": [{"title": title, "pages": count} for title, count in titles],
        },
    }
