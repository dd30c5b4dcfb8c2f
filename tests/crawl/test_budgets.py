"""Crawls that spend themselves by template, of the sample site."""

from __future__ import annotations

import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from tplcrawl.evaluation.sample.server import sample_answers
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.evaluation.serving import NOT_FOUND, Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, MakePage, Serve, SiteCrawler, Web

SITE = SampleSite(Sizes(categories=6, products=120, posts=60, threads=60, boards=3, users=40))
answer = sample_answers(SITE)
TRUTH = SITE.truth()
BUDGET = "TPLCRAWL_MAX_PAGES_PER_TEMPLATE"
FILES = ("pages.jsonl", "templates.json", "skipped.jsonl", "coverage.json")
ITEM = "<article><h1>An item</h1><p>Text<p>More<table><tr><td>1<td>2</table></article>" * 3
TAG = "<nav><ol><li><b>A tag</b><li><i>of items</i></ol></nav><dl><dt>Filter</dl>" * 3
NOTE = "<h1>A note</h1><ul><li>a<li>b</ul><form><input></form>" * 3
"""What pages of three templates show."""


def page_of(web: Web, template: str) -> str:
    """The URL of a page."""
    return web.url + next(path for path, name in TRUTH.items() if name == template)[1:]


def parted(target: str) -> tuple[str, str]:
    """The kind and the number of ``/kind/number.html``."""
    kind, _, number = target.strip("/").removesuffix(".html").partition("/")
    return kind, number


def items_and_tags(
    make_html: MakePage, links: Callable[[str, int], Sequence[str]]
) -> Callable[[str], Answer]:
    """Pages that link to what *links* says of their kind and number; that of kind ``""`` is the
    home page."""

    def page(target: str) -> Answer:
        kind, number = parted(target)
        body = ITEM if kind == "item" else TAG
        return make_html(*links(kind, int(number or 0)), title=f"{kind} {number}", body=body)

    return page


def fetched(crawl: Crawl) -> Counter[str]:
    """Pages of each true template."""
    return Counter(TRUTH[target] for target in crawl.targets)


@pytest.fixture(scope="module")
def small(serve: Serve, crawl_site: SiteCrawler, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """A crawl with ten pages a template."""
    with serve(answer) as web:
        return crawl_site(web.url, tmp_path_factory.mktemp("budget"), f"{BUDGET}=10")


def test_every_template_is_found_with_a_part_of_the_pages(small: Crawl) -> None:
    counts = fetched(small)
    total = Counter(TRUTH.values())
    assert {name for name, pages in total.items() if pages >= 5} <= set(counts)
    assert sum(counts.values()) < len(TRUTH) / 2
    for name in ("product", "post", "thread", "user"):
        assert 10 <= counts[name] <= 30, name


def test_what_was_left_out_has_its_reason_and_what_was_expected(small: Crawl) -> None:
    lines = small.lines("skipped.jsonl")
    assert {line["reason"] for line in lines} == {"budget"}
    assert {line["url"] for line in lines}.isdisjoint(page["url"] for page in small.pages)
    assert small.coverage["states"]["held"] == len(lines) > 100
    found, expected = small.usual("/product/")
    assert expected == found


@pytest.mark.parametrize("slow", [0, 1])
def test_fetches_do_not_depend_on_how_fast_answers_come(
    slow: int, serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Some answers are late, once these and once those, pages as well as errors and redirects,
    which come without having waited for a parser."""
    late = 0
    moved = Answer(
        status=302,
        headers=(("Location", next(path for path, name in TRUTH.items() if name == "post")),),
    )

    def patchy(target: str) -> Answer | None:
        number = crc32(target.encode())
        time.sleep(0.03 * late * (number % 2 == slow))
        if TRUTH.get(target) == "product" and number % 3:
            return NOT_FOUND if number % 3 == 1 else moved
        return answer(target)

    settings = f"{BUDGET}=8", "TPLCRAWL_EXPLORE=0.2"
    with serve(patchy) as web:
        one = crawl_site(web.url, tmp_path / "1", *settings, "CONCURRENT_REQUESTS=1")
        late = 1
        two = crawl_site(web.url, tmp_path / "2", *settings, "CONCURRENT_REQUESTS=16")
    assert {"http 404"} <= set(one.reasons.values())
    assert one.files(*FILES) == two.files(*FILES)


@pytest.mark.parametrize("aim", ["budget", "like"])
def test_what_a_crawl_that_was_cut_short_left_is_not_called_needless(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path, aim: str
) -> None:
    """Catches hundreds of URLs being told to be beyond budgets that no template has reached."""
    with serve(answer) as web:
        wanted = {"like": page_of(web, "product")} if aim == "like" else {}
        settings = () if wanted else (f"{BUDGET}=300",)
        crawl = crawl_site(web.url, tmp_path, *settings, max_pages="50", **wanted)
    assert set(crawl.reasons.values()) == {"max-pages"}
    assert crawl.coverage["states"]["queued"] > 100
    assert "URLs left" in crawl.out


def test_a_larger_budget_fetches_what_was_left_out_and_none_all(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(answer) as web:
        few = crawl_site(web.url, tmp_path, f"{BUDGET}=5")
        more = crawl_site(web.url, tmp_path, f"{BUDGET}=15")
        web.forget()
        rest = crawl_site(web.url, tmp_path)
        asked = {*web.counts} - {"/robots.txt"}
    assert set(few.targets) < set(more.targets) < set(rest.targets) == set(TRUTH)
    assert asked == set(TRUTH) - set(more.targets)
    assert fetched(more)["product"] >= 15
    assert not rest.reasons


def test_a_killed_crawl_keeps_to_its_budget(
    small: Crawl, serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """It finds the same templates, and spends little more than the crawl that nobody killed."""
    with serve(answer) as web:
        for requests in (30, 40):
            code = crawl_site.stopped(
                web, tmp_path, requests, signal.SIGKILL, f"{BUDGET}=10", "CONCURRENT_REQUESTS=4"
            )
            assert code == -signal.SIGKILL
        crawl = crawl_site(web.url, tmp_path, f"{BUDGET}=10")
    assert len(set(crawl.targets)) == len(crawl.targets)
    counts, before = fetched(crawl), fetched(small)
    assert set(counts) == set(before)
    assert sum(counts.values()) <= 1.2 * sum(before.values())


def test_budgets_by_name_and_id(serve: Serve, crawl_site: SiteCrawler, tmp_path: Path) -> None:
    with serve(answer) as web:
        crawl_site(web.url, tmp_path, max_pages=100)
        crawl = crawl_site(web.url, tmp_path, f"{BUDGET}=product=40,prodct=4,*=3")
    assert crawl.err.count("\n") == 1
    assert "no template is called prodct" in crawl.err
    counts = fetched(crawl)
    assert counts["product"] >= 36
    assert sum(counts.values()) < 220


def test_pages_like_one_are_found_with_few_others(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path, like=page_of(web, "product"))
    counts = fetched(crawl)
    total = Counter(TRUTH.values())
    assert counts["product"] >= 0.95 * total["product"]
    assert sum(counts.values()) <= 1.6 * total["product"]
    assert set(crawl.reasons.values()) == {"like"}
    told = crawl.coverage["search"]
    assert told["pages"] == counts["product"]
    assert told["asked"] >= len(crawl.pages)
    assert told["curve"][-1]["found"] == told["pages"]
    assert f"{told['pages']} pages like the one given" in crawl.out


def test_a_search_for_a_page_that_is_none_says_so(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Catches a whole site being crawled for a mistyped URL without a word."""
    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path, like=f"{web.url}no/such/page.html")
        assert len(web.asked) < 40
    assert "Nothing was found like the page given" in crawl.out
    assert "no/such/page.html" in crawl.out.replace("\n", "")


def test_a_search_for_few_pages_tries_nothing_that_is_likely_to_be_something_else(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(answer) as web:
        given = page_of(web, "board")
        crawl = crawl_site(web.url, tmp_path, "TPLCRAWL_EXPLORE=0", like=given)
    counts = fetched(crawl)
    assert counts["board"] == Counter(TRUTH.values())["board"] == 6
    assert sum(counts.values()) <= 75


def test_a_search_that_has_ended_hardly_goes_on_when_it_is_taken_up_again(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Catches forgetting what has led nowhere: everything that was left would be tried again."""
    with serve(answer) as web:
        given = page_of(web, "product")
        crawl_site(web.url, tmp_path, like=given, max_pages=100)
        ended = crawl_site(web.url, tmp_path, like=given)
        again = crawl_site(web.url, tmp_path, like=given)
    assert fetched(ended)["product"] == Counter(TRUTH.values())["product"]
    assert len(ended.reasons) > 40
    assert len(again.pages) <= len(ended.pages) + 10


def test_a_search_leaves_what_only_leads_back(
    serve: Serve, crawl_site: SiteCrawler, make_html: MakePage, tmp_path: Path
) -> None:
    """Of items that are gone, redirects teach no prediction. Catches asking for all of them, and
    leaving them queued, as if the search were not at its end."""

    def page(target: str) -> Answer:
        if target == "/":
            return make_html(*(f"/item/{n}.html" for n in range(240)), title="Items")
        number = re.fullmatch(r"/item/(\d+).html", target)
        if number and int(number[1]) < 40:
            return make_html("/", title=f"Item {number[1]}", body=ITEM)
        return Answer(status=302, headers=(("Location", "/"),)) if number else NOT_FOUND

    with serve(page) as web:
        crawl = crawl_site(web.url, tmp_path, like=f"{web.url}item/7.html")
    assert set(crawl.targets) == {"/", *(f"/item/{number}.html" for number in range(40))}
    assert crawl.coverage["states"]["redirected"] < 110
    assert crawl.coverage["states"]["queued"] == 0
    assert set(crawl.reasons.values()) == {"like"}


def test_a_search_asks_no_list_for_what_the_pages_themselves_lead_to(
    serve: Serve, crawl_site: SiteCrawler, make_html: MakePage, tmp_path: Path
) -> None:
    """Each of 200 tags shows twelve items, and items lead to all others. Catches going through tags
    because they show most that is new, where items that wait would have shown it."""

    def links(kind: str, number: int) -> list[str]:
        if kind == "tag":
            return [f"/item/{(number * 37 + n * 53) % 400}.html" for n in range(12)]
        if kind == "item":
            return [f"/item/{(number + n) % 400}.html" for n in (1, 7, 31, 90, 133)]
        return ["/item/0.html", *(f"/tag/{n}.html" for n in range(200))]

    with serve(items_and_tags(make_html, links)) as web:
        crawl = crawl_site(web.url, tmp_path, "TPLCRAWL_EXPLORE=0", like=f"{web.url}item/7.html")
        asked = [target.split("/")[1] for target in web.asked]
    assert sum("/item/" in target for target in crawl.targets) == 400
    last = len(asked) - asked[::-1].index("item")
    assert asked[:last].count("tag") <= 55


def test_a_search_goes_on_where_the_first_lists_led_nowhere(
    serve: Serve, crawl_site: SiteCrawler, make_html: MakePage, tmp_path: Path
) -> None:
    """Of 240 tags, every sixth leads to an item. Catches an end after the first twenty of them,
    because hardly any led to items, although nothing else leads on and little was asked for."""

    def links(kind: str, number: int) -> list[str]:
        if kind == "tag":
            return [] if number % 6 else [f"/item/{number}.html"]
        return [f"/tag/{n}.html" for n in range(240)] if kind == "" else []

    with serve(items_and_tags(make_html, links)) as web:
        crawl = crawl_site(web.url, tmp_path, "TPLCRAWL_EXPLORE=0", like=f"{web.url}item/6.html")
    assert sum("/item/" in target for target in crawl.targets) == 40


def test_a_search_does_not_end_before_it_has_tried_what_looks_like_the_page_given(
    serve: Serve, crawl_site: SiteCrawler, make_html: MakePage, tmp_path: Path
) -> None:
    """Each of 40 folders has a list, which leads to sixty notes and, at the same place, to a frame.
    Catches an end with the one that was given: the others are taken for notes."""

    def page(target: str) -> Answer:
        folder, name = parted(target)
        links = [f"/f{number}/list.html" for number in range(40)] if target == "/" else []
        if name == "list":
            links = [f"/{folder}/note-{one}{two}.html" for one in "abcdef" for two in "ghijklmnop"]
            links += [f"/{folder}/frame.html"]
        body = {"list": TAG, "frame": ITEM}.get(name, NOTE)
        return make_html(*links, title=target, body=body)

    with serve(page) as web:
        given = f"{web.url}f5/frame.html"
        crawl = crawl_site(web.url, tmp_path, "TPLCRAWL_EXPLORE=0", like=given)
    assert sum(target.endswith("frame.html") for target in crawl.targets) == 40


def test_a_menu_of_what_there_is_enough_of_is_not_followed_to_its_end(
    serve: Serve, crawl_site: SiteCrawler, make_html: MakePage, tmp_path: Path
) -> None:
    """Catches fetching all twenty tags that stand on every page, and list known items."""
    menu = "".join(f'<menu><li><a href="/tag/{n}.html">{n}</a></menu>' for n in range(20))

    def page(target: str) -> Answer:
        kind, number = parted(target)
        at = 7 * int(number or 0)
        links = [f"/item/{(at + n) % 150}.html" for n in range(1, 8)]
        title = f"{kind} {number}"
        return make_html(*links, title=title, body=menu + (TAG if kind == "tag" else ITEM))

    with serve(page) as web:
        crawl = crawl_site(web.url, tmp_path, f"{BUDGET}=8", "TPLCRAWL_EXPLORE=0")
    tags = sum("/tag/" in target for target in crawl.targets)
    assert 8 <= tags <= 14


def test_a_search_waits_for_what_is_surely_looked_for(
    serve: Serve, crawl_site: SiteCrawler, make_html: MakePage, tmp_path: Path
) -> None:
    """Each item leads to the next one and to tags that lead to nothing. Catches trying tags while
    the next item is on its way, because more requests may be under way."""

    def links(kind: str, number: int) -> list[str]:
        following = [f"/item/{number + 1}.html"] if kind == "item" and number < 120 else []
        return following + [f"/tag/{(7 * number + n) % 300}.html" for n in range(5)]

    with serve(items_and_tags(make_html, links)) as web:
        crawl = crawl_site(web.url, tmp_path, "TPLCRAWL_EXPLORE=0", like=f"{web.url}item/1.html")
        asked = [target.split("/")[1] for target in web.asked]
    assert sum("/item/" in target for target in crawl.targets) == 120
    last = len(asked) - asked[::-1].index("item")
    assert asked[:last].count("tag") <= 20


def test_where_a_redirect_leads_to_comes_before_what_redirects_as_well(
    serve: Serve, crawl_site: SiteCrawler, make_html: MakePage, tmp_path: Path
) -> None:
    """On a site that adds a slash to each URL. Catches asking for all redirects first, because they
    were discovered first and no page has come that would show that there are enough."""

    def page(target: str) -> Answer:
        if target == "/":
            return make_html(*(f"/item/{n}" for n in range(240)), title="Items")
        if not target.endswith("/"):
            return Answer(status=301, headers=(("Location", f"{target}/"),))
        return make_html("/", title=f"Item {target}", body=ITEM)

    with serve(page) as web:
        crawl = crawl_site(web.url, tmp_path, f"{BUDGET}=8", "TPLCRAWL_EXPLORE=0")
        asked = [target for target in web.asked if target.startswith("/item/")]
    items = sum("/item/" in target for target in crawl.targets)
    assert 8 <= items <= 12
    assert len(asked) <= 2 * items + 2


def test_samples_of_every_template(serve: Serve, crawl_site: SiteCrawler, tmp_path: Path) -> None:
    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path, samples=3)
    counts = fetched(crawl)
    assert {name for name, pages in Counter(TRUTH.values()).items() if pages >= 5} <= set(counts)
    assert sum(counts.values()) < len(TRUTH) / 2
    assert set(crawl.reasons.values()) == {"samples"}


def test_rare_templates_come_first_and_all_in_the_end(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    order = "TPLCRAWL_ORDER=templates"
    with serve(answer) as web:
        half = crawl_site(web.url, tmp_path / "half", order, max_pages=150)
        plain = crawl_site(web.url, tmp_path / "plain", max_pages=150)
        whole = crawl_site(web.url, tmp_path / "whole", order)
    assert max(fetched(half).values()) < max(fetched(plain).values())
    assert len(fetched(half)) >= len(fetched(plain))
    assert set(whole.targets) == set(TRUTH)


def test_a_crawl_ends_when_no_new_template_is_likely(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(answer) as web:
        crawl = crawl_site(
            web.url, tmp_path, "TPLCRAWL_CLOSE_ON_SATURATION=0.1", "TPLCRAWL_EXPLORE=0.5"
        )
    assert crawl.coverage["stopped"] == "saturated"
    assert len(crawl.pages) < len(TRUTH)
    assert set(crawl.reasons.values()) == {"saturated"}


def test_what_cannot_be_had_together_is_refused(crawl_site: SiteCrawler, tmp_path: Path) -> None:
    crawl = crawl_site(
        "http://a.test/", tmp_path / "x", code=2, load=False, samples=3, like="a.test/x"
    )
    assert crawl.err.count("\n") == 1
    assert "samples" in crawl.err
