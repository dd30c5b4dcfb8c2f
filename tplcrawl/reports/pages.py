"""``pages.jsonl`` and ``skipped.jsonl``: a line for every URL that was discovered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tplcrawl.clustering.template_ids import template_name
from tplcrawl.recording import taught
from tplcrawl.store.store import Store


def page_lines(store: Store, mismatches: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """A line for each fetched page of HTML, in order of discovery. *mismatches* are the kinds of
    those that are not what was expected."""
    redirected = store.urls.redirect_sources()
    current = store.pages.aliases()
    for row in store.pages.rows():
        given, predicted = row.assignment, row.predicted
        expected = current.get(predicted.template, predicted.template) if predicted else None
        yield {
            "url": row.url,
            "docid": row.docid,
            "status": row.status,
            "template": _name(given.template),
            "confidence": given.confidence,
            "reason": given.reason,
            "predicted": _name(expected),
            "location": row.location,
            "mismatch": mismatches.get(row.docid),
            "depth": row.depth,
            "redirected_from": redirected.get(row.docid),
            "title": row.title,
        }


def skipped_lines(store: Store, stopped: str) -> Iterator[dict[str, Any]]:
    """A line for each URL of which there is no page. Those that still wait have the reason for
    which the crawl *stopped*."""
    expect = taught(store)
    for url, depth, place, reason in store.urls.unfetched():
        prediction = expect(url, place)
        yield {
            "url": url,
            "predicted": _name(prediction.template if prediction else None),
            "reason": reason or stopped,
            "depth": depth,
        }


def _name(template: int | None) -> str | None:
    return template_name(template) if template is not None else None
