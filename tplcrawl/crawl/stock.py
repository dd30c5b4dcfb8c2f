"""Scrapy as it comes: what the benchmark measures tplcrawl against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class StockSpider(CrawlSpider):
    """Follows every link of a site, breadth first, and yields an item for each page."""

    name = "stock"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)

    def __init__(self, url: str) -> None:
        super().__init__()
        self.start_urls = [url]

    def parse_page(self, response: Response) -> Iterator[dict[str, Any]]:
        """One item a page, like the ``site`` spider's."""
        yield {"url": response.url, "title": response.css("title::text").get()}
