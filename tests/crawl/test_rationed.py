"""Somebody else's spiders, whose requests keep to budgets."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tplcrawl.evaluation.sample.server import sample_answers
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, Launcher, MakePage, ReadCrawl, Serve, Web

PROJECTS = Path(__file__).parents[1] / "projects"
SITE = SampleSite(Sizes(categories=6, products=120, posts=60, threads=60, boards=3, users=40))
answer = sample_answers(SITE)
TRUTH = SITE.truth()
BUDGET = "TPLCRAWL_MAX_PAGES_PER_TEMPLATE"
OVERSHOOT = 0.2
"""Of the pages that are fetched of a small site, those beyond budgets, whether drawn at random or
predicted wrong."""


@dataclass(frozen=True)
class Run:
    """What one run of a project left."""

    folder: Path
    err: str
    asked: Counter[str]
    crawl: Crawl | None

    @cached_property
    def feed(self) -> list[dict[str, Any]]:
        text = (self.folder / "feed.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    @property
    def counts(self) -> Counter[str]:
        """Pages of each true template."""
        assert self.crawl is not None
        return Counter(TRUTH[target] for target in self.crawl.targets)

    def stat(self, name: str) -> int:
        found = re.search(rf"'{name}': (\d+)", self.err)
        return int(found[1]) if found else 0

    @property
    def errors(self) -> list[str]:
        return re.findall(r".* ERROR: .*|Traceback.*", self.err)


Runner = Callable[..., Run]


def beyond(counts: Counter[str], budget: int) -> int:
    """How many pages are more than a budget of each template."""
    return sum(max(0, pages - budget) for pages in counts.values())


@pytest.fixture(scope="module")
def run(
    run_scrapy: Launcher, read_crawl: ReadCrawl, tmp_path_factory: pytest.TempPathFactory
) -> Runner:
    """Runs a spider in a copy of a project, or once more in *again*."""

    def run(
        spider: str, web: Web, *settings: str, project: str = "rationed", again: Run | None = None
    ) -> Run:
        folder = again.folder if again else tmp_path_factory.mktemp(spider) / "project"
        if not again:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(PROJECTS / project, folder, ignore=ignored)
        words = ["crawl", spider, "-O", "feed.jsonl", "-a", f"url={web.url}"]
        for setting in settings:
            words += ["-s", setting]
        web.forget()
        environment = {"SCRAPY_SETTINGS_MODULE": f"{project}.settings"}
        done = run_scrapy(*words, cwd=folder, env=environment)
        assert done.returncode == 0, done.stderr
        crawls = list(folder.glob("crawls/*"))
        crawl = read_crawl(crawls[0]).loaded() if crawls else None
        return Run(folder, done.stderr, web.counts, crawl)

    return run


@pytest.fixture(scope="module")
def small(run: Runner, serve: Serve) -> Run:
    """Ten pages a template."""
    with serve(answer) as web:
        return run("everything", web, f"{BUDGET}=10")


def test_every_template_is_found_and_budgets_are_kept(small: Run) -> None:
    assert not small.errors
    assert set(small.counts) == set(TRUTH.values())
    assert beyond(small.counts, 10) <= OVERSHOOT * sum(small.counts.values())
    for name, pages in Counter(TRUTH.values()).items():
        assert small.counts[name] >= min(pages, 10) / 2, name


def test_budgets_are_met_exactly_where_nothing_is_drawn_and_predictions_are_right(
    run: Runner, serve: Serve
) -> None:
    """Pages under way count, of which there are up to sixteen."""
    with serve(answer) as web:
        done = run("shopper", web, f"{BUDGET}=10", "TPLCRAWL_EXPLORE=0")
    assert done.counts["product"] == 10


def test_what_was_left_out_has_its_reason_and_what_was_expected(small: Run) -> None:
    assert small.crawl is not None
    lines = small.crawl.lines("skipped.jsonl")
    assert {line["reason"] for line in lines} == {"budget"}
    assert len(lines) == small.stat("tplcrawl/held") > 150
    assert {line["url"] for line in lines}.isdisjoint(page["url"] for page in small.crawl.pages)
    found, expected = small.crawl.usual("/product/")
    assert expected == found


def test_nothing_is_left_out_without_the_setting_and_items_are_the_same(
    small: Run, run: Runner, serve: Serve
) -> None:
    with serve(answer) as web:
        plain = run("everything", web, "ADDONS={}")
        added = run("everything", web)
    assert added.crawl is not None
    assert (added.asked, len(added.feed)) == (plain.asked, len(plain.feed))
    assert set(added.crawl.targets) == set(TRUTH)
    assert not added.crawl.reasons
    assert added.stat("tplcrawl/held") == 0
    titles = {item["url"].split("/", 3)[3]: item["title"] for item in plain.feed}
    given = {item["url"].split("/", 3)[3]: item["title"] for item in small.feed}
    assert given.items() <= titles.items()
    assert small.crawl is not None
    assert len(small.feed) == len(given) == len(small.crawl.items) == len(small.crawl.pages)


def test_a_larger_budget_fetches_what_was_left_out_and_none_all(run: Runner, serve: Serve) -> None:
    with serve(answer) as web:
        few = run("everything", web, f"{BUDGET}=5")
        more = run("everything", web, f"{BUDGET}=15", again=few)
        rest = run("everything", web, again=more)
    assert few.crawl is not None
    assert more.crawl is not None
    assert rest.crawl is not None
    assert set(few.crawl.targets) < set(more.crawl.targets) < set(TRUTH)
    assert more.counts["product"] >= 15
    assert set(rest.crawl.targets) == set(TRUTH)
    assert not rest.crawl.reasons


def test_callbacks_and_arguments_are_those_of_the_spider_and_some_requests_are_never_left_out(
    run: Runner, serve: Serve
) -> None:
    with serve(answer) as web:
        done = run("shopper", web, f"{BUDGET}=10")
    assert not done.errors
    assert done.crawl is not None
    products = [item for item in done.feed if "seen_on" in item]
    assert len(products) == done.counts["product"] <= 14
    listed = {page["url"] for page in done.crawl.pages}
    assert {item["seen_on"] for item in products} < listed
    assert done.asked["/product/nowhere.html"] == 1, "a start request"
    assert done.asked["/forum/"] == len(products), "dont_filter"
    assert done.stat("downloader/request_method_count/POST") > 50


def test_random_requests_pass_all_the_same(run: Runner, serve: Serve) -> None:
    with serve(answer) as web:
        one = f"{BUDGET}=5", "CONCURRENT_REQUESTS=1"
        none = run("shopper", web, *one, "TPLCRAWL_EXPLORE=0")
        half = run("shopper", web, *one, "TPLCRAWL_EXPLORE=0.5")
    assert beyond(none.counts, 5) + 2 < beyond(half.counts, 5)


def test_pages_of_which_there_are_enough_are_fetched_for_what_they_lead_to(
    run: Runner, serve: Serve, make_html: MakePage
) -> None:
    """Five lists lead to twenty items only."""
    lists = range(40)
    table = {"/": make_html(*(f"/list/{number}" for number in lists))}
    for number in lists:
        items = [f"/item/{number}-{nth}" for nth in range(4)]
        links = "".join(f"<section><h2><a href={item}>Item</a></h2></section>" for item in items)
        form = "<form><label>Sort<input></label><button>Go</button></form>"
        table[f"/list/{number}"] = make_html("/", body=f"{form}<main>{links}</main>")
        for item in items:
            table[item] = make_html("/", body="<main><h1>Item</h1><table><td>1</table></main>")
    with serve(table) as web:
        few = run("everything", web, f"{BUDGET}=5")
        assert few.crawl is not None
        items_ = {page["template"] for page in few.crawl.pages if "/item/" in page["url"]}
        budget = {**dict.fromkeys(items_ - {None}, 80), "*": 5}
        more = run("everything", web, f"{BUDGET}={json.dumps(budget)}", again=few)
    assert more.crawl is not None
    kinds = Counter(target.split("/")[1] for target in more.crawl.targets)
    assert 75 <= kinds["item"] <= 90
    assert 19 <= kinds["list"] < 40


def test_what_waits_is_kept_from_one_run_of_a_job_to_the_next(run: Runner, serve: Serve) -> None:
    """Scrapy asks no list a second time that would lead to what was not fetched."""
    # One request at a time: which pages are met does not depend on how fast answers come.
    job = ("JOBDIR=job", "CONCURRENT_REQUESTS=1")
    with serve(answer) as web:
        begun = run("everything", web, f"{BUDGET}=10", *job, "CLOSESPIDER_PAGECOUNT=40")
        small = run("everything", web, f"{BUDGET}=10", *job, again=begun)
        more = run("everything", web, f"{BUDGET}=30", *job, again=small)
        whole = run("everything", web, f"{BUDGET}=1000", *job, again=more)
    assert not [*begun.errors, *small.errors, *more.errors, *whole.errors]
    assert sum(begun.counts.values()) < 70
    assert set(small.counts) == set(TRUTH.values())
    assert beyond(small.counts, 10) <= OVERSHOOT * sum(small.counts.values())
    assert more.counts["product"] >= 30
    assert whole.crawl is not None
    assert set(whole.crawl.targets) == set(TRUTH)
    assert set(whole.asked) < set(TRUTH)


def test_without_a_budget_what_has_waited_is_fetched(run: Runner, serve: Serve) -> None:
    """Catches leaving it in the directory of the job for good: no page would ask for it again."""
    job = ("JOBDIR=job", "CONCURRENT_REQUESTS=1")
    with serve(answer) as web:
        small = run("everything", web, f"{BUDGET}=10", *job)
        whole = run("everything", web, *job, again=small)
    assert not [*small.errors, *whole.errors]
    assert sum(small.counts.values()) < len(TRUTH) / 2
    assert whole.crawl is not None
    assert set(whole.crawl.targets) == set(TRUTH)
    assert not list((whole.folder / "job").glob("tplcrawl.queue*"))


@pytest.mark.parametrize("order", [10, -5])
def test_what_waits_has_passed_every_middleware(
    run: Runner, serve: Serve, make_html: MakePage, order: int
) -> None:
    """Catches requests that wait going round those of the project that stand further out."""
    items = [f"/item/{number}" for number in range(100, 160)]
    table = {path: make_html("/", body="<main><h1>Item</h1></main>") for path in items}
    middlewares = f'SPIDER_MIDDLEWARES={{"rationed.choosy.Even": {order}}}'
    with serve({"/": make_html(*items), **table}) as web:
        done = run("everything", web, f"{BUDGET}=20", middlewares)
    asked = [path for path in done.asked if path.startswith("/item/")]
    assert 20 <= len(asked) < 30
    assert all(path[-1] in "02468" for path in asked)


def test_requests_that_end_without_a_word_do_not_stop_the_others(
    run: Runner, serve: Serve, make_html: MakePage
) -> None:
    """More downloads fail than may be under way, and no component is told of them."""
    names = [f"/item/{number}" for number in range(60)]
    large = make_html(body="x" * 100_000)
    fit = make_html("/", body="<main><h1>Item</h1><p>Text</p></main>")

    def answer(target: str) -> Answer | None:
        if target == "/":
            return make_html(*names)
        return large if target in names[:40] else fit

    with serve(answer) as web:
        done = run("everything", web, f"{BUDGET}=70", "DOWNLOAD_MAXSIZE=50000")
    assert done.crawl is not None
    assert set(done.crawl.targets) == {"/", *names[40:]}


@pytest.mark.parametrize("settings", [(), (f"{BUDGET}=70",)])
def test_what_was_asked_for_in_vain_says_why(
    run: Runner, serve: Serve, make_html: MakePage, settings: tuple[str, ...]
) -> None:
    """Catches URLs that failed, or that no component let through, being told to wait still."""
    wanted = [f"/item/{number}" for number in range(20)]
    vain = ["/gone", "/large", "/secret", "/table", "/moved"]
    table = {
        "/": make_html(*wanted, *vain),
        "/large": make_html(body="x" * 100_000),
        "/table": Answer(b"1,2", type="text/csv"),
        "/moved": Answer(status=302, headers=(("Location", "/away"),)),
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /secret\n", type="text/plain"),
        **{path: make_html("/", body="<main>Item</main>") for path in wanted},
    }
    with serve(table) as web:
        done = run(
            "everything", web, "ROBOTSTXT_OBEY=True", "DOWNLOAD_MAXSIZE=50000", *settings
        )  # fmt: skip
    assert done.crawl is not None
    lines = done.crawl.lines("skipped.jsonl")
    assert {line["url"].removeprefix(web.url.rstrip("/")): line["reason"] for line in lines} == {
        "/gone": "http 404", "/away": "http 404", "/moved": "http 404", "/large": "too large",
        "/secret": "robots.txt", "/table": "not html",
    }  # fmt: skip
    assert done.stat("tplcrawl/failed/too large") == 1


def test_links_with_a_fragment_are_links_of_their_page(
    run: Runner, serve: Serve, make_html: MakePage
) -> None:
    """A spider asks for them as they stand in the page."""
    table = {f"/item/{name}": make_html("/", body="<main>Item</main>") for name in range(60)}
    with serve({"/": make_html(*(f"{path}#more" for path in table)), **table}) as web:
        done = run("everything", web, f"{BUDGET}=20", "TPLCRAWL_EXPLORE=0")
    assert done.crawl is not None
    assert sum(target.startswith("/item/") for target in done.crawl.targets) == 20


def test_what_leads_elsewhere_is_no_longer_under_way(
    run: Runner, serve: Serve, make_html: MakePage
) -> None:
    names = range(60)
    table = {f"/item/{name}": make_html("/", body="<main><h1>Item</h1></main>") for name in names}
    table |= {
        f"/go/{name}": Answer(status=302, headers=(("Location", f"/item/{name}"),))
        for name in names
    }
    with serve({"/": make_html(*(f"/go/{name}" for name in names)), **table}) as web:
        done = run("everything", web, f"{BUDGET}=20", "TPLCRAWL_EXPLORE=0")
    assert done.crawl is not None
    assert 15 <= sum(target.startswith("/item/") for target in done.crawl.targets) <= 40


def test_when_nothing_can_be_written_all_requests_go_their_way(run: Runner, serve: Serve) -> None:
    limits = ('EXTENSIONS={"warehouse.limits.FullDatabase": 1}', "MOST_WRITES=100")
    with serve(answer) as web:
        done = run("catalogue", web, f"{BUDGET}=3", *limits, project="warehouse")
        plain = run("catalogue", web, "ADDONS={}", project="warehouse")
    assert "database or disk is full" in done.err
    assert done.asked == plain.asked
    assert sorted(map(str, done.feed)) == sorted(map(str, plain.feed))
