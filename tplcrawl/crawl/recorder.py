"""The spider middleware that records pages, and tells requests where they come from."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.defer import maybe_deferred_to_future

from tplcrawl.crawl.frontier import NOT_HTML, Frontier
from tplcrawl.crawl.meta import DOCID
from tplcrawl.crawl.session import Session
from tplcrawl.crawl.visit import Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

class Recorder:
    """Profiles every HTML page, before the spider's callback sees it, and writes it when all its
    items have gone through the pipelines.

    .. reqmeta:: tplcrawl_location, tplcrawl_predicted, tplcrawl_confidence

    A request that leaves a page for one of its links carries in its meta where the link stands
    (``tplcrawl_location``), the template that such links lead to (``tplcrawl_predicted``, as
    ``t3``) and how sure that is (``tplcrawl_confidence``).

    .. reqmeta:: tplcrawl_template

    In a callback, ``response.meta["tplcrawl_template"]`` is the page's template, or ``None`` as
    long as it is too early to tell.
    """

    def __init__(self, session: Session, frontier: Frontier | None) -> None:
        self._session = session
        self._frontier = frontier

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        session = Session.of(crawler)
        return cls(session, session.frontier)

    def process_spider_input(self, response: Response) -> None:
        visit = self._session.look(response)
        if visit is not None and self._frontier is None:
            self._session.arrive(visit)

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        visit = self._session.visit_of(response)
        if visit is None:
            async for output in result:
                yield output
            if self._frontier is not None and DOCID in response.meta:
                self._frontier.failed(response.meta[DOCID], NOT_HTML, response.status)
            return
        if self._frontier is not None:
            if self._frontier.has(response.meta.get(DOCID)):
                await maybe_deferred_to_future(self._frontier.turn(response.meta[DOCID]))
            self._session.arrive(visit)
        try:
            async for output in result:
                if isinstance(output, Request):
                    self._session.tell(output, visit)
                else:
                    visit.item_in()
                yield output
        except Exception:
            await self._finish(visit)
            raise
        await self._finish(visit)

    async def _finish(self, visit: Visit) -> None:
        await maybe_deferred_to_future(visit.all_out())
        self._session.write(visit)
        if self._frontier is not None and visit.page is not None:
            self._frontier.written(visit.page.docid)
