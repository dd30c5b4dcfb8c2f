from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.http import Response


class StylesSpider(scrapy.Spider):
    """A callback for every way that Scrapy knows of giving results."""

    name = "styles"
    ways = (
        "generator", "agenerator", "listing", "coroutine", "nothing", "nones", "midway", "amidway",
        "atonce", "lone", "again", "inline", "inherit",
    )  # fmt: skip

    def __init__(self, url: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.url = url

    async def start(self) -> AsyncIterator[Any]:
        for way in self.ways:
            yield scrapy.Request(f"{self.url}{way}", getattr(self, f"parse_{way}"))

    def parse_generator(self, response: Response) -> Iterator[Any]:
        for number in range(3):
            yield {"way": "generator", "number": number}
            yield response.follow(f"/leaf/{number}", self.parse_leaf)

    async def parse_agenerator(self, response: Response) -> AsyncIterator[Any]:
        for number in range(3):
            yield {"way": "agenerator", "number": number}
            yield response.follow(f"/leaf/{number + 2}", self.parse_leaf)

    def parse_listing(self, response: Response) -> list[Any]:
        return [{"way": "listing"}, response.follow("/leaf/6", self.parse_leaf), {"way": "2nd"}]

    async def parse_coroutine(self, response: Response) -> list[Any]:
        return [{"way": "coroutine"}, response.follow("/leaf/7", self.parse_leaf)]

    def parse_nothing(self, response: Response) -> None:
        return None

    def parse_nones(self, response: Response) -> Iterator[Any]:
        yield None
        yield {"way": "nones"}
        yield None

    def parse_midway(self, response: Response) -> Iterator[Any]:
        yield {"way": "midway", "number": 1}
        yield response.follow("/leaf/8", self.parse_leaf)
        raise RuntimeError("half of the way")

    async def parse_amidway(self, response: Response) -> AsyncIterator[Any]:
        yield {"way": "amidway", "number": 1}
        raise RuntimeError("half of the way")

    def parse_atonce(self, response: Response) -> list[Any]:
        raise RuntimeError("not one step")

    def parse_lone(self, response: Response) -> dict[str, Any]:
        return {"way": "lone"}

    def parse_again(self, response: Response) -> Iterator[Any]:
        times = response.meta.get("times", 0)
        yield {"way": "again", "times": times}
        if times < 2:
            yield response.request.replace(dont_filter=True, meta={"times": times + 1})

    async def parse_inline(self, response: Response) -> AsyncIterator[Any]:
        other = await self.crawler.engine.download_async(response.follow("/leaf/9"))
        yield {"way": "inline", "other": other.url[-7:]}

    def parse_inherit(self, response: Response) -> Iterator[Any]:
        yield response.follow("/leaf/10", self.parse_leaf, meta=dict(response.meta))
        yield response.follow("/nowhere/linked", self.parse_leaf, meta=dict(response.meta))

    def parse_leaf(self, response: Response) -> Iterator[Any]:
        yield {"way": "leaf", "url": response.url}
