"""One crawl at work: the extension that owns what is remembered of it, and that others ask."""

from __future__ import annotations

import logging
import sqlite3
import zlib
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.python.failure import Failure

from tplcrawl import garbage
from tplcrawl.crawl.archive import keeper
from tplcrawl.crawl.arrivals import Arrivals
from tplcrawl.crawl.backlog import Backlog, backlog_of
from tplcrawl.crawl.blocks import Blocks
from tplcrawl.crawl.commits import COMMIT_EVERY, Commits
from tplcrawl.crawl.failures import NOT_HTML, broken, reason_of, unread
from tplcrawl.crawl.frontier import Frontier, is_ours
from tplcrawl.crawl.harvest import Harvest, Source
from tplcrawl.crawl.meta import DOCID
from tplcrawl.crawl.options import Options
from tplcrawl.crawl.origins import Origins
from tplcrawl.crawl.outputs import Outcome, finish, tell
from tplcrawl.crawl.places import site_of
from tplcrawl.crawl.plans import plan_of
from tplcrawl.crawl.progress import Progress
from tplcrawl.crawl.visit import Visit, is_page
from tplcrawl.crawl.workers import frontier_of, recording_of
from tplcrawl.errors import CrawlFailed, JobError, StoreError, TplcrawlError
from tplcrawl.page.urls import Cleaner
from tplcrawl.recording import Arrived
from tplcrawl.store.database import unusable
from tplcrawl.store.store import SkipReason, fetch_all

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class Session:
    """Records the pages of one crawl. For a spider of tplcrawl it also has the :attr:`frontier`;
    anybody else's keeps Scrapy's scheduler, and an error here does not stop it.
    """

    def __init__(self, crawler: Crawler, options: Options, spider: Spider) -> None:
        self.crawler, self.options = crawler, options
        self.failure: TplcrawlError | None = None
        self.outcome: Outcome | None = None
        """Known once the crawl has ended."""
        self._fetched = 0
        self.site = site_of(spider)
        self.recording = recording_of(options, self.site, spider)
        self.store = self.recording.store
        self._arrivals = Arrivals(self.recording, Cleaner(self.site, tracking=options.tracking))
        self.origins = Origins(self.recording, positional=options.positional)
        self._skip: SkipReason = fetch_all
        self.frontier: Frontier | None = None
        self.plan = plan_of(options, self.recording, spider)
        if is_ours(spider):
            self._skip = spider.skip
            self.frontier = frontier_of(options, self.recording, self.site, spider, self.plan)
        told = self.origins, self._flush, self.fail
        self.backlog = None if self.frontier else backlog_of(crawler, self.store, self.plan, *told)
        self._ahead: Frontier | Backlog | None = self.frontier or self.backlog
        self._blocks = Blocks(crawler, options.on_block, self.store, self.frontier)
        self._visits: dict[int, Visit] = {}
        self._harvest = Harvest(self.store, self._visits, options.extract)
        self._keep = keeper(options.warc, self.store, durable=options.durable)
        self._commits = Commits(self.store, self.fail)
        self.progress = Progress(self._numbers)

    def _numbers(self) -> tuple[int, int, int]:
        left = self.frontier.left if self.frontier is not None else 0
        return len(self.recording), self.recording.model.templates, left

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Session:
        assert crawler.spider is not None
        try:
            options = Options.of_spider(crawler.settings, ours=is_ours(crawler.spider))
            if not options.enabled:
                raise NotConfigured
            session = cls(crawler, options, crawler.spider)
        except TplcrawlError as error:
            if is_ours(crawler.spider):
                raise
            raise NotConfigured(str(error)) from error
        connect = crawler.signals.connect
        connect(session._opened, signals.spider_opened)
        connect(session._item_scraped, signals.item_scraped)
        connect(session._item_lost, signals.item_dropped)
        connect(session._item_lost, signals.item_error)
        connect(session._closed, signals.spider_closed)
        return session

    @classmethod
    def of(cls, crawler: Crawler) -> Session:
        """The session of *crawler*; :exc:`NotConfigured` where there is none."""
        session = crawler.get_extension(cls)
        if session is None:
            raise NotConfigured
        return session

    def count(self, name: str, by: int = 1) -> None:
        """Add to the statistic ``tplcrawl/<name>``."""
        self.crawler.stats.inc_value(f"tplcrawl/{name}", by)

    def look(self, response: Response) -> None:
        """Begin a visit, if *response* is a page of HTML that counts."""
        if not is_page(response):
            return
        visit = self._visits[id(response)] = Visit(response, self._over)
        if self.frontier is None:
            self._arrive(visit)

    def visit_of(self, response: Response) -> Visit | None:
        """The visit to a page that has been looked at."""
        return self._visits.get(id(response))

    async def turn(self, response: Response) -> Visit | None:
        """Wait for the turn of a page of the frontier."""
        visit = self.visit_of(response)
        if visit is not None and self.frontier is not None:
            docid = response.meta.get(DOCID)
            if docid is not None and self.frontier.has(docid):
                await maybe_deferred_to_future(self.frontier.turn(docid))
            if self.failure is not None:
                return None
            self._arrive(visit)
        return visit

    def complete(self, response: Response) -> None:
        """Nothing more comes of *response* than what is in the pipelines."""
        visit = self.visit_of(response)
        if visit is not None:
            visit.complete()
        elif self.frontier is not None and DOCID in response.meta:
            self.frontier.failed(response.meta[DOCID], NOT_HTML, response.status)

    def _arrive(self, visit: Visit) -> None:
        """Look at a page. A stranger wrote it: whatever goes wrong costs this page, no other.

        One of the frontier waits for its turn: a tree takes ten times the memory of a body.
        """
        try:
            self._arrivals.look(visit)
            visit.blocked = self._blocks.look(visit)
        except sqlite3.Error as error:
            self.fail(error)
        except Exception as error:
            visit.failure = unread(visit.response.url, error)
            self.count(f"failed/{visit.failure}")

    def _over(self, visit: Visit) -> None:
        self._write(visit)
        if self.backlog is not None:
            self.backlog.add(visit)

    def _write(self, visit: Visit) -> None:
        """Write a page with its items, and let go of it. An error costs this page, no other."""
        self._visits.pop(id(visit.response), None)
        page = visit.page
        if isinstance(self.failure, StoreError) or self._blocks.put_off(visit):
            return
        if page is None:
            if self.frontier is not None and DOCID in visit.response.meta:
                self.frontier.failed(visit.response.meta[DOCID], visit.failure)
            return
        try:
            self._write_page(visit, page)
            self.store.commit(every=COMMIT_EVERY)
        except (sqlite3.Error, OSError) as error:
            self.fail(error)
        except (UnicodeError, ValueError, OverflowError) as error:
            logger.error("Cannot record %s: %s", visit.response.url, error)
            self.count("failed/error")
            if self._ahead is not None:
                self._ahead.failed(page.docid, "error")
        if self.frontier is not None:
            visit.let_go()

    def _write_page(self, visit: Visit, page: Arrived) -> None:
        if self.store.pages.has(page.docid):
            self._harvest.add(page.docid, visit.items)
            self.count("pages_again")
            if self._ahead is not None:
                self._ahead.known(page.docid, visit.response.status)
            return
        response = visit.response
        found_anew = self.recording.write(
            page,
            depth=visit.depth,
            status=response.status,
            predicted=visit.predicted,
            denial=visit.denial,
            items=self._harvest.of(visit),
            body=(response.body, getattr(response, "encoding", "utf-8")),
            skip=self._skip,
        )
        if found_anew:
            self.origins.forget()
        self._keep(response)
        self._harvest.written(page.docid)
        self._fetched += 1
        self.count("pages")
        self.count("sightings", len(page.profile.links))
        for cut in page.profile.cuts:
            self.count(f"cut/{cut}")
        if self._ahead is not None:
            template = self.recording.model.template_of(page.docid)
            self._ahead.written(page.docid, template, anew=found_anew)

    def errback(self, failure: Failure) -> None:
        """Note that no page came of a request of the frontier."""
        request: Request = failure.request  # type: ignore[attr-defined]
        reason, status = reason_of(failure.value, request)
        self.count(f"failed/{reason}")
        if not self._blocks.refused(request, status) and self.frontier is not None:
            self.frontier.failed(request.meta[DOCID], reason, status)

    def _item_scraped(self, item: Any, response: Source) -> None:
        self.count("items")
        try:
            self._harvest.scraped(item, response)
        except sqlite3.Error as error:
            self.fail(error)

    def _item_lost(self, response: Source) -> None:
        self._harvest.lost(response)

    def _opened(self, spider: Spider) -> None:
        garbage.settle(often=self.frontier is None)
        self._commits.start()
        if self.frontier is not None and self.options.progress:
            self.progress.start()

    def fail(self, error: Exception) -> None:
        """The store cannot be written, as on a full disk, or something is wrong here. What was
        committed stays; a crawl of the frontier ends, somebody else's goes on without us."""
        if self.failure is None:
            self._end(broken(self.store.database.path, error))
            if self.frontier is not None:
                deferred_from_coro(self.crawler.engine.close_spider_async(reason="store error"))
            if self._ahead is not None:
                self._ahead.give_up_all()

    def _end(self, error: TplcrawlError) -> None:
        """Note what went wrong; the ``crawl`` command tells it for spiders of ours."""
        self.failure = error
        if self.frontier is None:
            logger.error("%s", error)

    def _closed(self, spider: Spider, reason: str) -> None:
        self.progress.stop()
        self._commits.stop()
        self._arrivals.close()
        try:
            if self._ahead is not None:
                self._ahead.close(sound=self.failure is None)
            if self.failure is None:
                self._finish(reason)
        except sqlite3.Error as error:
            self.fail(error)
        except zlib.error as error:
            self._end(StoreError(unusable(self.store.database.path, error)))
        except OSError as error:
            self._end(JobError(f"cannot write the outputs: {error.strerror}: {error.filename}"))
        except Exception as error:
            self._end(error if isinstance(error, TplcrawlError) else JobError(repr(error)))
        finally:
            try:
                self.recording.close(sound=not isinstance(self.failure, StoreError))
            except sqlite3.Error as error:
                self.fail(error)

    def _flush(self) -> None:
        """Write what nothing more comes of: items that another middleware took away never come
        out."""
        for visit in list(self._visits.values()):
            self._over(visit)

    def _finish(self, reason: str) -> None:
        self.store.database.check()
        if self.frontier is None:
            self._flush()
        elif self.frontier.failure is not None:
            self._end(self.frontier.failure)
        elif self.frontier.nothing:
            raise CrawlFailed(self.frontier.why_nothing())
        stream = self.options.stream_format, self.crawler.settings.getwithbase("FEED_EXPORTERS")
        stopped = (self.frontier.end() if self.frontier is not None else None) or reason
        self.outcome = finish(self.recording, self.plan, stopped, self._fetched, *stream)
        tell(self.crawler.stats, self.outcome)
