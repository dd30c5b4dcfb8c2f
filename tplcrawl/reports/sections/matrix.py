"""What became of the URLs of each template: those that were fetched, and those that were likely to
be of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tplcrawl.reports.crawl import Crawl
from tplcrawl.store.urls import State


def matrix(crawl: Crawl) -> list[dict[str, Any]]:
    """A row for each template, largest first; the last is of pages without a template and of URLs
    of which nothing is expected. All rows together count every URL that is no redirect once."""
    queued: Counter[int | None] = Counter()
    skipped: defaultdict[int | None, Counter[str]] = defaultdict(Counter)
    failed: defaultdict[int | None, Counter[str]] = defaultdict(Counter)
    known = {template.number for template in crawl.templates}
    for (state, reason, template), count in crawl.absent.counts.items():
        expected = template if template in known else None
        if state is State.QUEUED:
            queued[expected] += count
        else:
            table = failed if state is State.FAILED else skipped
            table[expected][reason] += count
    alone = len(crawl.pages) - sum(template.pages for template in crawl.templates)
    rows = [(one.number, one.pages) for one in crawl.templates]
    return [
        {
            "fetched": fetched,
            "queued": queued[number],
            "skipped": dict(sorted(skipped[number].items())),
            "failed": dict(sorted(failed[number].items())),
        }
        for number, fetched in [*rows, (None, alone)]
    ]


def by_depth(crawl: Crawl) -> list[dict[str, Any]]:
    """The pages of each depth by template."""
    depths: defaultdict[int, Counter[int | None]] = defaultdict(Counter)
    for page in crawl.pages:
        depths[page.depth][page.assignment.template] += 1
    order = [(one.number, one.id) for one in crawl.templates]
    return [
        {
            "depth": depth,
            "pages": counts.total(),
            "templates": {id_: counts[number] for number, id_ in order if counts[number]},
            "unassigned": counts[None],
        }
        for depth, counts in sorted(depths.items())
    ]
