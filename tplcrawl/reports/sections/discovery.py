"""When the templates were met, and how many more there may be."""

from __future__ import annotations

from typing import Any

from tplcrawl.reports.crawl import Crawl


def discovery(crawl: Crawl) -> dict[str, Any]:
    """For each template, in the order in which they were met, how many pages had been fetched when
    its first one came; and what the random fetches of the crawl, if it made any, say of templates
    that were not met. Breadth-first order is no random sample, so the curve alone cannot tell."""
    first: dict[int, int] = {}
    for number, page in enumerate(crawl.pages, 1):
        if page.assignment.template is not None:
            first.setdefault(page.assignment.template, number)
    ids = {template.number: template.id for template in crawl.templates}
    return {
        "curve": [{"template": ids[template], "page": page} for template, page in first.items()],
        "found": len(crawl.templates),
        "last": max(first.values(), default=0),
        "saturation": crawl.store.meta("saturation"),
    }
