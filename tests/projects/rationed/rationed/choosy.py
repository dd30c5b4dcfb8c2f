"""A spider middleware that stands further out than most."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request
from scrapy.http import Response


class Even:
    """Lets no request for an odd number through."""

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        async for output in result:
            if not isinstance(output, Request) or output.url[-1] in "/02468":
                yield output
