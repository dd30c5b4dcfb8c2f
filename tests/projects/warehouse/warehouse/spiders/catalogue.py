from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

from warehouse.items import Listing, Product


class CatalogueSpider(CrawlSpider):
    name = "catalogue"
    rules = (
        Rule(LinkExtractor(allow=r"/product/"), callback="parse_product", follow=False),
        Rule(LinkExtractor(allow=r"/shop/"), callback="parse_listing", follow=True),
        Rule(LinkExtractor(allow=r"/(forum|blog)/$")),
    )

    def __init__(self, url: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.start_urls = [url]

    def parse_product(self, response: Response) -> Product:
        stock = int(response.css("p.stock::text").re_first(r"^\d+", "0"))
        return Product(url=response.url, sku=response.url[-9:], stock=stock)

    def parse_listing(self, response: Response) -> Iterator[Any]:
        links = response.css("a[href*='/product/']::attr(href)").getall()
        yield Listing(response.url, links)
        yield {"kind": "count", "of": response.url, "links": len(links)}
