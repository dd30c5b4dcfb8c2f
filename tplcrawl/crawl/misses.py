"""URLs of which a spider of somebody else got no page."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http.request import NO_CALLBACK

from tplcrawl.crawl.failures import reason_of, reason_of_answer, state_of
from tplcrawl.crawl.session import Session
from tplcrawl.crawl.visit import is_page
from tplcrawl.store.urls import Discovery, State

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class Misses:
    """The downloader middleware that writes down why there is no page under a URL that the crawl
    knows, or that answered, for whoever asks what was left out.

    As the outermost it sees what becomes of requests in the end, after all that try again. Those of
    the ``site`` spider say it themselves; what comes of a form says nothing of its URL.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._urls = session.store.urls

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Misses:
        session = Session.of(crawler)
        if session.frontier is not None:
            raise NotConfigured
        return cls(session)

    def process_response(self, request: Request, response: Response) -> Response:
        if not is_page(response):
            self._note(request, reason_of_answer(response), response.status)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        self._note(request, *reason_of(exception, request))

    def _note(self, request: Request, reason: str, status: int | None) -> None:
        session = self._session
        if request.callback is NO_CALLBACK:
            # Not the spider asks, but Scrapy itself: for robots.txt, or for media.
            return
        session.count(f"failed/{reason}")
        if request.method != "GET" or session.failure is not None:
            return
        asked = [*(request.meta.get("redirect_urls") or ()), request.url]
        try:
            if status is not None:
                self._urls.discover([Discovery(request.url, 0, skip=reason)])
            for id_ in self._urls.known(asked).values():
                if session.backlog is not None:
                    session.backlog.failed(id_, reason, status)
                if self._urls.state(id_) in (State.QUEUED, State.HELD):
                    self._urls.settle(id_, state_of(reason), reason=reason, status=status)
        except sqlite3.Error as error:
            session.fail(error)
