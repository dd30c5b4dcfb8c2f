"""A server that has had enough after a number of requests, and crawls that are told what to do."""

from __future__ import annotations

import threading
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from tplcrawl.crawl.blocks import SLOW, Blocks
from tplcrawl.crawl.visit import Visit
from tplcrawl.evaluation.sample.faults import BLOCK, Faults, FaultySite
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.evaluation.serving import Answer
from tplcrawl.fingerprints.text_sketch import text_sketch
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Serve, SiteCrawler

SITE = SampleSite(Sizes(categories=4, products=60, posts=20, threads=20, boards=2, users=15))
IN_ORDER = "CONCURRENT_REQUESTS=1"
"""The server counts requests as they arrive: with several under way, which pages it blocks, and
what comes between them, would be chance."""
ASKED = Request("http://a.test/")
REFUSAL = Answer(b"<!doctype html><title>Forbidden</title>", 403)


def faulty(first: int, last: int, *, refusal: bool = False) -> Callable[[str], Answer | None]:
    """Answers of a site that blocks the requests from *first* to *last*."""
    site, lock = FaultySite(SITE, Faults(block=(first, last))), threading.Lock()

    def answer(target: str) -> Answer | None:
        with lock:
            html = site.html(target)
            if refusal and site.shown.get(target) == BLOCK:
                return REFUSAL
        return None if html is None else Answer(html.encode())

    return answer


@pytest.mark.parametrize("refusal", [False, True], ids=["a page", "a status"])
def test_a_crawl_that_is_to_pause_ends_and_fetches_the_rest_later(
    refusal: bool, serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    on_block = "TPLCRAWL_ON_BLOCK=pause", "RETRY_ENABLED=0", IN_ORDER
    with serve(faulty(80, 110, refusal=refusal)) as web:
        part = crawl_site(web.url, tmp_path, *on_block)
        asked = len(web.asked)
        assert part.coverage["stopped"] == "blocked"
        for _ in range(12):
            whole = crawl_site(web.url, tmp_path, *on_block)
            if whole.coverage["stopped"] != "blocked":
                break
    assert asked < 130 < len(SITE.pages), "it went on while it was blocked"
    assert whole.coverage["stopped"] == "finished"
    blocked = [page for page in whole.pages if page["mismatch"] == BLOCK]
    assert len(blocked) < 5, "what shows the block page again is not recorded"
    assert not whole.reasons
    assert len(whole.pages) == len(SITE.pages)


def test_a_crawl_that_is_to_slow_down_asks_again(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(faulty(80, 89)) as web:
        crawl = crawl_site(web.url, tmp_path, "TPLCRAWL_ON_BLOCK=slow", IN_ORDER, "RETRY_TIMES=9")
    assert len(crawl.pages) == len(SITE.pages)
    blocked = [page for page in crawl.pages if page["mismatch"] == BLOCK]
    assert len(blocked) < 5
    assert crawl.coverage["stopped"] == "finished"


def test_a_crawl_that_is_told_nothing_records_what_it_gets(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(faulty(80, 95)) as web:
        crawl = crawl_site(web.url, tmp_path, IN_ORDER)
    blocked = [page for page in crawl.pages if page["mismatch"] == BLOCK]
    assert len(blocked) >= 12
    assert crawl.coverage["stopped"] == "finished"


def test_the_delay_grows_with_what_was_asked_for_since_it_was_set(tmp_path: Path) -> None:
    """Catches a crawl that all but stops for answers of a wave that is over: each was asked for
    before the delay was set, and waited for its turn."""
    slot = SimpleNamespace(delay=0.0)
    downloader = SimpleNamespace(slots={"a.test": slot})
    stats = SimpleNamespace(inc_value=lambda name: None)
    crawler = SimpleNamespace(engine=SimpleNamespace(downloader=downloader), stats=stats)
    with Store(tmp_path) as store:
        blocks = Blocks(crawler, SLOW, store, None)  # type: ignore[arg-type]

        def come(when: float) -> None:
            wall = HtmlResponse("http://a.test/", body=b"<h1>Enough</h1>", request=ASKED)
            visit = Visit(wall, lambda visit: None, came=when)
            visit.denial = text_sketch(wall.selector.root)
            blocks.look(visit)

        began = monotonic()
        for _ in range(40):
            come(began)
        assert slot.delay == 0.25
        come(monotonic())
        assert slot.delay == 0.5
