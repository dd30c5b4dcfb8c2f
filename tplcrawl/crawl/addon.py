"""The add-on: all that a Scrapy project needs to name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.settings import BaseSettings

from tplcrawl.crawl.frontier import is_ours
from tplcrawl.crawl.live import Live
from tplcrawl.crawl.misses import Misses
from tplcrawl.crawl.places import is_local, start_urls
from tplcrawl.crawl.recorder import Recorder
from tplcrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


_HURRY = {
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
}
"""For a server on this machine, with which there is no need to be gentle."""


def _before_all(components: BaseSettings) -> int:
    """An order before those of all *components*: what they let through is what goes on from us,
    maybe much later."""
    return min([25, *(int(order) - 1 for order in components.values() if order is not None)])


class Addon:
    """``ADDONS = {"tplcrawl.Addon": 500}``.

    Adds two extensions, a spider middleware and a downloader middleware that only looks on, and
    changes nothing else: spiders, items, scheduler and pipelines of the project work as before.
    Only where templates have budgets do requests wait until they are needed.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._spider = crawler.spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Addon:
        return cls(crawler)

    def update_settings(self, settings: BaseSettings) -> None:
        """Called by Scrapy. The middlewares see what all others let through, as the outermost."""
        settings.setdefault_in_component_priority_dict("EXTENSIONS", Live, 490)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", Session, 500)
        outermost = _before_all(settings.getwithbase("SPIDER_MIDDLEWARES"))
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", Recorder, outermost)
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", Misses, 25)
        if settings.getbool("TPLCRAWL_HURRY_LOCAL") and self._is_local():
            for name, value in _HURRY.items():
                settings.set(name, value, priority="spider")

    def _is_local(self) -> bool:
        spider = self._spider
        return spider is not None and is_ours(spider) and all(map(is_local, start_urls(spider)))
