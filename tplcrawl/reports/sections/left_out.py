"""What was not fetched, and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tplcrawl.reports.crawl import Crawl
from tplcrawl.store.urls import State

LIKELY = 3
"""Templates that are named for each reason."""


def left_out(crawl: Crawl) -> list[dict[str, Any]]:
    """The reasons for which URLs have no page, the commonest first, with the templates that these
    URLs are likely to be of. What is still queued has the reason for which the crawl stopped."""
    ids = {template.number: template.id for template in crawl.templates}
    counts: Counter[tuple[State, str]] = Counter()
    expected: defaultdict[tuple[State, str], Counter[int]] = defaultdict(Counter)
    for (state, reason, template), count in crawl.absent.counts.items():
        counts[state, reason] += count
        if template in ids:
            expected[state, reason][template] += count
    return [
        {
            "reason": reason,
            "state": state.name.lower(),
            "urls": count,
            "expected": [
                {"template": ids[template], "urls": urls}
                for template, urls in sorted(
                    expected[state, reason].items(), key=lambda one: (-one[1], one[0])
                )[:LIKELY]
            ],
            "examples": crawl.absent.examples[state, reason],
        }
        for (state, reason), count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]
