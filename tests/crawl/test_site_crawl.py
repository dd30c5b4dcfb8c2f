"""One site with everything on it that real sites have, and what a crawl makes of each thing."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tplcrawl.crawl.media import TRIALS
from tplcrawl.evaluation.serving import HTML, Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, MakePage, Serve, SiteCrawler

ROBOTS = b"User-agent: *\nDisallow: /private/\nDisallow: /secret\n"
PDFS = [f"/papers/{n}.pdf" for n in range(30)]
PHOTOS = [f"/wiki/File:{n}.jpg" for n in range(6)]

BAD_LINKS = (
    "http://[broken", "http://:80/", "http://127.0.0.1:99999/", "http://127.0.0.1:port/", "//",
    "javascript:void(0)", "mailto:me@a.test", "tel:123", "data:text/html,x", "ftp://127.0.0.1/x",
    "file:///etc/passwd", "", "   ", "#top", "http://", "HTTP://exa mple/",
)  # fmt: skip

RESULTS = {
    "/private/page": "robots.txt",
    "/secret": "robots.txt",
    "/missing": "http 404",
    "/boom": "http 500",
    "/teapot": "http 418",
    "/data.json": "not html",
    "/feed": "not html",
    "/plain": "not html",
    "/binary": "not html",
    "/picture": "not html",
}
"""URLs of which there is no page, and why."""


def answers(make_html: MakePage) -> dict[str, Answer]:
    """The site."""
    page = make_html
    redirect = {
        "/moved": Answer(status=301, headers=(("Location", "/target"),)),
        "/chain/1": Answer(status=302, headers=(("Location", "/chain/2"),)),
        "/chain/2": Answer(status=307, headers=(("Location", "chain-end#part"),)),
        "/home": Answer(status=303, headers=(("Location", "/"),)),
        "/away": Answer(status=302, headers=(("Location", "http://elsewhere.test/"),)),
        "/out": Answer(status=302, headers=(("Location", "ftp://127.0.0.1/x"),)),
    }
    special = {
        "/missing": Answer(b"<h1>Gone</h1>", 404),
        "/teapot": Answer(b"<h1>Teapot</h1>", 418),
        "/boom": Answer(b"<h1>Oh</h1>", 500),
        "/data.json": Answer(b'{"a": 1}', type="application/json"),
        "/feed": Answer(b"<rss/>", type="application/rss+xml"),
        "/plain": Answer(b"<html>not meant as such", type="text/plain; charset=utf-8"),
        "/picture": Answer(b"\x89PNG\r\n\x1a\n" + bytes(500), type="image/png"),
        "/binary": Answer(b"\x7fELF\x00\x01" + bytes(range(256)), type=None),
        "/untyped": Answer(page("/from-untyped").body, type=None),
        "/shouting": Answer(page("/from-shouting").body, type=" TEXT/HTML;CHARSET=UTF-8"),
        "/xhtml": Answer(page("/from-xhtml").body, type="application/xhtml+xml"),
        "/latin": Answer("<title>café</title><a href='/größe'>x</a>".encode("latin-1"), type=HTML),
        "/klingon": Answer(page("/from-klingon").body, type="text/html; charset=klingon"),
        "/empty": Answer(b""),
        "/spaces": Answer(b" \n\t "),
        "/nothing": Answer(status=204, type=None),
        "/refresh": page(head='<meta http-equiv="Refresh" content="0; URL=\'/refreshed\'">'),
        "/base/": page("sub", "../up", head='<base href="/deep/er/">'),
        "/frames": Answer(
            b"<frameset><frame src=/frame><frame src=/frame2></frameset>"
            b"<map><area href=/area></map><iframe src=/iframe></iframe>"
        ),
        "/paged": page(head='<link rel="next" href="/paged-2"><link rel="stylesheet" href="/s">'),
        "/shop": page("/item?id=1&PHPSESSID=aaa111", "/item?PHPSESSID=bbb222&id=1",
                      "/cart;jsessionid=0123AB", "/cart;jsessionid=4567CD"),
        "/fragments": page("/part#one", "/part#two", "/part", "part?#x"),
        "/order": page("/find?a=1&b=2", "/find?b=2&a=1", "/find?a=1&b=2#x", "/find?a=1&b=3"),
        "/wide": page(*PDFS, *PHOTOS),
        "/bad": page(*BAD_LINKS, "/good"),
        "/far/a/b/c": page("../../up2", "./././same", "../../../../../../top"),
    }  # fmt: skip
    every = {**redirect, **special}
    pages = (
        "/target", "/chain-end", "/refreshed", "/deep/er/sub", "/deep/up", "/frame", "/frame2",
        "/area", "/iframe", "/paged-2", "/item?id=1", "/cart", "/part", "/find?a=1&b=2",
        "/find?a=1&b=3", "/good", "/from-untyped", "/from-shouting", "/from-xhtml", "/far/up2",
        "/from-klingon", "/gr%C3%B6%C3%9Fe", "/far/a/b/same", "/top", "/chain/chain-end",
    )  # fmt: skip
    every.update({path: page("/", title=path) for path in (*pages, *PHOTOS)})
    every.update(
        {path: Answer(b"%PDF-1.4" + bytes(400_000), type="application/pdf") for path in PDFS}
    )
    every["/"] = page("/private/page", "/secret", *redirect, *special, "http://elsewhere.test/x")
    every["/robots.txt"] = Answer(ROBOTS, type="text/plain")
    return every


@pytest.fixture(scope="module")
def done(
    serve: Serve,
    make_html: MakePage,
    crawl_site: SiteCrawler,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Crawl, Counter[str]]:
    table = answers(make_html)
    with serve(table) as web:
        table["/"] = Answer(
            table["/"].body.replace(b"</ul>", f'<a href="{web.local}local">x</a></ul>'.encode())
        )
        crawl = crawl_site(web.url, tmp_path_factory.mktemp("site") / "crawl",
                           "RETRY_ENABLED=False")  # fmt: skip
        return crawl, web.counts


@pytest.fixture(scope="module")
def crawl(done: tuple[Crawl, Counter[str]]) -> Crawl:
    return done[0]


@pytest.fixture(scope="module")
def asked(done: tuple[Crawl, Counter[str]]) -> Counter[str]:
    return done[1]


def test_nothing_was_fetched_twice(asked: Counter[str]) -> None:
    assert {target: count for target, count in asked.items() if count > 1} == {}


def test_every_url_is_a_page_or_skipped_or_a_redirect(crawl: Crawl, asked: Counter[str]) -> None:
    states = crawl.coverage["states"]
    assert states["queued"] == 0
    assert states["fetched"] == len(crawl.pages)
    assert states["skipped"] + states["failed"] == len(crawl.reasons)
    assert sum(states.values()) == crawl.coverage["funnel"]["discovered"]
    assert not set(crawl.targets) & set(crawl.reasons)
    redirects = {target for target in asked if target not in {*crawl.targets, *crawl.reasons}}
    assert redirects == {"/robots.txt", "/moved", "/chain/1", "/chain/2", "/home"}


@pytest.mark.parametrize("target", RESULTS)
def test_what_is_no_page_is_skipped_with_its_reason(crawl: Crawl, target: str) -> None:
    assert crawl.reasons.get(target) == RESULTS[target]
    assert target not in crawl.targets


def test_what_robots_txt_forbids_is_never_asked_for(asked: Counter[str]) -> None:
    assert asked["/robots.txt"] == 1
    assert not {"/private/page", "/secret"} & set(asked)


def test_the_reasons_are_counted_in_the_report(crawl: Crawl) -> None:
    assert crawl.coverage["reasons"] == Counter(crawl.reasons.values())
    assert crawl.coverage["reasons"]["robots.txt"] == 2


@pytest.mark.parametrize(
    "target", ["/untyped", "/shouting", "/xhtml", "/latin", "/klingon", "/empty", "/spaces"]
)
def test_html_is_a_page_however_it_is_labelled(crawl: Crawl, target: str) -> None:
    assert target in crawl.by_target


def test_links_of_pages_with_wrong_labels_are_followed(crawl: Crawl) -> None:
    assert {"/from-untyped", "/from-shouting", "/from-xhtml", "/from-klingon"} <= set(crawl.targets)


def test_an_answer_without_content_is_accounted_for(crawl: Crawl) -> None:
    assert ("/nothing" in crawl.by_target) != ("/nothing" in crawl.reasons)


def test_redirects_are_told_with_the_page_they_lead_to(crawl: Crawl) -> None:
    origin = {target: page["redirected_from"] for target, page in crawl.by_target.items()}
    assert origin["/target"].endswith("/moved")
    assert origin["/chain/chain-end"].endswith("/chain/2")
    assert origin["/"].endswith("/home")
    assert origin["/part"] is None


def test_a_redirect_out_of_the_site_is_not_followed(crawl: Crawl) -> None:
    assert crawl.reasons["/away"] == "redirect offsite"


def test_a_redirect_to_no_page_of_the_web_is_accounted_for(crawl: Crawl) -> None:
    assert crawl.reasons["/out"]


def test_a_refreshing_page_is_a_page_and_leads_on(crawl: Crawl) -> None:
    assert {"/refresh", "/refreshed"} <= set(crawl.targets)


def test_links_follow_the_base_of_their_page(crawl: Crawl) -> None:
    assert {"/deep/er/sub", "/deep/up"} <= set(crawl.targets)
    assert "/base/sub" not in {**crawl.by_target, **crawl.reasons}


def test_frames_areas_and_paging_are_links_and_style_sheets_are_none(crawl: Crawl) -> None:
    assert {"/frame", "/frame2", "/area", "/iframe", "/paged-2"} <= set(crawl.targets)
    assert "/s" not in {**crawl.by_target, **crawl.reasons}


def test_session_ids_make_no_pages(crawl: Crawl, asked: Counter[str]) -> None:
    assert {"/item?id=1", "/cart"} <= set(crawl.targets)
    assert not [target for target in asked if "sess" in target.lower()]


def test_fragments_and_the_order_of_a_query_make_no_pages(crawl: Crawl) -> None:
    assert sum(target.startswith("/part") for target in crawl.targets) == 1
    assert sum("nd?" in target for target in crawl.targets) == 2


def test_dot_segments_are_resolved(crawl: Crawl, asked: Counter[str]) -> None:
    assert {"/far/up2", "/far/a/b/same", "/top"} <= set(crawl.targets)
    assert not [target for target in asked if "/." in target]


def test_broken_links_harm_nobody(crawl: Crawl) -> None:
    assert {"/bad", "/good"} <= set(crawl.targets)
    assert not [reason for reason in crawl.reasons.values() if reason == "error"]


def test_other_hosts_are_not_part_of_the_site(crawl: Crawl, asked: Counter[str]) -> None:
    """``localhost`` is the same server here, but another site."""
    assert "/local" not in asked
    assert "/local" not in {**crawl.by_target, **crawl.reasons}


def test_media_are_tried_and_then_left_out(crawl: Crawl, asked: Counter[str]) -> None:
    tried = [path for path in PDFS if path in asked]
    assert TRIALS <= len(tried) < len(PDFS)
    assert {crawl.reasons[path] for path in PDFS} == {"not html", "media"}
    assert [crawl.reasons[path] for path in PDFS if path not in asked] == ["media"] * (
        len(PDFS) - len(tried)
    )


def test_pages_that_are_called_like_pictures_are_pages(crawl: Crawl) -> None:
    assert set(PHOTOS) <= set(crawl.targets)


def test_nothing_is_said_on_stderr_and_every_line_is_json(crawl: Crawl) -> None:
    assert crawl.err == ""
    for name in ("pages.jsonl", "skipped.jsonl"):
        for line in (crawl.folder / name).read_text(encoding="utf-8").splitlines():
            assert json.loads(line)["url"].startswith("http://127.0.0.1:")
