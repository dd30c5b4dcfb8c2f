from __future__ import annotations

from typing import Any

import scrapy
from scrapy.http import Response


class FailingSpider(scrapy.Spider):
    """Not one of its callbacks works."""

    name = "failing"

    def __init__(self, urls: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.start_urls = urls.split()

    def parse(self, response: Response, **arguments: Any) -> Any:
        raise RuntimeError("this spider is of no use")
