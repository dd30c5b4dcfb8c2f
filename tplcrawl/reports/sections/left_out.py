"""What was not fetched, and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tplcrawl.reports.crawl import Crawl
from tplcrawl.store.urls import State

EXAMPLES = 3
"""URLs that are shown for each reason."""


def left_out(crawl: Crawl) -> list[dict[str, Any]]:
    """The reasons for which URLs have no page, the commonest first, with the templates that these
    URLs are likely to be of. What is still queued has the reason for which the crawl stopped."""
    counts: Counter[tuple[State, str]] = Counter()
    expected: defaultdict[tuple[State, str], Counter[int]] = defaultdict(Counter)
    examples: defaultdict[tuple[State, str], list[str]] = defaultdict(list)
    ids = {template.number: template.id for template in crawl.templates}
    for missing in crawl.missing():
        key = missing.state, missing.reason or crawl.stopped
        counts[key] += 1
        if missing.expected in ids:
            expected[key][missing.expected] += 1
        if len(examples[key]) < EXAMPLES:
            examples[key].append(missing.url)
    return [
        {
            "reason": reason,
            "state": state.name.lower(),
            "urls": count,
            "expected": [
                {"template": ids[template], "urls": urls}
                for template, urls in sorted(
                    expected[state, reason].items(), key=lambda one: (-one[1], one[0])
                )[:EXAMPLES]
            ],
            "examples": examples[state, reason],
        }
        for (state, reason), count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]
