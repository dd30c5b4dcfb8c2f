"""Pages that want to harm: a crawl bears with them, and says what it has cut."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, MakePage, Serve, SiteCrawler

End = Callable[..., subprocess.CompletedProcess[str]]
SCRIPT = "<script>alert(1)</script>"
CONTROLS = "".join(map(chr, range(1, 32)))
CLASS = "../../etc/passwd x' onclick='y \x01\x1b[31m \u202e " + "long" * 2000
HOSTILE: dict[str, bytes] = {
    "/deep": b"<div>" * 100_000 + b'<a href="/below-deep">x</a>',
    "/lists": b"<ul><li>" * 20_000,
    "/links": b"".join(b"<a href='/many?p=%d'>x</a>" % n for n in range(100_000)),
    "/large": b"<p>" + b"text and more text " * 50 + b"</p>",
    "/attributes": b"<p " + b" ".join(b"a%d=1" % n for n in range(20_000)) + b">x</p>",
    "/nulls": b"<ti\0tle>n\0ulls</title>\0<a href='/af\0ter'>x</a>" + b"\0" * 5000,
    "/controls": f"<title>{CONTROLS}\x7f\x85\u2028</title><p>{CONTROLS}".encode(),
    "/classes": f'<div class="{CLASS}"><p class="{CLASS}">x</p></div>'.encode(),
    "/utf8": b"<title>\xff\xfe\xc3\x28\xed\xa0\x80</title><a href='/\xff\xfe'>x</a>",
    "/markup": f"<title>&lt;/title&gt;{SCRIPT.replace('<', '&lt;')}</title>".encode(),
    "/terminal": b"<title>\x1b[2J\x1b]0;owned\x07[bold red]hello[/]</title>",
    "/entities": b"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>"
                 b"<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
                 b"<html><title>&c;&f;</title>",
    "/comment": b"<!--" * 50_000,
    "/tags": b"".join(b"<t%d>" % (n % 7000) for n in range(30_000)),
    "/words": b"<title>" + b"w" * 100_000 + b"</title>",
    "/json": b'<script type="application/ld+json">{"@type": "=x' + b"[" * 50_000 + b"</script>",
    "/long": b"<a href='/%s'>x</a><a href='http://%s/'>x</a>" % (b"l" * 100_000, b"h" * 5000),
    "/surrogate": b"<title>&#xD800;&#xDFFF;&#0;&#x110000;</title><a href='/&#xD800;'>x</a>",
    "/siblings": b"<p>" * 1_000_000,
    "/locations": b"".join(b"<t%d%s>" % (n, b"x" * 90) for n in range(400))
                  + b"".join(b"<x%d><a href='/many?x=%d'>x</a></x%d>" % (n, n, n)
                             for n in range(20_000)),
    "/steps": b"".join(b"<p class='" + b" ".join(b"%x" % (n + k) for k in range(90)) + b"'>"
                       for n in range(8000)),
    "/bases": b"<base href='javascript:x()'><base href='//evil.test/'>" * 1000 + b"<a href=/after>",
    "/number": b'<script type="application/ld+json">{"@type": "A", "n": ' + b"9" * 60_000
               + b"}</script>",
    "/plain": b"<plaintext><a href=/never-a>x</a>",
    "/frames": b"<frameset><frame src='javascript:x()'><frame src=/after></frameset>"
               b"<object data='file:///etc/passwd'></object><iframe srcdoc='<a href=/never-b>'>",
    f"/name/{SCRIPT}/..%2F..%2Fup": b"<title>named</title>",
}  # fmt: skip
HOSTILE["/large"] *= 21_000  # 20 MB
CUTS = {
    "/deep": "depth", "/lists": "depth", "/links": "links", "/large": "body",
    "/attributes": "attributes", "/classes": "classes", "/siblings": "elements",
    "/locations": "location",
}  # fmt: skip


@pytest.fixture(scope="module")
def crawl(
    serve: Serve,
    make_html: MakePage,
    crawl_site: SiteCrawler,
    tmp_path_factory: pytest.TempPathFactory,
) -> Crawl:
    friendly = [f"/friendly/{number}" for number in range(20)]
    first = [path.replace("<", "%3C").replace(">", "%3E") for path in HOSTILE]
    home = make_html(*first, *friendly)

    def answer(target: str) -> Answer | None:
        body = HOSTILE.get(target.replace("%3C", "<").replace("%3E", ">"))
        if body is not None:
            return Answer(body)
        if target in friendly:
            return make_html("/", title=target)
        return home if target == "/" else None

    with serve(answer) as web:
        return crawl_site(web.url, tmp_path_factory.mktemp("hostile") / "crawl", max_pages=90,
                          deny="many", timeout=300)  # fmt: skip


def test_every_page_is_there_and_nothing_is_said_on_stderr(crawl: Crawl) -> None:
    assert len(crawl.pages) == 1 + len(HOSTILE) + 20
    assert crawl.err == ""
    assert [
        reason for reason in crawl.reasons.values() if reason not in ("http 404", "denied")
    ] == []


def test_every_cut_is_counted(crawl: Crawl) -> None:
    cuts = crawl.coverage["cuts"]
    for name in set(CUTS.values()):
        assert cuts[name] >= list(CUTS.values()).count(name), name
    assert set(cuts) <= {*CUTS.values(), "url"}


def test_links_up_to_the_limit_are_recorded(crawl: Crawl) -> None:
    denied = [target for target, reason in crawl.reasons.items() if reason == "denied"]
    assert 1000 < len(denied) <= 20_000
    assert all(target.startswith("/many?p=") for target in denied)


def test_links_past_null_bytes_and_bad_bytes_are_followed_safely(crawl: Crawl) -> None:
    seen = {*crawl.targets, *crawl.reasons}
    assert "/after" in seen
    assert all(re.fullmatch(r"[\x21-\x7e]+", target) for target in seen)
    assert max(map(len, seen)) < 3000


def test_the_files_are_what_they_should_be(crawl: Crawl) -> None:
    for path in crawl.folder.rglob("*.json*"):
        text = path.read_bytes().decode("utf-8")
        assert not re.search(r"[\0-\x09\x0b-\x1f]", text), path
        for line in text.splitlines() if path.suffix == ".jsonl" else [text]:
            json.loads(line)
    assert len(crawl.items) == len(crawl.pages)


def test_no_file_has_a_name_from_a_page(crawl: Crawl) -> None:
    names = [str(path.relative_to(crawl.folder)) for path in crawl.folder.rglob("*")]
    known = (
        r"(pages|skipped)\.jsonl|(templates|coverage)\.json|report\.html|crawl\.db|\.lock|samples|tables|tables/[a-z_]+\.(csv|graphml|gexf)|"
        r"streams|streams/((t\d+|unassigned)\.jsonl|index\.json)|"
        r"samples/t\d+(/(\d+\.html|manifest\.jsonl))?"
    )
    assert [name for name in names if not re.fullmatch(known, name)] == []


def test_nothing_of_a_page_becomes_markup_or_a_terminal_command(crawl: Crawl) -> None:
    html = (crawl.folder / "report.html").read_text(encoding="utf-8")
    assert SCRIPT not in html
    assert len(re.findall("<script", html.lower())) == 3  # its own, and two blocks of data
    assert "\x1b" not in crawl.out
    assert "root:" not in (crawl.folder / "pages.jsonl").read_text(encoding="utf-8")


def test_texts_are_kept_within_bounds(crawl: Crawl) -> None:
    assert max(len(page["title"]) for page in crawl.pages) <= 500
    assert max(len(item["title"]) for item in crawl.items) <= 500


def test_a_page_that_never_ends_is_given_up(
    crawl_site: SiteCrawler, serve: Serve, make_html: MakePage, tmp_path: Path
) -> None:
    """Beyond the largest size that is wanted, nothing more is loaded."""
    table = {
        "/": make_html("/huge", "/page"),
        "/huge": Answer(b"<p>more</p>" * 300_000),
        "/page": make_html("/"),
    }
    with serve(table) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", "DOWNLOAD_MAXSIZE=1000000")
    assert crawl.targets == ["/", "/page"]
    assert crawl.reasons == {"/huge": "too large"}
    assert crawl.err == ""


def test_a_flood_of_attributes_is_never_parsed(
    crawl_site: SiteCrawler, serve: Serve, make_html: MakePage, tmp_path: Path
) -> None:
    """The parser's time grows with their square: this page would take it many minutes."""
    flood = b" ".join(b"a%d=1" % number for number in range(400_000))
    table = {
        "/": make_html("/flood", "/page"),
        "/flood": Answer(b"<title>Flood</title><p " + flood + b">x</p><a href='/page'>x</a>"),
        "/page": make_html("/"),
    }
    with serve(table) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", timeout=60)
    assert crawl.targets == ["/", "/flood", "/page"]
    assert crawl.coverage["cuts"] == {"attributes": 1}
