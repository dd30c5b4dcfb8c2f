from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import scrapy
from scrapy.http import Response


class WitnessSpider(scrapy.Spider):
    """Says what its requests and responses carry."""

    name = "witness"
    custom_settings: ClassVar[dict[str, Any]] = {
        "DEPTH_PRIORITY": 1,
        "CONCURRENT_REQUESTS": 1,
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    }

    def __init__(self, url: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.start_urls = url.split()

    def parse(self, response: Response) -> Iterator[Any]:
        told = {
            name: value for name, value in response.meta.items() if name.startswith("tplcrawl_")
        }
        yield {"url": response.url, **told}
        for link in response.css("a"):
            yield response.follow(link, meta=dict(response.meta))
