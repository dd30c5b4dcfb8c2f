"""Somebody else's project, in which nothing but one line has been added."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, Launcher, MakePage, ReadCrawl, Serve, Web

PROJECT = Path(__file__).parents[1] / "projects" / "warehouse"
SITE = SampleSite(
    Sizes(categories=3, products=24, posts=10, threads=8, boards=2, users=8, authors=2, tags=3)
)
STUCK = 90
ENVIRONMENT = {"SCRAPY_SETTINGS_MODULE": "warehouse.settings"}


@cache
def shop(target: str) -> Answer | None:
    """The sample site, with an API beside it."""
    if target.startswith("/api/"):
        number = int(target[5:-5])
        following = f"/api/{number + 1}.json" if number < 4 else None
        told = {"numbers": [number, number + 1], "next": following}
        return Answer(json.dumps(told).encode(), type="application/json")
    if target == "/broken":
        return Answer(b"<h1>Broken</h1>", 500)
    html = SITE.html(target)
    return None if html is None else Answer(html.encode())


@dataclass(frozen=True)
class Run:
    """What one run of the project left."""

    folder: Path
    err: str
    asked: Counter[str]

    @cached_property
    def feed(self) -> list[dict[str, Any]]:
        """The items that the project itself has exported."""
        text = (self.folder / "feed.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    @cached_property
    def bag(self) -> Counter[str]:
        return as_bag(self.feed)

    @property
    def complaints(self) -> list[str]:
        """The lines of the log that warn or tell of an error."""
        return [line for line in self.err.splitlines() if re.search(r" (WARNING|ERROR): ", line)]


def as_bag(items: list[dict[str, Any]]) -> Counter[str]:
    return Counter(json.dumps(item, sort_keys=True) for item in items)


Runner = Callable[..., Run]


@pytest.fixture(scope="module")
def run(run_scrapy: Launcher, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """Runs a spider in a copy of the project."""

    def run(spider: str, web: Web, *settings: str, others: str = "") -> Run:
        folder = tmp_path_factory.mktemp(spider) / "project"
        shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__"))
        taken = folder / "taken"
        taken.mkdir()
        with closing(sqlite3.connect(taken / "crawl.db")) as database:
            database.execute("CREATE TABLE somebody (elses TEXT)")
        words = ["crawl", spider, "-O", "feed.jsonl", "-a", f"url={web.url}{others}"]
        for setting in settings:
            words += ["-s", setting]
        web.forget()
        done = run_scrapy(*words, cwd=folder, env=ENVIRONMENT, timeout=STUCK)
        assert done.returncode == 0, done.stderr
        return Run(folder, done.stderr, web.counts)

    return run


@pytest.fixture(scope="module", params=["catalogue", "api", "styles"])
def both(
    request: pytest.FixtureRequest, run: Runner, serve: Serve, make_html: MakePage
) -> tuple[str, Run, Run]:
    """A spider's name, and its runs without the add-on and with it."""
    everywhere = make_html(*(f"/leaf/{number}" for number in range(12)))
    answer = shop if request.param != "styles" else lambda target: everywhere
    with serve(answer) as web:
        return request.param, run(request.param, web, "ADDONS={}"), run(request.param, web)


def recorded(run: Run, read_crawl: ReadCrawl) -> Crawl:
    """The one crawl that is remembered in the project."""
    (folder,) = (run.folder / "crawls").iterdir()
    return read_crawl(folder)


def test_the_spider_gives_the_same_items_and_makes_the_same_requests(
    both: tuple[str, Run, Run],
) -> None:
    _, plain, added = both
    assert len(plain.feed) > 15
    assert added.bag == plain.bag
    assert added.asked == plain.asked
    assert not (plain.folder / "crawls").exists()


def test_nothing_more_is_complained_of_than_without(both: tuple[str, Run, Run]) -> None:
    _, plain, added = both
    words = [sorted(line.split("]", 1)[1] for line in run.complaints) for run in (plain, added)]
    assert words[0] == words[1]


def test_each_item_stands_once_in_the_streams(
    both: tuple[str, Run, Run], read_crawl: ReadCrawl
) -> None:
    _, _, added = both
    crawl = recorded(added, read_crawl)
    assert as_bag(crawl.items) == added.bag
    assert crawl.coverage["items"] == len(added.feed)


def test_every_page_of_html_is_recorded_once(
    both: tuple[str, Run, Run], read_crawl: ReadCrawl
) -> None:
    name, _, added = both
    crawl = recorded(added, read_crawl)
    pages = {
        target for target in added.asked
        if not target.startswith(("/api", "/broken", "/gone", "/robots"))
    }  # fmt: skip
    if name == "styles":
        pages.remove("/leaf/9")  # fetched past the spider middlewares
    assert set(crawl.by_target) == pages


def test_items_stand_with_the_template_of_their_page(
    both: tuple[str, Run, Run], read_crawl: ReadCrawl
) -> None:
    name, _, added = both
    crawl = recorded(added, read_crawl)
    known = {page["url"]: page["template"] or "unassigned" for page in crawl.pages}
    for template, items in crawl.streams.items():
        for item in items:
            if "url" in item:
                assert known[item["url"]] == template
    if name == "catalogue":
        kinds = {path: SITE.pages[path].template for path in crawl.by_target}
        templates = {(kinds[target], page["template"]) for target, page in crawl.by_target.items()}
        products = {template for kind, template in templates if kind == "product"}
        assert len(products) == 1
        assert products.isdisjoint(template for kind, template in templates if kind != "product")
    if name == "api":
        origins = Counter(item["from"] for item in crawl.streams["unassigned"])
        assert origins == {"start": 1, "json": 8, "errback": 2}


def test_pipelines_have_had_their_say(both: tuple[str, Run, Run], read_crawl: ReadCrawl) -> None:
    name, _, added = both
    if name != "catalogue":
        pytest.skip("only the catalogue has items that are dropped")
    items = recorded(added, read_crawl).items
    stocks = [item["stock"] for item in items if "stock" in item]
    assert len(stocks) < 24, "some are sold out"
    assert not {0, 7} & set(stocks)
    assert all(item["checked"] for item in items if "stock" in item)
    assert all(item["sku"] == item["sku"].upper() for item in items if "sku" in item)


def test_failing_callbacks_cost_their_pages_nothing(
    both: tuple[str, Run, Run], read_crawl: ReadCrawl
) -> None:
    name, _, added = both
    if name != "styles":
        pytest.skip("only this spider has callbacks that fail")
    crawl = recorded(added, read_crawl)
    assert {"/midway", "/amidway", "/atonce", "/nothing", "/nones"} <= set(crawl.targets)
    ways = Counter(item["way"] for item in crawl.items)
    assert (ways["midway"], ways["amidway"], ways["nones"], ways["again"]) == (1, 1, 1, 3)


def test_what_is_no_page_is_told_of_with_its_reason(
    both: tuple[str, Run, Run], read_crawl: ReadCrawl
) -> None:
    """The store records what became of every URL, whoever fetched it."""
    name, _, added = both
    if name != "api":
        pytest.skip("only the API has answers that are no pages")
    reasons = recorded(added, read_crawl).reasons
    assert reasons["/gone"] == "http 404"
    assert reasons["/broken"] == "http 500"
    assert reasons["/api/1.json"] == "not html"


def test_requests_carry_where_they_come_from(
    run: Runner, serve: Serve, read_crawl: ReadCrawl
) -> None:
    site = SampleSite(Sizes(categories=3, products=60, posts=20, threads=30, boards=2, users=20))

    def answer(target: str) -> Answer | None:
        html = site.html(target)
        return None if html is None else Answer(html.encode())

    with serve(answer) as web:
        done = run("witness", web)
    crawl = recorded(done, read_crawl)
    first, *others = done.feed
    assert first.keys() == {"url", "tplcrawl_template"}
    assert first["tplcrawl_template"] is None, "too early to tell"
    for item in others:
        assert re.fullmatch(r"(/[a-z0-9]+)+/a", item["tplcrawl_location"])
        assert "tplcrawl_template" in item
        assert ("tplcrawl_predicted" in item) == ("tplcrawl_confidence" in item)
    locations = {page["url"]: page["location"] for page in crawl.pages}
    told = {item["url"]: item["tplcrawl_location"] for item in others}
    del told[first["url"]]  # the start page, fetched again for a link
    assert told == {url: location for url, location in locations.items() if location}
    known = [item for item in others if "tplcrawl_predicted" in item]
    right = [item for item in known if item["tplcrawl_predicted"] == item["tplcrawl_template"]]
    assert len(known) > 10
    assert len(right) > len(known) / 2
    assert all(0 < item["tplcrawl_confidence"] <= 1 for item in known)
    assert all(item["tplcrawl_template"] for item in others[-10:])


def test_redirects_are_told_under_the_add_on_too(
    run: Runner, serve: Serve, make_html: MakePage, read_crawl: ReadCrawl
) -> None:
    table = {
        "/": make_html("/old", "/page"),
        "/old": Answer(status=301, headers=(("Location", "/new"),)),
        "/new": make_html("/"),
        "/page": make_html("/"),
    }
    with serve(table) as web:
        crawl = recorded(run("witness", web), read_crawl)
    assert sorted(crawl.targets) == ["/", "/new", "/page"]
    assert str(crawl.by_target["/new"]["redirected_from"]).endswith("/old")
    assert "/old" not in crawl.reasons


def test_a_second_run_replaces_the_items_of_the_first(
    run: Runner, run_scrapy: Launcher, serve: Serve, read_crawl: ReadCrawl
) -> None:
    with serve(shop) as web:
        done = run("catalogue", web)
        words = ("crawl", "catalogue", "-a", f"url={web.url}")
        assert run_scrapy(*words, cwd=done.folder, env=ENVIRONMENT).returncode == 0
    assert as_bag(recorded(done, read_crawl).items) == done.bag


FAULTS = {
    "a directory below a file": "TPLCRAWL_DIR=scrapy.cfg/below",
    "a wrong value": "TPLCRAWL_METHOD=magic",
    "a wrong format": "TPLCRAWL_STREAM_FORMAT=papyrus",
    "somebody else's database": "TPLCRAWL_DIR=taken",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_of_ours_stops_no_spider_and_is_told(
    run: Runner, serve: Serve, fault: str
) -> None:
    with serve(shop) as web:
        done = run("api", web, FAULTS[fault])
    assert len(done.feed) == 17
    assert [line for line in done.complaints if "tplcrawl" in line], "nobody is told"
    assert "Traceback" not in done.err


def test_it_can_be_switched_off(run: Runner, serve: Serve) -> None:
    with serve(shop) as web:
        done = run("api", web, "TPLCRAWL_ENABLED=False")
    assert len(done.feed) == 17
    assert not (done.folder / "crawls").exists()
    assert done.complaints == []
    assert "tplcrawl/pages" not in done.err


def test_a_full_disk_costs_the_spider_nothing(
    run: Runner, serve: Serve, make_html: MakePage
) -> None:
    """The database cannot grow any more in the midst of the crawl."""
    text = " ".join(f"<p class=w{number}>{number}</p>" for number in range(4000))
    page = make_html(*(f"/{number}" for number in range(25)), body=text)
    limits = ('EXTENSIONS={"warehouse.limits.FullDisk": 1}', "MOST_BYTES=200000")
    with serve(lambda target: page) as web:
        done = run("witness", web, *limits)
    assert len(done.feed) == 26
    assert [line for line in done.complaints if "disk" in line or "tplcrawl" in line]


def test_pages_are_recorded_while_the_crawl_goes_on_even_if_callbacks_fail(
    run_scrapy: Launcher, serve: Serve, make_html: MakePage, tmp_path: Path
) -> None:
    """A page whose callback fails at once must not be kept in memory until the end."""
    folder = tmp_path / "project"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    enough = threading.Event()
    page = make_html("/")

    def answer(target: str) -> Answer | None:
        if target == "/slow":
            enough.wait(STUCK)
        return page

    def recorded() -> int:
        database = folder / "crawl" / "crawl.db"
        if not database.exists():
            return 0
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as rows:
            count: int = rows.execute("SELECT count(*) FROM page").fetchone()[0]
            return count

    with serve(answer) as web:
        urls = " ".join(f"{web.url}{name}" for name in (*range(10), "slow"))
        words = ["crawl", "failing", "-a", f"urls={urls}", "-s", "TPLCRAWL_DIR=crawl"]
        with run_scrapy.start(
            *words, cwd=folder, env=ENVIRONMENT, stderr=subprocess.DEVNULL
        ) as process:
            web.wait(10)
            for _ in range(100):
                if (count := recorded()) == 10:
                    break
                time.sleep(0.1)
            enough.set()
            process.send_signal(signal.SIGKILL)
    assert count == 10


def test_start_urls_that_are_none_do_not_stop_the_others(run: Runner, serve: Serve) -> None:
    """Scrapy logs an error for them and goes on."""
    with serve({}) as web:
        done = run("witness", web, "HTTPERROR_ALLOW_ALL=True", others=" http://127.0.0.1:port/")
    assert [item["url"] for item in done.feed] == [web.url]
