from __future__ import annotations

import resource
import sqlite3
from typing import Any

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


class FullDatabase:
    """Lets a database take so many writes, and no more."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FullDatabase:
        from tplcrawl.store.database import Database

        left = crawler.settings.getint("MOST_WRITES")

        def counted(function: Any) -> Any:
            def write(self: Any, sql: str, *more: Any) -> Any:
                nonlocal left
                left -= 1
                if left < 0 and not sql.startswith("ROLLBACK"):
                    raise sqlite3.OperationalError("database or disk is full")
                return function(self, sql, *more)

            return write

        Database.write = counted(Database.write)  # type: ignore[method-assign]
        Database.write_many = counted(Database.write_many)  # type: ignore[method-assign]
        return cls()
