"""Faults planted into the sample site, and what crawls make of them."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.evaluation.sample.faults import (
    BLOCK,
    CALENDAR,
    REDESIGN,
    REDIRECT,
    SOFT_404,
    VARIANT,
    Faults,
    FaultySite,
)
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, Serve, SiteCrawler

SIZES = Sizes(products=240, posts=80, threads=80, users=40)


def crawl_of(
    site: FaultySite, serve: Serve, crawl_site: SiteCrawler, folder: Path, *settings: str
) -> Crawl:
    lock = threading.Lock()

    def answer(target: str) -> Answer | None:
        with lock:
            html = site.html(target)
        return None if html is None else Answer(html.encode())

    with serve(answer) as web:
        return crawl_site(web.url, folder, *settings)


@pytest.mark.parametrize(
    ("faults", "kind", "recall"),
    [
        (Faults(soft_404=10), SOFT_404, 0.95),
        (Faults(redirect=10), REDIRECT, 0.95),
        (Faults(redirect=25), REDIRECT, 0.95),
        (Faults(soft_404=20), SOFT_404, 0.95),
        (Faults(block=(200, 260)), BLOCK, 0.95),
        (Faults(variant=20), VARIANT, 0.95),
        (Faults(redesign=300), REDESIGN, 0.95),
        (Faults(), None, 1.0),
    ],
)
def test_what_goes_wrong_is_told_by_its_kind_and_nothing_else_is(
    faults: Faults, kind: str | None, recall: float,
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path,
) -> None:  # fmt: skip
    site = FaultySite(SampleSite(SIZES), faults)
    crawl = crawl_of(site, serve, crawl_site, tmp_path)
    told = {target: page["mismatch"] for target, page in crawl.by_target.items()}
    found = {target for target, mismatch in told.items() if mismatch is not None}
    planted = {target for target in told if target in site.shown}
    assert {told[target] for target in found} <= {kind}
    assert len(found & planted) >= recall * len(planted)
    assert len(found - planted) <= 0.005 * len(told)
    assert crawl.coverage["mismatches"]["kinds"] == ({kind: len(found)} if found else {})


@pytest.mark.parametrize(("framed", "kind"), [(False, "login"), (True, "redirect")])
def test_a_page_that_asks_for_a_password_is_a_wall_unless_every_page_does(
    framed: bool, kind: str, serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """The page that is shown has a URL of its own, which every page links to. Catches calling it a
    redirect like any other, and calling redirects walls where there is a small form in the head."""
    site = SampleSite(SIZES)
    members = {t for n, t in enumerate(t for t in site.pages if "/product/" in t) if n % 9 == 8}
    field = "<form class=quick><input type=password name=p></form>"

    def answer(target: str) -> Answer | None:
        html = site.html("/contact.html" if target in members else target)
        if html is None:
            return None
        asks = framed or target in members or target == "/contact.html"
        return Answer(str(html).replace("<main>", "<main>" + field * asks).encode())

    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path)
    told = {t: page["mismatch"] for t, page in crawl.by_target.items() if page["mismatch"]}
    assert told == dict.fromkeys(told, kind)
    assert told.keys() <= members
    assert len(told) >= 0.95 * len(members)


def test_a_redirect_to_a_page_that_nothing_links_to_is_told_by_what_the_link_says(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Catches words of links that are lost anywhere between a page and the end of the crawl: no
    other URL shows these pages, and posts are what the site really has."""
    site = SampleSite(SIZES)
    products = [target for target in site.pages if "/product/" in target]
    posts = [target for target in site.pages if re.search(r"/blog/\d+/", target)]
    instead = dict(zip(products[40::12], posts[3:], strict=False))

    def answer(target: str) -> Answer | None:
        html = site.html(instead.get(target, target))
        if html is None:
            return None
        page = str(html)
        if target in instead:
            title = page.partition("<title>")[2].partition("</title>")[0]
            number = products.index(target)
            page = page.replace(title, f"Unheard{number} Tale{number}")
        return Answer(page.encode())

    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path)
    told = {t: page["mismatch"] for t, page in crawl.by_target.items() if page["mismatch"]}
    assert told == dict.fromkeys(told, "redirect")
    assert told.keys() <= instead.keys()
    assert len(told) >= 0.9 * len(instead) > 10


def test_a_trap_is_capped_by_a_budget_and_named(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    site = FaultySite(SampleSite(SIZES), Faults(calendar=True))
    budget = "TPLCRAWL_MAX_PAGES_PER_TEMPLATE=20"
    crawl = crawl_of(site, serve, crawl_site, tmp_path, budget)
    assert site.counts[CALENDAR] <= 40
    (trap,) = crawl.coverage["traps"]
    assert "/calendar/" in trap["url"]
    assert trap["urls"] > trap["fetched"] >= 12
    assert [one["section"] for one in crawl.coverage["findings"]].count("traps") == 1
