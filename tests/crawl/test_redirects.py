"""Redirects that lead in circles, on and on, to other hosts, or through cookies."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve, SiteCrawler

STUCK = 60


def to(location: str, status: int = 302, type_: str | None = None) -> Answer:
    return Answer(b"this way", status, type_, (("Location", location),))


def test_a_circle_is_left_and_told_of(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    table = {
        "/": make_html("/one", "/itself", "/empty", "/page"),
        "/one": to("/two"), "/two": to("/three"), "/three": to("/one"),
        "/itself": to("/itself"), "/empty": to(""),
        "/page": make_html("/"),
    }  # fmt: skip
    with serve(table) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", timeout=STUCK)
        assert max(web.counts.values()) <= 6
    assert sorted(crawl.targets) == ["/", "/page"]
    for target in ("/itself", "/empty"):
        assert "redirect" in crawl.reasons.get(target, "hidden"), target
    assert {"/one", "/two", "/three"} & set(crawl.reasons), "nothing says that there was a circle"


def test_a_chain_without_an_end_is_cut(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    home, page = make_html("/on/0", "/page"), make_html("/")

    def answer(target: str) -> Answer | None:
        if target.startswith("/on/"):
            return to(f"/on/{int(target[4:]) + 1}")
        return {"/": home, "/page": page}.get(target)

    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", timeout=20)
        assert len(web.asked) < 100
    assert sorted(crawl.targets) == ["/", "/page"]
    assert [reason for target, reason in crawl.reasons.items() if target.startswith("/on/")]


def test_a_chain_of_a_usual_length_is_followed(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    table = {"/": make_html("/r0"), **{f"/r{n}": to(f"/r{n + 1}", 301) for n in range(8)}}
    table["/r8"] = make_html("/")
    with serve(table) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl")
        assert set(web.counts.values()) == {1}
    assert crawl.targets == ["/", "/r8"]
    assert crawl.by_target["/r8"]["depth"] == 1
    assert crawl.by_target["/r8"]["redirected_from"] == f"{web.url}r7"


def test_errors_and_redirects_count_whatever_the_type_of_their_text(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Many servers send those as plain text or JSON."""
    busy = Counter[str]()
    table = {
        "/": make_html("/moved", "/gone", "/busy"),
        "/moved": to("/here", 301, "text/plain"),
        "/here": make_html("/"),
        "/gone": Answer(b'{"error": 404}', 404, "application/json"),
    }

    def answer(target: str) -> Answer | None:
        busy[target] += 1
        if target == "/busy":
            return Answer(b"later", 503, "text/plain") if busy[target] == 1 else make_html("/")
        return table.get(target)

    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl")
    assert crawl.reasons == {"/gone": "http 404"}
    assert sorted(crawl.targets) == ["/", "/busy", "/here"]


def test_a_start_page_that_leads_to_another_host_names_the_site_for_good(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Also for the run that goes on where the first one stopped."""
    hosts: list[str] = []

    def answer(target: str) -> Answer | None:
        if target == "/":
            return to(f"{hosts[0]}home")
        if target == "/home":
            return make_html(*(f"/a{n}" for n in range(8)))
        if target.startswith("/a"):
            return make_html(f"/b{target[2:]}", "/home")
        return make_html("/home") if target.startswith("/b") else None

    with serve(answer) as web:
        hosts.append(web.local)
        whole = crawl_site(web.url, tmp_path / "whole")
        part = crawl_site(web.url, tmp_path / "part", max_pages=3)
        assert len(part.pages) == 3
        rest = crawl_site(web.url, tmp_path / "part")
    assert len(whole.pages) == 17
    assert {page["url"] for page in rest.pages} == {page["url"] for page in whole.pages}


class _CookieHandler(BaseHTTPRequestHandler):
    """A site that shows nothing to anybody who does not send its cookie back."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        seen: Counter[str] = self.server.seen  # type: ignore[attr-defined]
        seen[self.path] += 1
        has_cookie = "pass=1" in self.headers.get("Cookie", "")
        body = b""
        if self.path == "/robots.txt":
            self.send_response(404)
        elif self.path.startswith("/set"):
            self.send_response(302)
            self.send_header("Set-Cookie", "pass=1; Path=/")
            self.send_header("Location", self.path.partition("?to=")[2])
        elif not has_cookie:
            self.send_response(302)
            self.send_header("Location", f"/set?to={self.path}")
        else:
            links = "".join(f'<a href="/p{n}">x</a>' for n in range(4))
            body = f"<title>{self.path}</title>{links}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def cookie_site() -> Iterator[tuple[str, Counter[str]]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _CookieHandler)
    server.seen = Counter[str]()  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/", server.seen  # type: ignore[attr-defined]
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_site_that_sets_a_cookie_first_is_crawled(
    cookie_site: tuple[str, Counter[str]], crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    url, seen = cookie_site
    asked = tmp_path / "asked"
    env = {"TLDEXTRACT_CACHE": str(asked)}
    crawl = crawl_site(url, tmp_path / "crawl", timeout=STUCK, env=env)
    assert sorted(crawl.targets) == ["/", "/p0", "/p1", "/p2", "/p3"]
    assert crawl.err == ""
    assert not asked.exists(), "two hosts on the net were asked for the list of public suffixes"
    assert seen["/"] == 2
    assert [seen[f"/p{n}"] for n in range(4)] == [1, 1, 1, 1]
