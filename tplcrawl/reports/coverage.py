"""``coverage.json``: what a crawl got, and what it left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tplcrawl.clustering.template_ids import template_name
from tplcrawl.recording import taught
from tplcrawl.reports.accuracy import accuracy
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.reports.traps import traps_of
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State


def coverage(
    store: Store,
    templates: Sequence[TemplateRow],
    stopped: str,
    mismatches: Mapping[int, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Every number of the report."""
    states = store.urls.counts()
    assigned = sum(template.pages for template in templates)
    pages = len(store.pages)
    return {
        "site": store.site,
        "method": store.meta("method"),
        "stopped": stopped,
        "funnel": {
            "discovered": sum(states.values()),
            "fetched": states[State.FETCHED],
            "pages": pages,
            "assigned": assigned,
        },
        "states": {state.name.lower(): count for state, count in states.items()},
        "reasons": store.urls.reasons(),
        "unassigned": pages - assigned,
        "templates": _by_template(store, templates),
        "depths": _by_depth(store),
        "predictions": accuracy(store),
        "mismatches": dict(sorted(Counter(mismatches.values()).items())),
        "traps": traps_of(store),
        "saturation": store.meta("saturation"),
        "cuts": store.pages.cuts(),
        "items": store.pages.item_count(),
    }


def _by_template(store: Store, templates: Sequence[TemplateRow]) -> list[dict[str, Any]]:
    """For each template, the pages that were fetched and the URLs that were expected to be."""
    expect = taught(store)
    expected: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for url, _, place, reason in store.urls.unfetched():
        prediction = expect(url, place)
        if prediction is not None:
            expected[prediction.template][reason or "queued"] += 1
    return [
        {
            "id": template.id,
            "name": template.name,
            "fetched": template.pages,
            "queued": expected[template.number].pop("queued", 0),
            "left_out": dict(sorted(expected[template.number].items())),
        }
        for template in templates
    ]


def _by_depth(store: Store) -> list[dict[str, Any]]:
    depths: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for row in store.pages.rows():
        template = row.assignment.template
        depths[row.depth][template_name(template) if template else "unassigned"] += 1
    return [
        {"depth": depth, "pages": sum(counts.values()), "templates": dict(sorted(counts.items()))}
        for depth, counts in sorted(depths.items())
    ]
