from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.http import Response


class ShopperSpider(scrapy.Spider):
    """Written by hand: a callback for each kind of page, arguments for them, and requests that
    nobody may leave out."""

    name = "shopper"

    def __init__(self, url: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.url = url

    async def start(self) -> AsyncIterator[Any]:
        for path in ("", "shop/", "product/nowhere.html"):
            yield scrapy.Request(f"{self.url}{path}", self.parse_list)

    def parse_list(self, response: Response) -> Iterator[Any]:
        for link in response.css("a[href*='/shop/']"):
            yield response.follow(link, self.parse_list)
        for link in response.css("a[href*='/product/']"):
            yield response.follow(link, self.parse_product, cb_kwargs={"seen_on": response.url})
            yield response.follow(link, self.parse_note, method="POST", body="note")

    async def parse_product(self, response: Response, seen_on: str) -> AsyncIterator[Any]:
        yield {"url": response.url, "seen_on": seen_on, "title": response.css("h1::text").get()}
        for link in response.css("a[href*='/product/']"):
            yield response.follow(link, self.parse_product, cb_kwargs={"seen_on": response.url})
        for link in response.css("a[href$='/forum/']"):
            yield response.follow(link, self.parse_forum, dont_filter=True)

    def parse_note(self, response: Response) -> Iterator[Any]:
        yield {"noted": response.url}

    def parse_forum(self, response: Response) -> Iterator[Any]:
        yield {"forum": response.url}
