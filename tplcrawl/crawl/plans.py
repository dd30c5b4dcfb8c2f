"""The plan of a crawl, as its settings and its spider have it."""

from __future__ import annotations

from scrapy import Spider

from tplcrawl.crawl.frontier import is_ours
from tplcrawl.crawl.options import Options
from tplcrawl.page.urls import normal_url
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.plan import Plan
from tplcrawl.recording import Recording
from tplcrawl.reports.templates import template_rows


def plan_of(options: Options, recording: Recording, spider: Spider) -> Plan | None:
    """What is to be fetched; ``None`` where that is everything."""
    aims, store = _aims(options, spider), recording.store
    store.set_meta("like", aims.like)
    if not aims.planned:
        return None

    def names() -> dict[int, str]:
        return {row.number: row.name for row in template_rows(store, list(store.pages.rows()))}

    return Plan(aims, recording, names)


def _aims(options: Options, spider: Spider) -> Aims:
    if is_ours(spider):
        like = [url for url in map(normal_url, spider.like) if url is not None]
        return options.aims(spider.samples, like)
    # Somebody else's spider has an order and an end of its own.
    budgets, explore = options.max_pages_per_template, options.explore
    return Aims(budgets=budgets, explore=explore, sampled=False, seed=options.seed)
