"""What a crawl does when a site has had enough of it (``TPLCRAWL_ON_BLOCK``)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.utils.defer import deferred_from_coro

from tplcrawl.clustering.waves import Waves
from tplcrawl.crawl.failures import BLOCKED
from tplcrawl.crawl.frontier import Frontier
from tplcrawl.crawl.meta import DOCID
from tplcrawl.crawl.visit import Visit
from tplcrawl.fingerprints.text_sketch import text_sketch
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

IGNORE, SLOW, PAUSE = "ignore", "slow", "pause"
ON_BLOCK = (IGNORE, SLOW, PAUSE)

REFUSALS = frozenset((403, 429))
"""Answers that say by their status that the site has had enough."""

_FIRST, _LONGEST = 0.25, 60.0
"""Seconds between two requests when a wave begins, and at most: they double while it lasts."""

_WINDOW = 16
"""Requests that may be under way: none of them can be taken back when a wave begins."""

_GOOD = 5
"""Pages as they should be, after which the delay is halved."""


class Blocks:
    """Watches the answers for block waves, and slows the crawl down or ends it."""

    def __init__(
        self, crawler: Crawler, on_block: str, store: Store, frontier: Frontier | None
    ) -> None:
        self._crawler = crawler
        self._store = store
        self._frontier = frontier
        self._on_block = on_block
        if frontier is not None and on_block != IGNORE:
            frontier.window = _WINDOW
        known = store.meta("block_page")
        self._waves = Waves(bytes.fromhex(str(known)) if known is not None else None)
        self._told = 0
        self._delay = 0.0
        self._usual: dict[str, float] = {}
        self._since = 0.0
        self._good = 0
        self.paused = False
        """Whether the crawl ends because of a wave."""

    def look(self, visit: Visit) -> bool:
        """Look at a page; return whether it is one of a wave."""
        if self._on_block == IGNORE:
            return False
        page = visit.response
        text = visit.denial or text_sketch(page.selector.root, page.url)
        return self._note(
            text, denied=visit.denial is not None, asked=_asked(page.meta, visit.came)
        )

    def refused(self, request: Request, status: int | None) -> bool:
        """Look at an answer that is no page; return whether the site refuses to give one, for now:
        then it is seen to."""
        if self._on_block == IGNORE or status not in REFUSALS or self._frontier is None:
            return False
        if not self._note(None, denied=True, asked=_asked(request.meta, monotonic())):
            # It may be the first of a wave: a later run asks again.
            self._frontier.failed(request.meta[DOCID], BLOCKED, status)
            return True
        return self._put_off(request)

    def put_off(self, visit: Visit) -> bool:
        """Let a page of a wave be asked for once more, or when the crawl goes on; return whether
        it is one."""
        request = visit.response.request
        return visit.blocked and request is not None and self._put_off(request)

    def _put_off(self, request: Request) -> bool:
        if self._frontier is None:
            return False
        docid = request.meta[DOCID]
        if self.paused:
            self._frontier.give_up(docid)
            return True
        assert self._crawler.spider is not None
        again = get_retry_request(request, spider=self._crawler.spider, reason=BLOCKED)
        if again is None:
            self._frontier.failed(docid, BLOCKED)
        else:
            self._crawler.engine.crawl(again)
        return True

    def _note(self, text: bytes | None, *, denied: bool, asked: float) -> bool:
        found = self._waves.note(text, denied=denied)
        if found:
            self._react(asked)
        elif self._delay:
            self._recover()
        return found

    def _react(self, asked: float) -> None:
        """A page of a wave came that was *asked* for at that time."""
        if self._waves.count > self._told:
            self._told = self._waves.count
            self._store.set_meta("block_page", (self._waves.known or b"").hex())
            self._crawler.stats.inc_value("tplcrawl/block_waves")
            logger.warning(
                "The site answers everything with one page: it seems to block this crawl"
            )
        if self._on_block == PAUSE and not self.paused:
            self.paused = True
            deferred_from_coro(self._crawler.engine.close_spider_async(reason=BLOCKED))
        elif self._on_block == SLOW:
            self._good = 0
            # What was under way when the delay was set says nothing of it, however late it comes.
            if asked >= self._since:
                self._since = monotonic()
                self._delay = min(max(_FIRST, 2 * self._delay), _LONGEST)
            self._set()

    def _recover(self) -> None:
        self._good += 1
        if self._good >= _GOOD:
            self._good = 0
            self._delay = self._delay / 2 if self._delay > _FIRST else 0.0
        self._set()

    def _set(self) -> None:
        """Let the downloader wait; AutoThrottle would shorten the delay with each answer."""
        for name, slot in self._crawler.engine.downloader.slots.items():
            usual = self._usual.setdefault(name, slot.delay)
            slot.delay = max(self._delay, usual)


def _asked(meta: Mapping[str, Any], came: float) -> float:
    """When the answer that *came* then was asked for."""
    return came - float(meta.get("download_latency", 0.0))
