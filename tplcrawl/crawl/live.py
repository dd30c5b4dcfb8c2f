"""The extension that serves the report while the crawl runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy import Spider, signals
from scrapy.exceptions import NotConfigured

from tplcrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from tplcrawl.reports.live import LiveReport


class Live:
    """``TPLCRAWL_LIVE=1``: says on standard error where the report can be watched.

    It ends before the session does, so that nobody reads the store when that lets go of it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._report: LiveReport | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Live:
        live = cls(crawler)
        crawler.signals.connect(live._opened, signals.spider_opened)
        crawler.signals.connect(live._closed, signals.spider_closed)
        return live

    def _opened(self, spider: Spider) -> None:
        try:
            session = Session.of(self._crawler)
        except NotConfigured:
            return
        if session.options.live:
            # What draws it is needed by few crawls, and would make the others start later.
            from tplcrawl.reports.live import LiveReport

            session.store.commit()
            self._report = LiveReport(session.store.folder)
            self._report.start()
            print(f"tplcrawl: live report at {self._report.url}", file=sys.stderr, flush=True)

    def _closed(self, spider: Spider) -> None:
        if self._report is not None:
            self._report.stop()
