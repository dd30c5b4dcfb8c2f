"""The report in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tplcrawl.records import Prediction
from tplcrawl.reports.html import figure
from tplcrawl.reports.live import LiveReport
from tplcrawl.reports.outputs import write_reports
from tplcrawl.reports.pointers import resolve
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, State

if TYPE_CHECKING:
    from tests.reports.conftest import Sight

Write = Callable[..., int]
Show = Callable[..., "Sight"]

URL = "http://a.com/"
PRODUCTS, POSTS = 70, 20


def shop(store: Store, write: Write, text: str = "") -> Path:
    """A shop of three templates, with one of everything that a report tells; *text* stands
    wherever a page's author could write it."""
    home = [f"/product/{n}" for n in range(PRODUCTS)] + [
        f"/post/{n}?q={text[:300]}" for n in range(POSTS)
    ]
    write(store, URL, 1, links=[*home, "/gone", "/secret", "/old", "/later", "/alone"])
    list_ = "<ul class=specs>" + "<li><b>x</b>" * 5 + "</ul><img><form><input><button></form>"
    prose = "<article><h1>x</h1>" + "<p>y" * 6 + "</article><aside><a href=/>x</a></aside>"
    urls = [row.url for row in store.urls.waiting(1, 1000)]
    for n, url in enumerate(urls[:PRODUCTS]):
        told = Prediction(2 if n else 3, 0.9)
        html = f"<title>{text}</title><div class='{text} product'>{list_}</div>"
        write(store, url, 2, html=html, links=["/"], predicted=told, depth=1)
    for url in urls[PRODUCTS : PRODUCTS + POSTS]:
        html = f"<title>{text}</title><div class='{text} post'>{prose}</div>"
        write(store, url, 3, html=html, links=["/"], depth=1)
    ids = store.urls.known([URL + name for name in ("gone", "secret", "old", "alone")])
    store.urls.settle(ids[URL + "gone"], State.FAILED, reason="http 404", status=404)
    store.urls.settle(ids[URL + "secret"], State.SKIPPED, reason="robots.txt")
    store.urls.settle(ids[URL + "old"], State.REDIRECTED, status=301, target=1)
    write(store, URL + "alone", None, depth=1)
    store.set_meta("like", [urls[PRODUCTS]])
    write_reports(store, "max-pages")
    return store.folder / "report.html"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, write: Write) -> Path:
    with Store(tmp_path_factory.mktemp("shop")) as store:
        store.claim("a.com")
        store.set_meta("method", "by the test")
        return shop(store, write)


@pytest.fixture
def sight(report: Path, show: Show) -> Iterator[Sight]:
    """The report, opened; whatever a test does there, nothing may go wrong."""
    seen = show(report)
    yield seen
    seen.check()


def visible(sight: Sight, selector: str) -> list[str]:
    return sight.page.locator(f"{selector}:visible").all_inner_texts()


def test_every_number_is_that_of_coverage_json(report: Path, sight: Sight) -> None:
    numbers = json.loads((report.parent / "coverage.json").read_text())
    told = sight.page.eval_on_selector_all(
        "[data-k]", "all => all.map(e => [e.dataset.k, e.dataset.f || '', e.textContent])"
    )
    assert len(told) > 80
    assert [
        text for where, form, text in told if figure(resolve(numbers, where), form) != text
    ] == []


def test_no_number_stands_there_without_its_place(sight: Sight) -> None:
    """What is not marked with a place in coverage.json are ids, code and the site's own text."""
    told = sight.page.evaluate(
        """() => {
            const walk = document.createTreeWalker(document.querySelector("main"), 4);
            const found = [];
            while (walk.nextNode()) {
                const own = walk.currentNode.parentElement;
                const known = own.closest(
                    "[data-k], [translate=no], code, script, #urls, .id, noscript"
                );
                const text = walk.currentNode.data;
                if (!known && /[0-9]/.test(text)) found.push(text);
            }
            return found;
        }"""
    )
    # The origins of the curves.
    assert told == ["0", "0"]


def test_the_cards_can_be_searched_and_sorted(sight: Sight) -> None:
    page = sight.page
    assert len(visible(sight, ".card")) == 3
    page.fill("#find-text", "post/{n}")
    (card,) = visible(sight, ".card")
    assert card.startswith("post")
    assert "1 of 3 templates" in page.inner_text("#find-count")
    page.fill("#find-text", "nothing at all")
    assert visible(sight, ".card") == []
    assert page.is_visible("#find-none")
    page.fill("#find-text", "")
    page.select_option("#find-order", "name")
    names = [text.split("\n")[0].split(" ")[0] for text in visible(sight, ".card")]
    assert names == sorted(names)
    page.check("#find-doubt")
    assert visible(sight, ".card") == []


def test_a_link_to_a_template_shows_it_even_where_it_is_filtered_out(sight: Sight) -> None:
    page = sight.page
    page.fill("#find-text", "post/{n}")
    page.evaluate("location.hash = 't2'")
    expect(page.locator("#t2")).to_be_visible()


def test_every_link_inside_the_page_leads_somewhere(sight: Sight) -> None:
    targets = sight.page.eval_on_selector_all(
        "a[href^='#']", "all => all.map(a => a.getAttribute('href').slice(1))"
    )
    assert len(set(targets)) > 8
    lost = [one for one in set(targets) if sight.page.locator(f"[id='{one}']").count() != 1]
    assert lost == []


def test_links_to_the_site_go_there_and_tell_it_nothing(sight: Sight) -> None:
    links = sight.page.eval_on_selector_all(
        "a:not([href^='#'])", "all => all.map(a => [a.getAttribute('href'), a.rel])"
    )
    assert len(links) > 5
    for href, rel in links:
        assert href.startswith(URL)
        assert "noreferrer" in rel


def test_every_url_can_be_found(sight: Sight) -> None:
    page = sight.page
    page.locator("#urls").scroll_into_view_if_needed()
    page.wait_for_selector("#rows:visible")
    total = 1 + PRODUCTS + POSTS + 4
    assert page.inner_text("#pick-count") == f"{total} URLs"
    assert len(visible(sight, "#rows tbody tr")) == 50
    page.click("#pager [data-go='1']")
    assert len(visible(sight, "#rows tbody tr")) == total - 50
    assert page.is_disabled("#pager [data-go='1']")
    page.select_option("#pick-state", label="http 404")
    assert visible(sight, "#rows tbody td:first-child") == [URL + "gone"]
    page.select_option("#pick-state", label="page, mismatch")
    assert visible(sight, "#rows tbody td:first-child") == []
    page.select_option("#pick-state", label="anything")
    page.fill("#pick-text", "PRODUCT/1")
    assert page.inner_text("#pick-count") == "11 URLs"
    page.click("#rows th:first-child button")
    first = visible(sight, "#rows tbody td:first-child")
    assert first[0] == URL + "product/19"
    assert page.get_attribute("#rows th:first-child", "aria-sort") == "descending"


def test_a_card_leads_to_its_urls(sight: Sight) -> None:
    sight.page.click("#t3 [data-show]")
    expect(sight.page.locator("#pick-count")).to_have_text(f"{POSTS} URLs")
    kinds = set(visible(sight, "#rows tbody td:nth-child(2)"))
    assert len(kinds) == 1


def test_tables_sort_by_the_column_that_is_pressed(sight: Sight) -> None:
    page = sight.page
    table = page.locator("table.matrix")
    table.locator("th button").nth(1).click()
    counts = [int(text) for text in table.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)
    table.locator("th button").nth(1).click()
    counts = [int(text) for text in table.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert counts == sorted(counts)


def test_a_dot_tells_its_page_and_a_name_shows_its_dots(sight: Sight) -> None:
    page = sight.page
    page.locator("#dots").scroll_into_view_if_needed()
    spot = page.evaluate(
        """() => {
            const path = document.querySelector("#dots path[data-template='0']");
            const [x, y] = path.getAttribute("d").match(/[0-9.]+/g).map(Number);
            const box = document.getElementById("dots").getBoundingClientRect();
            return [box.left + x * box.width / 720, box.top + y * box.height / 440];
        }"""
    )
    page.mouse.move(*spot)
    expect(page.locator("#dot-told")).to_have_text(
        re.compile(r"product: http://a\.com/product/\d+$")
    )
    page.click("#key button:first-child")
    assert page.get_attribute("#key button:first-child", "aria-pressed") == "true"
    assert page.locator("#dots path.on").count() == 1


def test_a_selector_is_copied(report: Path, show: Show) -> None:
    sight = show(report, permissions=["clipboard-read", "clipboard-write"])
    sight.page.click("#t2 .pattern .copy")
    sight.page.wait_for_selector("#said:has-text('copied')")
    assert sight.page.evaluate("navigator.clipboard.readText()") == "/product/{n}"
    sight.check()


def test_colours_are_chosen_and_kept(sight: Sight) -> None:
    page = sight.page
    shade = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(shade)
    page.click("#theme")
    assert page.evaluate(shade) == light
    page.click("#theme")
    dark = page.evaluate(shade)
    assert dark != light
    # The browser writes what is kept aside; a reload must not overtake it.
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_function("localStorage.getItem('tplcrawl-theme') === 'dark'")
    page.reload()
    assert page.evaluate(shade) == dark


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_is_for_everybody(report: Path, show: Show, scheme: str, width: int) -> None:
    """No serious violation of the rules of axe; nothing is wider than the window."""
    sight = show(report, color_scheme=scheme, viewport={"width": width, "height": 800})
    sight.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    sight.page.locator("#urls").scroll_into_view_if_needed()
    sight.page.wait_for_selector("#rows:visible")
    found = Axe().run(sight.page).response["violations"]
    serious = [
        (one["id"], node["html"][:200], node["any"][:1])
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
    assert serious == []
    assert sight.overflow <= 0
    sight.check()


def test_everything_can_be_reached_by_keyboard(sight: Sight) -> None:
    page = sight.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"theme", "find-text", "find-order", "find-doubt"} <= seen


def test_it_reads_without_scripts(report: Path, show: Show) -> None:
    sight = show(report, java_script_enabled=False)
    assert len(visible(sight, ".card")) == 3
    assert not sight.page.is_visible("#find")
    assert visible(sight, "noscript") or sight.page.is_visible("#urls")


HOSTILE = [
    "</script><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "</title></style></svg><svg onload=alert(1)>",
    "\u202e\u2066gnol\u200f" + "W" * 10_000,
    "\ud800\0\x1b[2J\r\n\t",
    "{{ 7 * 7 }}{% raw %}]]>&lt;b&gt;<!--",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("width", [1280, 390])
def test_what_a_site_writes_does_nothing(
    store: Store, write: Write, show: Show, text: str, width: int
) -> None:
    path = shop(store, write, text)
    store.set_meta("site", f"a.com {text[:500]}")
    store.set_meta("method", text[:500])
    write_reports(store, text)
    sight = show(path, viewport={"width": width, "height": 800})
    page = sight.page
    page.on("dialog", lambda dialog: pytest.fail("a script of the site ran"))
    page.locator("#urls").scroll_into_view_if_needed()
    page.wait_for_selector("#rows:visible")
    assert len(visible(sight, ".card")) == 3
    assert page.locator("img, iframe, object, embed, base").count() == 0
    assert page.locator("script").count() == 3
    assert sight.overflow <= 0
    page.click("#t2 [data-show]")
    sight.check()


@contextmanager
def live_report(store: Store, write: Write) -> Iterator[LiveReport]:
    """That of a shop which is being crawled."""
    shop(store, write)
    store.commit()
    live = LiveReport(store.folder)
    live.start()
    try:
        yield live
    finally:
        live.stop()


def test_a_live_report_moves(store: Store, write: Write, show: Show) -> None:
    """Figures change in place; a new template is drawn; nothing is asked for but the server."""
    with live_report(store, write) as live:
        sight = show(live.url)
        page = sight.page
        pages = page.locator("[data-k='/funnel/pages']").first
        before = int(pages.inner_text())
        write(store, URL + "new", 1, depth=1)
        store.commit()
        expect(pages).to_have_text(str(before + 1), timeout=60_000)
        for n in range(40):
            write(store, f"{URL}video/{n}", 4, html="<video></video><b>x</b>", depth=1)
        store.commit()
        expect(page.locator("#t4")).to_be_visible(timeout=60_000)
        page.fill("#find-text", "/video/{n}")
        assert len(visible(sight, ".card")) == 1
        assert sight.errors == []
        assert {one.rpartition("/")[0] + "/" for one in sight.requests} <= {live.url}


def test_the_end_of_a_crawl_is_told_and_stays(store: Store, write: Write, show: Show) -> None:
    """The server goes away with the crawl; the page must not say that it is running."""
    with live_report(store, write) as live:
        sight = show(live.url)
        expect(sight.page.locator("#running")).to_have_text("the crawl is running")
    expect(sight.page.locator(".alarm")).to_contain_text("has ended", timeout=60_000)
    expect(sight.page.locator("#running")).to_have_text("the crawl has ended")
    assert len(visible(sight, ".card")) == 3


def test_a_crawl_without_a_page_has_a_report(store: Store, show: Show) -> None:
    (id_,) = store.urls.discover([Discovery(URL, 0)])
    store.urls.settle(id_, State.FAILED, reason="http 503", status=503)
    write_reports(store, "finished")
    sight = show(store.folder / "report.html")
    page = sight.page
    assert page.locator(".findings li.bad").first.inner_text().startswith("problem")
    assert page.inner_text("#map p") == "No page was fetched."
    for name in ("templates", "links", "growth"):
        assert "No template was found." in page.inner_text(f"#{name}")
    assert visible(sight, "table:not(#rows):not(:has(tbody tr))") == []
    page.locator("#urls").scroll_into_view_if_needed()
    expect(page.locator("#pick-count")).to_have_text("1 URL")
    sight.check()


def test_wide_tables_are_read_on_a_phone_without_going_sideways(report: Path, show: Show) -> None:
    sight = show(report, viewport={"width": 390, "height": 800})
    page = sight.page
    page.locator("#urls").scroll_into_view_if_needed()
    page.wait_for_selector("#rows:visible")
    for table in ("#left-out .stack", "#rows"):
        told = page.locator(table).evaluate("one => [one.scrollWidth, one.parentNode.clientWidth]")
        assert told[0] <= told[1]
    page.click("#rows [data-by='3']")
    assert page.get_attribute("#rows th:nth-child(4)", "aria-sort") == "ascending"
