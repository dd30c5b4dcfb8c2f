"""How good predictions were, and the pages that denied them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tplcrawl.reports.crawl import Crawl, named


def mismatches(crawl: Crawl, most: int) -> dict[str, Any]:
    """Of the pages that have a template and had a prediction: how many predictions were right, how
    many were confident, and which pages denied a confident one."""
    judged = [(page, crawl.denies(page)) for page in crawl.pages]
    told = [(page, denied) for page, denied in judged if denied is not None]
    denied = [page for page, denies in told if denies]
    pairs = Counter((crawl.expected(page), page.assignment.template) for page in denied)
    return {
        "predicted": len(told),
        "right": sum(crawl.expected(page) == page.assignment.template for page, _ in told),
        "denied": len(denied),
        "pairs": [
            {"expected": named(expected), "found": named(found), "pages": count}
            for (expected, found), count in sorted(
                pairs.items(), key=lambda one: (-one[1], one[0])
            )[:most]
        ],
        "examples": [
            {
                "url": page.url,
                "expected": named(crawl.expected(page)),
                "found": named(page.assignment.template),
                "confidence": page.predicted.confidence if page.predicted else 0.0,
            }
            for page in denied[:most]
        ],
    }
