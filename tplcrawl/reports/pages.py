"""``pages.jsonl`` and ``skipped.jsonl``: a line for every URL that was discovered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tplcrawl.reports.crawl import Crawl, named
from tplcrawl.store.redirects import sources


def page_lines(crawl: Crawl) -> Iterator[dict[str, Any]]:
    """A line for each fetched page of HTML, in order of discovery."""
    redirected = sources(crawl.store.database)
    for page in crawl.pages:
        given = page.assignment
        yield {
            "url": page.url,
            "docid": page.docid,
            "status": page.status,
            "template": named(given.template),
            "confidence": given.confidence,
            "reason": given.reason,
            "predicted": named(crawl.expected(page)),
            "location": page.location,
            "mismatch": crawl.mismatches.get(page.docid),
            "depth": page.depth,
            "redirected_from": redirected.get(page.docid),
            "title": page.title,
        }


def skipped_lines(crawl: Crawl) -> Iterator[dict[str, Any]]:
    """A line for each URL of which there is no page. Those that still wait have the reason for
    which the crawl stopped."""
    for missing in crawl.absent.urls:
        yield {
            "url": missing.url,
            "predicted": named(missing.expected),
            "reason": missing.reason or crawl.stopped,
            "depth": missing.depth,
        }
