from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.http import Response, TextResponse
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure


class ApiSpider(scrapy.Spider):
    """Its items come from JSON, from errors, from the start, and from pages."""

    name = "api"

    def __init__(self, url: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.url = url

    async def start(self) -> AsyncIterator[Any]:
        yield {"from": "start"}
        yield scrapy.Request(f"{self.url}api/1.json", self.parse_json)
        yield scrapy.Request(self.url, self.parse_page)

    def parse_json(self, response: TextResponse) -> Iterator[Any]:
        told = response.json()
        for number in told["numbers"]:
            yield {"from": "json", "number": number}
        if told["next"]:
            yield response.follow(told["next"], self.parse_json)

    def parse_page(self, response: Response) -> Iterator[Any]:
        yield {"from": "page", "url": response.url}
        for link in response.css("nav a"):
            yield response.follow(link, self.parse_page)
        for path in ("gone", "broken"):
            yield response.follow(f"/{path}", self.parse_page, errback=self.parse_failure)
        yield response.follow("/api/2.json", self.parse_json)

    def parse_failure(self, failure: Failure) -> Iterator[Any]:
        assert failure.check(HttpError)
        yield {"from": "errback", "status": failure.value.response.status}
