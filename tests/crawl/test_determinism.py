"""The same site gives the same files, byte for byte, whatever the order of its answers."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, MakePage, Serve, SiteCrawler


Answers = Callable[[str], Answer | None]
FILES = ("pages.jsonl", "templates.json", "skipped.jsonl", "streams", "coverage.json", "samples",
         "report.html")  # fmt: skip
SITE = SampleSite(Sizes(categories=4, products=50, posts=20, threads=20, boards=2, users=15))


class Order:
    """Makes a server give its answers in another order than it was asked."""

    def __init__(self) -> None:
        self._asked = 0
        self._more = threading.Condition()

    def note(self) -> None:
        with self._more:
            self._asked += 1
            self._more.notify_all()

    def wait(self, requests: int) -> None:
        """Wait until so many requests have come."""
        self.until(lambda: self._asked >= requests)

    def until(self, happened: Callable[[], bool]) -> None:
        """Wait until something has happened; not for ever, since it may wait for this answer."""
        with self._more:
            self._more.wait_for(happened, 3)


Make = Callable[[Order, bool], Answers]
"""Makes a site; it is to answer out of order in the second crawl."""


def crawls(
    make: Make, serve: Serve, crawl_site: SiteCrawler, tmp_path: Path, **arguments: object
) -> list[Crawl]:
    """Two crawls of one site under one address, whose answers come in different orders."""
    current: list[Answers] = []
    done = []
    with serve(lambda target: current[0](target)) as web:
        for late in (False, True):
            order = Order()
            site = make(order, late)

            def answer(target: str, order: Order = order, site: Answers = site) -> Answer | None:
                order.note()
                return site(target)

            current[:] = [answer]
            env = {"PYTHONHASHSEED": str(1 + late)}
            folder = tmp_path / f"crawl{late}"
            done.append(crawl_site(web.url, folder, env=env, **arguments))
    return done


def assert_same(first: Crawl, second: Crawl) -> None:
    expected, found = first.files(*FILES), second.files(*FILES)
    assert sorted(found) == sorted(expected)
    assert [name for name in found if found[name] != expected[name]] == []


def test_a_site_with_all_kinds_of_failures(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    @cache
    def html(target: str) -> Answer | None:
        text = SITE.html(target)
        if target == "/":
            return make_html("/blog/", "/forum/", "/none", "/old", "/busy", *list(SITE.pages)[1:20])
        return None if text is None else Answer(text.encode())

    def make(order: Order, late: bool) -> Answers:
        seen = Counter[str]()
        dice = random.Random(late)

        def answer(target: str) -> Answer | None:
            seen[target] += 1
            if late and len(seen) % 45 == 40:
                order.wait(len(seen) + 50)
            time.sleep(dice.choice((0, 0, 0.002, 0.01)))
            if target in ("/busy", "/blog/") and seen[target] == 1:
                return Answer(b"<h1>later</h1>", 503)
            if target == "/old":
                return Answer(status=301, headers=(("Location", "/forum/?from=old"),))
            return html(target.replace("?from=old", ""))

        return answer

    first, second = crawls(make, serve, crawl_site, tmp_path, max_pages=110)
    assert len(first.pages) == 110
    assert "http 404" in first.reasons.values()
    assert_same(first, second)


def test_links_to_media_of_which_only_some_are_tried(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    files = [f"/f{n}.pdf" for n in range(40)]
    pages = [f"/p{n}" for n in range(40)]
    home, page = make_html(*(x for two in zip(files, pages, strict=True) for x in two)), make_html()
    table = {"/": home, **dict.fromkeys(pages, page)}
    table.update(dict.fromkeys(files, Answer(b"%PDF" * 9000, type="application/pdf")))

    def make(order: Order, late: bool) -> Answers:
        def answer(target: str) -> Answer | None:
            if late and target in files[:3]:
                order.wait(40)
            return table.get(target)

        return answer

    first, second = crawls(make, serve, crawl_site, tmp_path)
    assert len(first.pages) == 41
    assert set(first.reasons) == set(files)
    assert_same(first, second)


def test_a_redirect_that_leads_back_while_others_are_under_way(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    def make(order: Order, late: bool) -> Answers:
        seen = Counter[str]()

        def answer(target: str) -> Answer | None:
            seen[target] += 1
            if late and target == "/a39":
                order.wait(80)  # until what the others lead to is under way
            if not late and target == "/a0":
                order.wait(42)  # until all others are there, so that they pass at once
            if not late and target.startswith("/b"):
                order.until(lambda: seen["/door"] > 1)
            if target == "/":
                return make_html("/door", *(f"/a{n}" for n in range(40)))
            if target == "/door" and seen[target] == 1:
                return Answer(status=302, headers=(("Location", "/key"),))
            if target == "/key":
                return Answer(status=302, headers=(("Location", "/door"),))
            if target == "/door":
                return make_html("/behind", "/")
            kind, number = target[1:2], target[2:]
            return make_html(f"/{chr(ord(kind) + 1)}{number}") if kind in "abc" else make_html("/")

        return answer

    first, second = crawls(make, serve, crawl_site, tmp_path)
    assert {"/door", "/behind"} <= set(first.targets)
    assert first.targets == second.targets
    assert_same(first, second)


def test_predictions_that_change_while_requests_are_under_way(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """One list leads to one kind of page first, then to many of another."""
    first, second = [f"/x{n}" for n in range(28)], [f"/y{n}" for n in range(90)]
    table = {path: make_html("/", body="<table><tr><td>x</table>") for path in first}
    table.update({path: make_html("/", body="<dl><dt>y<dd>z</dl>" * 3) for path in second})
    table["/"] = make_html(*first, *second)

    def make(order: Order, late: bool) -> Answers:
        def answer(target: str) -> Answer | None:
            if late and target == "/x4":
                order.wait(110)  # all are asked for before anything is known
            if not late:
                time.sleep(0.1)  # each is asked for when what came before is known
            return table.get(target)

        return answer

    one, other = crawls(make, serve, crawl_site, tmp_path)
    assert len({page["predicted"] for page in one.pages}) > 2, "this site does not try it"
    assert_same(one, other)
