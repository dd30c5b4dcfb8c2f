"""The scheduler of the ``site`` spider: a crawl's store is its queue."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import create_looping_call

from tplcrawl.crawl.failures import LOST
from tplcrawl.crawl.frontier import Frontier
from tplcrawl.crawl.meta import DEPTH, DOCID
from tplcrawl.crawl.session import Session
from tplcrawl.store.urls import QueuedUrl

logger = logging.getLogger(__name__)

_WATCH = 0.5
"""Seconds between two looks whether the crawl is being ended, or others have found something."""

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred


class StoreScheduler(BaseScheduler):
    """Builds a request for a URL of the store when it is its turn, not when its link is seen: 99 of
    100 links lead to URLs that are known already.

    Scrapy's own queues lose requests when the process dies. A URL of the store stays queued until
    what came of it is written.
    """

    def __init__(self, crawler: Crawler, session: Session, frontier: Frontier) -> None:
        self._crawler = crawler
        self._session = session
        self._frontier = frontier
        self._again: deque[Request] = deque()
        self._watch = create_looping_call(self._look)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> StoreScheduler:
        session = Session.of(crawler)
        if session.frontier is None:
            raise TypeError("StoreScheduler is for the spiders of tplcrawl")
        return cls(crawler, session, session.frontier)

    def open(self, spider: Spider) -> Deferred[None] | None:
        self._spider = spider
        self._watch.start(_WATCH, now=False)
        return None

    def close(self, reason: str) -> Deferred[None] | None:
        if self._watch.running:
            self._watch.stop()
        return None

    def _look(self) -> None:
        slot = self._crawler.engine._slot
        if slot is not None and slot.closing is not None:
            self._give_up()
        elif slot is not None and self._frontier.look_again():
            slot.nextcall.schedule()

    def _give_up(self) -> None:
        """When the crawl is being ended, nobody asks for requests any more: those that wait for the
        turn of one that is to be tried again would wait for ever."""
        while self._again:
            self._frontier.give_up(self._again.popleft().meta.get(DOCID, 0))
        self._frontier.give_up_again()

    def has_pending_requests(self) -> bool:
        return bool(self._again) or self._frontier.more

    def enqueue_request(self, request: Request) -> bool:
        """Take back a request that is to be tried again, or has been redirected."""
        docid = request.meta.get(DOCID)
        if docid is not None and self._frontier.has(docid) and "redirect_urls" in request.meta:
            self._frontier.turn(docid).addCallback(self._redirected, docid, request)
        else:
            self._again.append(request)
        return True

    def _redirected(self, _: None, docid: int, request: Request) -> None:
        reasons = request.meta.get("redirect_reasons") or [None]
        status = reasons[-1] if isinstance(reasons[-1], int) else None
        self._frontier.redirected(docid, request.url, status)

    def next_request(self) -> Request | None:
        try:
            return self._next_request()
        except Exception as error:
            # The engine would ask no more, and the crawl never end.
            logger.exception("Cannot choose the next URL")
            self._session.fail(error)
            return None

    def _next_request(self) -> Request | None:
        if self._again:
            return self._again.popleft()
        queued = self._frontier.next()
        if queued is None:
            self._forget_lost()
            return None
        return self._request(queued)

    def _request(self, queued: QueuedUrl) -> Request:
        request = Request(
            queued.url,
            callback=self._spider.parse,
            errback=self._session.errback,
            meta={DOCID: queued.id, DEPTH: queued.depth},
            dont_filter=True,
        )
        self._session.origins.tell_queued(request, queued.place)
        return request

    def _forget_lost(self) -> None:
        """Let go of requests that some component dropped without a word, or the crawl would wait
        for them for ever."""
        engine = self._crawler.engine
        if self._frontier.under_way and not engine.downloader.active and not self._again:
            slot = engine.scraper.slot
            if slot is not None and slot.is_idle():
                for docid in self._frontier.vanished():
                    self._frontier.failed(docid, LOST)
