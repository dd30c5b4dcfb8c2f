"""Requests of somebody else's spider that wait until a plan needs them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider

from tplcrawl.crawl.failures import is_answer, says_no, state_of
from tplcrawl.crawl.stash import Stash
from tplcrawl.crawl.visit import Visit
from tplcrawl.planning.asked import AskedQueue
from tplcrawl.planning.picker import PlannedPicker
from tplcrawl.planning.plan import Plan
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from tplcrawl.crawl.origins import Origins


def backlog_of(
    crawler: Crawler,
    store: Store,
    plan: Plan | None,
    origins: Origins,
    flush: Callable[[], None],
    fail: Callable[[sqlite3.Error], None],
) -> Backlog | None:
    """Where requests wait, if there is a plan; if not, those that have waited in an earlier run of
    the job are made. What that run held may come again."""
    store.held.let_go_all()
    if plan is not None:
        return Backlog(crawler, store, plan, origins, flush, fail)

    def let_go() -> None:
        for request in Stash(crawler).take():
            crawler.engine.crawl(request)

    crawler.signals.connect(let_go, signals.spider_opened, weak=False)
    return None


class Backlog:
    """Keeps the requests that a spider yields for links of pages back from its scheduler, and hands
    them on as *plan* has it: what the frontier is to the ``site`` spider.

    Whatever else the spider asks for goes its own way: start pages, forms, what is not to be
    filtered, URLs that were asked for before. An error of ours sets all of them free.
    """

    def __init__(
        self,
        crawler: Crawler,
        store: Store,
        plan: Plan,
        origins: Origins,
        flush: Callable[[], None],
        fail: Callable[[sqlite3.Error], None],
    ) -> None:
        self._crawler = crawler
        self._store, self._urls = store, store.urls
        self._plan = plan
        self._origins = origins
        self._flush = flush
        self._fail = fail
        self._waiting: dict[int, dict[bytes, Request]] = {}
        self._queue = AskedQueue(store, self._waiting)
        self._picker = PlannedPicker(store, lambda url: None, plan, self._queue)
        self._free = self._closed = self._dropped = False
        self._stash = Stash(crawler)
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._idle, signals.spider_idle)
        crawler.signals.connect(self._drop, signals.request_dropped)

    def keeps(self, request: Request, visit: Visit) -> bool:
        """Whether *request*, which leaves a page, waits until it is needed; if so, it goes on from
        here when the page is written."""
        plain = request.method == "GET" and not request.body and not request.dont_filter
        kept = plain and not self._free and visit.link(request.url) is not None
        if kept:
            visit.requests.append(request)
        return kept

    def add(self, visit: Visit) -> None:
        """A visit is over: let its requests wait, and make those that are needed now."""
        if not self._closed:
            self._take(visit.requests, visit.response.meta.get("redirect_urls") or ())

    def _opened(self) -> None:
        self._take(list(self._stash.take()))

    def _take(self, requests: list[Request], led: Iterable[str] = ()) -> None:
        """Let *requests* wait; the URLs *led* on to a page."""
        try:
            if not self._free:
                for id_ in self._urls.known(led).values():
                    self._plan.leave(id_)
                self._sort(requests)
                self._pick()
        except sqlite3.Error as error:
            self._fail(error)
        while requests:
            self._send(requests.pop(0))

    def _sort(self, requests: list[Request]) -> None:
        """Take out of *requests* those that have to wait."""
        ids = self._urls.known(request.url for request in requests)
        fingerprint = self._fingerprint()
        past = []
        for request in requests:
            id_ = ids.get(request.url, 0)
            if id_ not in self._waiting:
                if not id_ or self._plan.errand(id_) or self._urls.state(id_) is not State.QUEUED:
                    past.append(request)
                    continue
                self._waiting[id_] = {}
                self._queue.ask(self._urls.get(id_))
            self._waiting[id_].setdefault(fingerprint(request), request)
        requests[:] = past

    def _fingerprint(self) -> Callable[[Request], bytes]:
        """What the project takes for the same request."""
        assert self._crawler.request_fingerprinter is not None
        return self._crawler.request_fingerprinter.fingerprint

    def _pick(self) -> None:
        """Make as many requests as may be under way."""
        plan = self._plan
        while self._waiting and plan.under_way < plan.window:
            url = self._picker.next()
            if url is None:
                return
            sent = 0
            for request in self._waiting.pop(url.id).values():
                self._origins.tell_queued(request, url.place)
                sent += self._send(request)
            if not sent:
                plan.leave(url.id)

    def _send(self, request: Request) -> bool:
        """Make a request; return whether the project's own scheduler took it."""
        self._dropped = False
        self._crawler.engine.crawl(request)
        return not self._dropped

    def _drop(self, request: Request) -> None:
        self._dropped = True

    def written(self, docid: int, template: int | None, *, anew: bool) -> None:
        """A URL became a page of *template*; *anew* is whether templates were found anew."""
        self._plan.arrived(template, self._urls.get(docid))
        if anew:
            self._plan.renew()
        self._plan.leave(docid)

    def known(self, docid: int, status: int) -> None:
        """A URL was fetched that is a page already."""
        self._plan.leave(docid)

    def failed(self, docid: int, reason: str, status: int | None = None) -> None:
        """No page came of a URL."""
        if self._free or self._plan.errand(docid) is None:
            return
        try:
            self._urls.settle(docid, state_of(reason), reason=reason, status=status)
            if says_no(status):
                self._plan.failed(self._urls.get(docid))
            self._plan.leave(docid, answered=is_answer(status))
            self._pick()
        except sqlite3.Error as error:
            self._fail(error)

    def _idle(self) -> None:
        """Nothing is under way, whatever became of it: some requests end without a word. What
        waits and is needed must be made before the crawl ends."""
        if self._free:
            return
        try:
            self._plan.leave_all()
            self._flush()
            self._pick()
        except sqlite3.Error as error:
            self._fail(error)
        if self._plan.under_way:
            raise DontCloseSpider

    def give_up_all(self) -> None:
        """Nothing can be planned any more: let everything go its way."""
        self._free = True
        while self._waiting:
            for request in self._waiting.pop(next(iter(self._waiting))).values():
                self._send(request)

    def close(self, *, sound: bool) -> None:
        """The crawl has ended: if the store can be trusted, hold what was not needed. What waits is
        kept for the next run of the same job."""
        self._closed = True
        if sound:
            self._picker.hold()
            held = self._urls.count(State.HELD)
            self._crawler.stats.set_value("tplcrawl/held", held)
        waiting = (request for same in self._waiting.values() for request in same.values())
        self._stash.put(waiting)
