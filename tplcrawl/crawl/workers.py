"""A worker of a crawl that several processes share."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path
from uuid import uuid4

from scrapy import Spider

from tplcrawl.clustering.methods import make_method
from tplcrawl.crawl.frontier import Frontier, FrontierSpider, is_ours
from tplcrawl.crawl.options import Options
from tplcrawl.crawl.places import crawl_folder
from tplcrawl.errors import StoreError, StoreLocked, TplcrawlError
from tplcrawl.page.site import Site
from tplcrawl.planning.plan import Plan
from tplcrawl.recording import Recording
from tplcrawl.reports.models import read_model
from tplcrawl.saved_model import saved_in
from tplcrawl.sharing.counts import SharedCounts
from tplcrawl.sharing.hub import Hub
from tplcrawl.sharing.queue import LeasedQueue
from tplcrawl.store.database import FILE, unusable
from tplcrawl.store.store import Store


def recording_of(options: Options, site: Site, spider: Spider) -> Recording:
    """What is remembered of *spider*'s crawl, or of this worker's part of it.

    A worker without a directory of its own gets the first of ``worker-1``, ``worker-2``, … that no
    other one writes to: a dead one's, if there is one, which it goes on with.
    """

    model = None if options.model is None else read_model(options.model)

    def open_(folder: Path) -> Recording:
        try:
            return Recording(
                folder,
                ", ".join(site.hosts) or spider.name,
                make_method(options.method, **options.parameters()),
                positional=options.positional,
                save_html=options.save_html,
                durable=options.durable,
                model=model,
            )
        except zlib.error as error:
            raise StoreError(unusable(folder / FILE, error)) from error

    folder = options.dir or crawl_folder(spider)
    if options.redis_url is None or options.dir is not None or not is_ours(spider):
        return open_(folder)
    number = 1
    while True:
        try:
            return open_(folder / f"worker-{number}")
        except StoreLocked:
            number += 1


def frontier_of(
    options: Options, recording: Recording, site: Site, spider: FrontierSpider, plan: Plan | None
) -> Frontier:
    """The frontier of *spider*: its own, or its part of one that workers share."""
    store, most, queue = recording.store, spider.max_pages, None
    try:
        if options.redis_url is not None:
            prefix = options.redis_key or f"tplcrawl:{','.join(site.hosts)}"
            hub = Hub(options.redis_url, f"{prefix}:", _name_of(store), options.redis_lease)
            saved = saved_in(store)
            counts = SharedCounts(plan, saved.last) if plan is not None and saved else None
            queue = LeasedQueue(store, site, hub, most, options.redis_patience, counts)
            most = None
        frontier = Frontier(store, site, spider.skip, most, plan, queue)
        frontier.seed([*spider.start_urls, *spider.like])
    except sqlite3.Error as error:
        recording.close(sound=False)
        raise StoreError(unusable(store.database.path, error)) from error
    except TplcrawlError:
        recording.close()
        raise
    return frontier


def _name_of(store: Store) -> str:
    """The name under which Redis knows the worker that has *store*, now and after its death."""
    name = store.meta("worker")
    if name is None:
        name = uuid4().hex
        store.set_meta("worker", name)
        store.commit()
    return str(name)
