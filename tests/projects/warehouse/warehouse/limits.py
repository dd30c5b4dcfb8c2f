from __future__ import annotations

import resource

from scrapy import Spider, signals
from scrapy.crawler import Crawler


class FullDisk:
    """Lets no file grow above some size, once the crawl has begun."""

    def __init__(self, most: int) -> None:
        self._most = most

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FullDisk:
        made = cls(crawler.settings.getint("MOST_BYTES"))
        crawler.signals.connect(made.opened, signals.spider_opened)
        return made

    def opened(self, spider: Spider) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (self._most, self._most))
