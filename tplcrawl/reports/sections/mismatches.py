"""How good predictions were, and the pages that denied them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tplcrawl.clustering.sampling import stratified
from tplcrawl.reports.accuracy import accuracy
from tplcrawl.reports.crawl import Crawl, named
from tplcrawl.store.pages import PageRow


def mismatches(crawl: Crawl, most: int) -> dict[str, Any]:
    """The predictions that were made and how many were right, by confidence; and the pages that are
    not what was expected of them, by kind and by templates."""
    denied = [page for page in crawl.pages if page.docid in crawl.mismatches]
    pairs = Counter((crawl.expected(page), page.assignment.template) for page in denied)
    return {
        **accuracy(crawl.store),
        "denied": len(denied),
        "kinds": dict(sorted(Counter(crawl.mismatches.values()).items())),
        "pairs": [
            {"expected": named(expected), "found": named(found), "pages": count}
            for (expected, found), count in sorted(
                pairs.items(), key=lambda one: (-one[1], one[0][0] or 0, one[0][1] or 0)
            )[:most]
        ],
        "examples": [
            {
                "url": page.url,
                "kind": crawl.mismatches[page.docid],
                "expected": named(crawl.expected(page)),
                "found": named(page.assignment.template),
                "confidence": page.predicted.confidence if page.predicted else None,
            }
            for page in _some(denied, crawl.mismatches, most)
        ],
    }


def _some(denied: Sequence[PageRow], kinds: Mapping[int, str], most: int) -> list[PageRow]:
    """At most so many pages, some of each kind, in order."""
    own = [kinds[page.docid] for page in denied]
    chosen = stratified(own, [page.url for page in denied], most)
    return sorted((denied[at] for at in chosen), key=lambda page: kinds[page.docid])
