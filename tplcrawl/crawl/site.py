"""The ``site`` spider: crawls a site it has never seen and finds its templates."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit
from urllib.request import getproxies

from scrapy import Request, Spider, signals
from scrapy.exceptions import StopDownload
from scrapy.http import Response

from tplcrawl.crawl.cookies import stay_offline
from tplcrawl.crawl.items import PageItem
from tplcrawl.crawl.meta import DOCID, TEMPLATE
from tplcrawl.crawl.resolver import GUARD
from tplcrawl.crawl.session import Session
from tplcrawl.errors import UsageError
from tplcrawl.page.site import Site, start_url
from tplcrawl.store.urls import DENIED, DEPTH

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http.headers import Headers

_BETWEEN_URLS = re.compile(r"[,\s]+(?=https?://|[\w.-]+\.\w+(?:[:/?,\s]|$)|localhost\b)")
_SMALL = 100_000
"""Bytes that are loaded rather than losing the connection."""
_HTML = (b"text/html", b"application/xhtml+xml")


class SiteSpider(Spider):
    """Follows every inner-site link, breadth first.

    ``-a url=URL[,URL…]``
        where to start; the hosts of these URLs are the site.
    ``-a max_pages=N``
        stop after N pages of HTML.
    ``-a allow=PATTERN``, ``-a deny=PATTERN``
        fetch only URLs in which the regular expression is found, or is not. Start pages are always
        fetched.
    ``-a subdomains=1``
        let hosts below the start hosts be part of the site.
    ``-a samples=N``
        fetch N pages of each template, and no more than it takes to find them.
    ``-a like=URL[,URL…]``
        fetch all pages of these pages' templates, and as few others as possible.
    """

    name = "site"
    of_tplcrawl = True
    custom_settings: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "SCHEDULER": "tplcrawl.crawl.scheduler.StoreScheduler",
        # A page that refreshes to another one is a page too; its target is one of its links.
        "METAREFRESH_ENABLED": False,
        # Pages wait for their turn: that must not keep the one they wait for from being asked for.
        "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 512_000_000,
        # Scrapy starts so many tasks for each page; one item comes of it.
        "CONCURRENT_ITEMS": 1,
    }

    def __init__(
        self,
        url: str = "",
        max_pages: str | int | None = None,
        allow: str | None = None,
        deny: str | None = None,
        subdomains: str | bool = False,
        samples: str | int | None = None,
        like: str = "",
        **arguments: Any,
    ) -> None:
        if arguments:
            known = "url, max_pages, allow, deny, subdomains, samples, like"
            raise UsageError(
                f"there is no argument {', '.join(sorted(arguments))}; there are: {known}"
            )
        super().__init__()
        self.start_urls = _urls(url)
        if not self.start_urls:
            raise UsageError("where to start? Say so with -a url=http://…")
        self.like = tuple(_urls(like))
        self.subdomains = _flag("subdomains", subdomains)
        site = Site(self.start_urls, subdomains=self.subdomains)
        for given in self.like:
            if not site.covers(urlsplit(given)):
                raise UsageError(f"like names a page of another site than url: {given}")
        self.samples = _count("samples", samples)
        if self.like and self.samples:
            raise UsageError("samples and like cannot be had together")
        self.max_pages = _count("max_pages", max_pages)
        self._allow = _pattern("allow", allow)
        self._deny = _pattern("deny", deny)
        self._most_depth = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> SiteSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider._most_depth = crawler.settings.getint("DEPTH_LIMIT")
        stay_offline()
        GUARD.name([*spider.start_urls, *spider.like, *getproxies().values()])
        crawler.signals.connect(spider._headers_received, signals.headers_received)
        return spider

    def skip(self, url: str, depth: int) -> str | None:
        """Why a link to *url* is not followed, if it is not."""
        if self._most_depth and depth > self._most_depth:
            return DEPTH
        if self._allow is not None and not self._allow.search(url):
            return DENIED
        if self._deny is not None and self._deny.search(url):
            return DENIED
        return None

    async def start(self) -> AsyncIterator[Any]:
        """The scheduler has the start pages already."""
        nothing: tuple[Any, ...] = ()
        for request in nothing:
            yield request

    async def parse(self, response: Response, **kwargs: Any) -> AsyncIterator[PageItem]:
        visit = await Session.of(self.crawler).turn(response)
        if visit is None or visit.page is None or visit.blocked:
            return
        yield PageItem(visit.page.profile.summary(response.meta.get(TEMPLATE)))

    def _headers_received(self, headers: Headers, request: Request) -> None:
        """Do not load what is no page, if it is large: its connection is lost with it. Redirects
        and errors come in any type, and the status is not known here: this is no failure."""
        kind = headers.get(b"Content-Type")
        if DOCID not in request.meta or not kind or kind.lower().lstrip().startswith(_HTML):
            return
        length = headers.get(b"Content-Length") or b""
        if not length.isdigit() or len(length) > 9 or int(length) > _SMALL:
            raise StopDownload(fail=False)


def _urls(text: str) -> list[str]:
    parts = (part.strip(", \t\r\n") for part in _BETWEEN_URLS.split(text))
    return [start_url(part) for part in parts if part]


def _count(name: str, text: str | int | None) -> int | None:
    if text is None or text == "":
        return None
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise UsageError(f"{name} must be a number above 0, not {text!r}")
    return number


def _flag(name: str, text: str | bool) -> bool:
    word = str(text).strip().lower()
    if word not in ("1", "true", "yes", "0", "false", "no", ""):
        raise UsageError(f"{name} is 1 or 0, not {text!r}")
    return word in ("1", "true", "yes")


def _pattern(name: str, text: str | None) -> re.Pattern[str] | None:
    if not text:
        return None
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(f"{name} is not a regular expression: {text!r} ({error})") from None
