"""How far a crawl goes: pages, patterns, depths, hosts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tplcrawl.evaluation.serving import ALLOW_ALL, Answer

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve, SiteCrawler, Web

STUCK = 60


def tree(make_html: MakePage, fan: int = 4, levels: int = 3) -> dict[str, Answer]:
    """A site of *levels* below the start page; each page has *fan* below it, and a link home."""
    table: dict[str, Answer] = {}
    level = ["/"]
    for depth in range(levels + 1):
        below = []
        for path in level:
            own = [f"{path}{n}/" for n in range(fan)] if depth < levels else []
            table[path] = make_html(*own, "/", title=path)
            below += own
        level = below
    return table


def test_the_most_pages_are_met_exactly_and_raised_later(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    table = tree(make_html)
    for failing in ("/1/", "/2/0/"):
        table[failing] = Answer(b"no", 404)
    in_order = sorted(table, key=lambda path: (path.count("/"), path))
    pages = [path for path in in_order if table[path].status == 200 and path[:3] != "/1/"]
    pages = [path for path in pages if path[:5] != "/2/0/"]
    with serve(table) as web:
        first = crawl_site(web.url, tmp_path / "crawl", max_pages=9)
        assert first.targets == pages[:9]
        assert first.coverage["stopped"] == "max-pages"
        assert set(first.reasons.values()) == {"http 404", "max-pages"}
        assert f"{sum(r == 'max-pages' for r in first.reasons.values())} URLs left" in first.out
        second = crawl_site(web.url, tmp_path / "crawl", max_pages=30)
        assert second.targets == pages[:30]
        last = crawl_site(web.url, tmp_path / "crawl")
        assert last.targets == pages
        assert last.coverage["stopped"] == "finished"
        counts = web.counts
    del counts["/robots.txt"]
    assert set(counts.values()) == {1}
    assert sorted(last.reasons.items()) == [("/1/", "http 404"), ("/2/0/", "http 404")]


def test_one_page_is_a_crawl_too(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(tree(make_html)) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", max_pages=1)
        assert set(web.asked) == {"/", "/robots.txt"}
    assert crawl.targets == ["/"]
    assert len(crawl.reasons) == 4


def test_patterns_choose_among_links_but_not_among_start_pages(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(tree(make_html)) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", allow="/[012]/", deny="/2/.")
        web.forget()
        wider = crawl_site(web.url, tmp_path / "crawl", allow="/[012]/")
    assert crawl.targets[:4] == ["/", "/0/", "/1/", "/2/"]
    assert not [target for target in crawl.targets if target.startswith(("/3/", "/2/0/"))]
    assert crawl.reasons["/3/"] == crawl.reasons["/2/0/"] == "denied"
    assert len(wider.pages) > len(crawl.pages)
    assert "/2/0/" in wider.by_target
    assert "/3/" not in wider.by_target
    assert not set(web.asked) & set(crawl.targets), "pages were fetched again"


def test_a_depth_limit_is_told_as_the_reason(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(tree(make_html)) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", "DEPTH_LIMIT=1")
    assert sorted(crawl.targets) == ["/", "/0/", "/1/", "/2/", "/3/"]
    assert set(crawl.reasons.values()) == {"depth"}
    assert len(crawl.reasons) == 16


def test_several_urls_are_one_site(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    table = {
        "/": make_html("/here"), "/here": make_html("/"),
        "/there": make_html("/below"), "/below": make_html("/there"),
    }  # fmt: skip
    with serve(table) as web:
        urls = f"{web.url},{web.local}there, {web.url}#again"
        crawl = crawl_site(urls, tmp_path / "crawl")
    depths = {page["url"]: page["depth"] for page in crawl.pages}
    assert depths == {
        web.url: 0, f"{web.local}there": 0, f"{web.url}here": 1, f"{web.local}below": 1,
    }  # fmt: skip


def many_hosts(make_html: MakePage) -> dict[str, Answer]:
    links = (
        "http://shop.test/a", "http://www.shop.test/b", "http://m.shop.test/c",
        "http://x.y.shop.test/d", "http://notshop.test/e", "http://shop.test.evil.test/f",
        "http://shop.test:8080/g", "http://shop.test@evil.test/h", "//evil.test/i",
        "http://SHOP.test./j", "http://shop.test:80/k",
    )  # fmt: skip
    table = {link.replace(":80/", "/"): make_html() for link in links}
    table["http://shop.test/"] = make_html(*links)
    return table


def proxied(web: Web) -> dict[str, str]:
    """Lets one server stand for all hosts."""
    return {"http_proxy": web.url, "no_proxy": ""}


def hosts_of(web: Web) -> set[str | None]:
    return {urlsplit(url).hostname for url in web.asked}


def test_subdomains_and_other_ports_and_hosts_are_left_alone(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(many_hosts(make_html)) as web:
        crawl = crawl_site("http://shop.test/", tmp_path / "crawl", env=proxied(web))
        hosts = {(host or "").rstrip(".") for host in hosts_of(web)}
    assert hosts == {"shop.test", "www.shop.test"}
    assert {"/", "/a", "/b", "/k"} <= set(crawl.targets)
    assert not {"/c", "/d", "/e", "/f", "/g", "/h", "/i"} & {*crawl.targets, *crawl.reasons}


def test_subdomains_are_part_of_the_site_if_that_is_wanted(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve(many_hosts(make_html)) as web:
        crawl = crawl_site("shop.test", tmp_path / "crawl", env=proxied(web), subdomains=1)
    assert {"/a", "/b", "/c", "/d"} <= set(crawl.targets)
    assert not {"/e", "/f", "/g", "/h", "/i"} & {*crawl.targets, *crawl.reasons}


def test_robots_txt_counts_host_by_host(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    table = many_hosts(make_html)
    table["http://shop.test/robots.txt"] = ALLOW_ALL
    table["http://m.shop.test/robots.txt"] = Answer(
        b"User-agent: *\nDisallow: /\n", type="text/plain"
    )
    with serve(table) as web:
        crawl = crawl_site("shop.test", tmp_path / "crawl", env=proxied(web), subdomains=1)
        assert "http://m.shop.test/c" not in web.asked
    assert crawl.reasons["/c"] == "robots.txt"
    assert "/d" in crawl.by_target


def test_no_page_is_fetched_twice_beside_answers_that_are_no_pages(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """A connection on which a download is stopped must not take another request with it."""
    pages, others = [f"/p{n}" for n in range(60)], [f"/d{n}" for n in range(60)]
    links = [link for pair in zip(pages, others, strict=True) for link in pair]
    table = {"/": make_html(*links), **{page: make_html("/") for page in pages}}
    table.update({other: Answer(b"{}", type="application/json") for other in others})
    with serve(table) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl")
        counts = web.counts
    assert {target: count for target, count in counts.items() if count > 1} == {}
    assert len(crawl.pages) == 61
    assert crawl.reasons == dict.fromkeys(others, "not html")


def test_a_page_that_is_tried_again_does_not_block_large_ones(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Megabytes of pages wait for the turn of the one that is to be fetched again."""
    large = make_html("/", body="<p>text</p>" * 60_000)
    names = [f"/p{n}" for n in range(40)]
    home = make_html(*names)
    tries: list[str] = []

    def answer(target: str) -> Answer | None:
        if target == "/p0":
            tries.append(target)
            if len(tries) == 1:
                web.wait(25)
                return Answer(b"busy", 503)
        return home if target == "/" else large if target in names else None

    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", timeout=STUCK)
    assert len(crawl.pages) == 41
