"""One crawl at work: the extension that owns what is remembered of it.

The scheduler, the spider middleware and the ``site`` spider ask it; it asks the recording.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.utils.asyncio import create_looping_call
from twisted.python.failure import Failure

from tplcrawl.clustering.methods import make_method
from tplcrawl.clustering.template_ids import template_name
from tplcrawl.crawl.failures import reason_of
from tplcrawl.crawl.frontier import Frontier
from tplcrawl.crawl.items import ItemEncoder
from tplcrawl.crawl.meta import DEPTH, DOCID, TEMPLATE, tell, told
from tplcrawl.crawl.options import Options
from tplcrawl.crawl.outputs import write_outputs
from tplcrawl.crawl.places import crawl_folder, site_of, start_urls
from tplcrawl.crawl.progress import Progress
from tplcrawl.crawl.visit import Visit
from tplcrawl.errors import CrawlFailed, TplcrawlError
from tplcrawl.page.profile import profile_of
from tplcrawl.page.urls import Cleaner
from tplcrawl.recording import Recording
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.store.pages import Item
from tplcrawl.store.store import SkipReason, fetch_all
from tplcrawl.store.urls import Discovery, Place, QueuedUrl

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

COMMIT_EVERY = 0.5
"""Seconds after which what was written is made to last. A page is never torn by that."""


class Session:
    """Records the pages of one crawl. ``TPLCRAWL_ENABLED`` switches it off.

    For a spider of tplcrawl it also has the :attr:`frontier`; anybody else's keeps Scrapy's
    scheduler, and an error here does not stop it.
    """

    def __init__(self, crawler: Crawler, options: Options, spider: Spider) -> None:
        self.crawler = crawler
        self.options = options
        self.failure: TplcrawlError | None = None
        self.templates: list[TemplateRow] = []
        """The templates that were written, once the crawl has ended."""
        self.left = 0
        """The URLs that were still queued then."""
        self.site = site_of(spider)
        self.cleaner = Cleaner(self.site, tracking=options.tracking)
        self.recording = Recording(
            options.dir or crawl_folder(spider),
            ", ".join(self.site.hosts) or spider.name,
            make_method(options.method, **options.parameters()),
            positional=options.positional,
            save_html=options.save_html,
            durable=options.durable,
        )
        self.store = self.recording.store
        self.frontier: Frontier | None = None
        self._skip: SkipReason = fetch_all
        if is_ours(spider):
            self._skip = spider.skip
            self.frontier = Frontier(self.store, self.site, spider.skip, spider.max_pages)
            self.frontier.seed(start_urls(spider))
        self._visits: dict[int, Visit] = {}
        self._written: set[int] = set()
        self._encode = ItemEncoder()
        self._paths: dict[int, str] = {}
        self._timer = create_looping_call(self.store.commit)
        self._progress = Progress(self._numbers)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Session:
        assert crawler.spider is not None
        try:
            options = Options.from_settings(crawler.settings)
            if not options.enabled:
                raise NotConfigured("TPLCRAWL_ENABLED is off")
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
            raise NotConfigured("tplcrawl is switched off")
        return session

    @property
    def folder(self) -> Path:
        """The crawl's directory."""
        return self.store.folder

    def count(self, name: str, by: int = 1) -> None:
        """Add to the statistic ``tplcrawl/<name>``."""
        self.crawler.stats.inc_value(f"tplcrawl/{name}", by)

    def location_of(self, place: Place) -> str | None:
        """A place's general location as text."""
        number = place.location
        if number is None:
            return None
        if number not in self._paths:
            self._paths = self.store.locations.paths()
        return self._paths[number]

    # Pages

    def look(self, response: Response) -> Visit | None:
        """Profile a page; ``None`` where it is no HTML page that counts."""
        if not isinstance(response, HtmlResponse) or not 200 <= response.status < 300:
            return None
        if self.frontier is None and self.site.add(response.url):
            self.cleaner.forget()
        profile = profile_of(
            response.url,
            response.body,
            self.cleaner,
            tree=lambda: response.selector.root,
            encoding=response.encoding,
        )
        visit = self._visits[id(response)] = Visit(response, profile)
        return visit

    def visit_of(self, response: Response) -> Visit | None:
        """The visit to a page that has been looked at."""
        return self._visits.get(id(response))

    def arrive(self, visit: Visit) -> None:
        """Ask the model for a page's template; its callback finds the answer in its meta."""
        queued = self._queued(visit.response)
        visit.depth = queued.depth
        visit.predicted = told(visit.response) or self.recording.predict(queued.place)
        visit.page = self.recording.arrive(queued.id, visit.profile, queued.place)
        template = visit.page.assignment.template
        visit.response.meta[TEMPLATE] = template_name(template) if template else None

    def _queued(self, response: Response) -> QueuedUrl:
        """The store's row of a page, whoever asked for it."""
        docid = response.meta.get(DOCID)
        if docid is None:
            depth = int(response.meta.get(DEPTH, 0))
            docid = self.store.urls.discover([Discovery(response.url, depth)])[0]
        return self.store.urls.get(docid)

    def tell(self, request: Request, visit: Visit) -> None:
        """Let a request that leaves a page carry where its link stands."""
        links = visit.links_by_url()
        at = links.get(request.url)
        if at is None:
            tell(request, None, None)
            return
        path, positions = at
        number = self.store.locations.ids([path])[0]
        place = Place(number, ".".join(map(str, positions)))
        tell(request, path, self.recording.predict(place))

    def write(self, visit: Visit) -> None:
        """Write a page with its items, and let go of it."""
        self._visits.pop(id(visit.response), None)
        page = visit.page
        if page is None:
            return
        if self.store.pages.has(page.docid):
            self._add_items(page.docid, visit.items)
            self.count("pages_again")
            return
        response = visit.response
        self.recording.write(
            page,
            depth=visit.depth,
            status=response.status,
            predicted=visit.predicted,
            items=visit.items,
            body=(response.body, getattr(response, "encoding", "utf-8")),
            skip=self._skip,
        )
        self._written.add(page.docid)
        self.count("pages")
        self.count("sightings", len(visit.profile.links))
        for cut in visit.profile.cuts:
            self.count(f"cut/{cut}")
        self.store.commit(every=COMMIT_EVERY)

    def errback(self, failure: Failure) -> None:
        """Note that no page came of a request of the frontier."""
        request: Request = failure.request  # type: ignore[attr-defined]
        reason, status = reason_of(failure)
        self.count(f"failed/{reason}")
        if self.frontier is not None:
            self.frontier.failed(request.meta[DOCID], reason, status)

    # Items

    def _item_scraped(self, item: Any, response: Response | Failure | None) -> None:
        kept = self._encode(item)
        self.count("items")
        visit = self._visits.get(id(response))
        if visit is not None:
            visit.item_out(kept)
        else:
            self._add_items(self._docid_without_page(response), [kept])

    def _item_lost(self, response: Response | Failure | None) -> None:
        visit = self._visits.get(id(response))
        if visit is not None:
            visit.item_out(None)

    def _docid_without_page(self, response: Response | Failure | None) -> int:
        """The id under which items go that come from no HTML page: 0 where there is no URL."""
        if not isinstance(response, Response):
            return 0
        return self.store.urls.discover([Discovery(response.url, 0, skip="not html")])[0]

    def _add_items(self, docid: int, items: list[Item]) -> None:
        """Write items apart from their page. What an earlier run wrote for it is replaced, since
        the page is scraped again; what belongs to no page is only ever added to."""
        if docid and docid not in self._written:
            self.store.pages.drop_items(docid)
            self._written.add(docid)
        self.store.pages.add_items(docid, items, start=self.store.pages.item_count(docid))

    # The life of the crawl

    def _numbers(self) -> tuple[int, int, int]:
        return len(self.recording), self.recording.model.templates, self.store.urls.queued

    def _opened(self, spider: Spider) -> None:
        self._timer.start(2 * COMMIT_EVERY, now=False)
        if self.frontier is not None and self.options.progress:
            self._progress.start()

    def _closed(self, spider: Spider, reason: str) -> None:
        self._progress.stop()
        if self._timer.running:
            self._timer.stop()
        try:
            for visit in list(self._visits.values()):
                if self.frontier is None:
                    self.write(visit)
            if len(self.recording):
                self.recording.round()
                self.templates = write_outputs(
                    self.store,
                    self._stopped(reason),
                    self.options.stream_format,
                    self.crawler.settings.getwithbase("FEED_EXPORTERS"),
                )
            elif self.frontier is not None:
                raise CrawlFailed(self._why_nothing())
            self.left = self.store.urls.queued
            self.crawler.stats.set_value("tplcrawl/templates", self.recording.model.templates)
        except TplcrawlError as error:
            self.failure = error
        finally:
            self.recording.close()

    def _stopped(self, reason: str) -> str:
        """Why the crawl ended, in one word."""
        return "max-pages" if self.frontier is not None and self.frontier.full else reason

    def _why_nothing(self) -> str:
        for url, reason in self.store.urls.without_page(most=1):
            return f"nothing could be fetched: {url}: {reason}"
        return "nothing could be fetched"


def is_ours(spider: Spider) -> bool:
    """Whether *spider* takes its URLs from the store."""
    return bool(getattr(spider, "of_tplcrawl", False))
