"""The plan of a crawl, as its settings and its spider have it."""

from __future__ import annotations

from tplcrawl.crawl.frontier import FrontierSpider
from tplcrawl.crawl.options import Options
from tplcrawl.page.urls import normal_url
from tplcrawl.planning.plan import Plan
from tplcrawl.recording import Recording
from tplcrawl.reports.templates import template_rows


def plan_of(
    options: Options, recording: Recording, spider: FrontierSpider | None = None
) -> Plan | None:
    """What is to be fetched; ``None`` where that is everything."""
    like = [url for url in map(normal_url, spider.like if spider else ()) if url is not None]
    aims = options.aims(spider.samples if spider else None, like)
    if not aims.planned:
        return None
    store = recording.store

    def names() -> dict[int, str]:
        return {row.number: row.name for row in template_rows(store, list(store.pages.rows()))}

    return Plan(aims, recording, names)
