"""The spider middleware that records pages, and tells requests where they come from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scrapy import Request

from tplcrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from tplcrawl.crawl.visit import Visit


class Recorder:
    """Profiles every HTML page, before the spider's callback sees it, and has it written when all
    its items have gone through the pipelines.

    .. reqmeta:: tplcrawl_location, tplcrawl_predicted, tplcrawl_confidence

    A request that leaves a page for one of its links carries in its meta where the link stands
    (``tplcrawl_location``), the template that such links lead to (``tplcrawl_predicted``, as
    ``t3``) and how sure that is (``tplcrawl_confidence``).

    .. reqmeta:: tplcrawl_template

    In a callback, ``response.meta["tplcrawl_template"]`` is the page's template, or ``None`` as
    long as it is too early to tell.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        return cls(Session.of(crawler))

    def process_spider_input(self, response: Response) -> None:
        self._session.look(response)

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterator[Any]:
        visit = self._session.visit_of(response)
        try:
            for output in result:
                if self._passes(output, visit):
                    yield output
        except Exception:
            self._session.complete(response)
            raise
        self._session.complete(response)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        visit = self._session.visit_of(response)
        try:
            async for output in result:
                if self._passes(output, visit):
                    yield output
        except Exception:
            self._session.complete(response)
            raise
        self._session.complete(response)

    def process_spider_exception(self, response: Response, exception: Exception) -> None:
        self._session.complete(response)

    def _passes(self, output: Any, visit: Visit | None) -> bool:
        """Note what comes of a page; return whether it goes on now."""
        if visit is None or output is None:
            return True
        if isinstance(output, Request):
            self._session.origins.tell(output, visit)
            backlog = self._session.backlog
            return backlog is None or not backlog.keeps(output, visit)
        visit.item_in()
        return True
