"""``coverage.json``: every number of the report."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.search import search
from tplcrawl.reports.sections.answers import answers
from tplcrawl.reports.sections.discovery import discovery
from tplcrawl.reports.sections.findings import doubts, findings, trust
from tplcrawl.reports.sections.funnel import funnel, states, unassigned
from tplcrawl.reports.sections.left_out import left_out
from tplcrawl.reports.sections.links import links
from tplcrawl.reports.sections.matrix import by_depth, matrix
from tplcrawl.reports.sections.mismatches import mismatches
from tplcrawl.reports.sections.neighbourhood import PageMap
from tplcrawl.reports.traps import traps_of

EXAMPLES = 20
"""Examples of a list that may be long."""


def coverage(crawl: Crawl, map_: PageMap) -> dict[str, Any]:
    """Every number of the report, section by section."""
    rows = matrix(crawl)
    plan = links(crawl)
    numbers = {
        "site": crawl.store.site,
        "method": crawl.store.meta("method"),
        "stopped": crawl.stopped,
        "funnel": funnel(crawl),
        "states": states(crawl),
        "reasons": crawl.store.urls.reasons(),
        "templates": _templates(crawl, rows, plan["roles"], map_),
        "unassigned": {**_counts(rows[-1]), **unassigned(crawl, EXAMPLES)},
        "left_out": left_out(crawl),
        "depths": by_depth(crawl),
        "discovery": discovery(crawl),
        "search": search(crawl.store),
        "links": plan,
        "map": map_.numbers(),
        "mismatches": mismatches(crawl, EXAMPLES),
        "traps": traps_of(crawl.store, crawl.contents),
        "answers": answers(crawl, EXAMPLES),
        "cuts": crawl.store.pages.cuts(),
        "lost": crawl.store.lost,
        "items": crawl.store.pages.item_count(),
    }
    return {"findings": findings(numbers), "trust": trust(numbers), **numbers}


def _templates(
    crawl: Crawl, rows: list[dict[str, Any]], roles: dict[str, str], map_: PageMap
) -> list[dict[str, Any]]:
    found = []
    denied: defaultdict[int | None, Counter[str]] = defaultdict(Counter)
    for page in crawl.pages:
        if page.docid in crawl.mismatches:
            denied[page.assignment.template][crawl.mismatches[page.docid]] += 1
    for template, row in zip(crawl.templates, rows, strict=False):
        judged, agree = map_.by_template.get(template.id, (0, 0))
        told = {
            **template.as_dict(),
            "role": roles[template.id],
            "judged": judged,
            "agree": agree,
            "denied": dict(sorted(denied[template.number].items())),
            **_counts(row),
        }
        found.append({**told, "doubts": doubts(told)})
    return found


def _counts(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("fetched", "queued", "skipped", "failed")}
