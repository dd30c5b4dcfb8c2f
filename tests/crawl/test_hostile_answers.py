"""Answers that want to harm by how they are sent, and pages that want to spoil the templates."""

from __future__ import annotations

import gzip
import socket
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import brotli
import pytest
from backports import zstd

from tplcrawl.evaluation.serving import HTML, Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, MakePage, Serve, SiteCrawler

GZIP = (("Content-Encoding", "gzip"),)
LIES = {
    "/utf16-lie": Answer(b"<title>a</title><a href=/ok>x</a>", type="text/html; charset=utf-16"),
    "/bogus": Answer(b"<title>b</title><a href=/ok>x</a>", type="text/html; charset=bogus"),
    "/utf7": Answer(b"<title>c</title>+ADw-script+AD4-", type="text/html; charset=utf-7"),
    "/binary": Answer(bytes(range(256)) * 8000),
    "/png": Answer(b"\x89PNG\r\n\x1a\n" + bytes(5000)),
    "/cookies": Answer(
        b"<title>d</title>", headers=tuple(("Set-Cookie", f"c{n}={n}" * 20) for n in range(90))
    ),
    "/refresh": Answer(b"<meta http-equiv=refresh content='0;url=/again'><title>e</title>"),
    "/again": Answer(b"<meta http-equiv=refresh content='0;url=/refresh'><title>e</title>"),
    "/xhtml": Answer(
        b"<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'aaaaaaaaaa'>"
        + b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 9))
        + b"]><html xmlns='http://www.w3.org/1999/xhtml'><title>f</title><p>&a8;</p></html>",
        type="application/xhtml+xml",
    ),
    "/ids": Answer(b"<title>g</title>" + b"<p id=a>x</p>" * 2000),
    "/schemes": Answer(
        b"<a href='file:///etc/passwd'>x</a><a href='ftp://127.0.0.1/x'>x</a>"
        b"<a href='data:,x'>x</a>"
        b"<a href='javascript:x()'>x</a><a href='http://[::1'>x</a><a href='//0x7f.1/x'>x</a>"
        b"<a href='http://127.0.0.1:1/x'>x</a><a href='http://169.254.169.254/latest'>x</a>"
    ),
    "/attribute": Answer(b"<p title='" + b"x" * 10_000_000 + b"'>x</p><a href=/ok>x</a>"),
}  # fmt: skip
BOMB = "/bomb"
STORED = {"/packed": 7_000_000, "/packed-long": 9_000_000}
SPACES = b" " * 500_000_000


def bomb() -> bytes:
    """500 MB of spaces in half a megabyte."""
    packer, block = zlib.compressobj(9, wbits=31), b" " * 1_000_000
    parts = [packer.compress(b"<html>")]
    parts += [packer.compress(block) for _ in range(500)]
    return b"".join([*parts, packer.flush()])


def packed(body: bytes, how: str) -> Answer:
    return Answer(body, headers=(("Content-Encoding", how),))


def stored(size: int) -> bytes:
    """So many bytes as archives that save nothing."""
    packer = zlib.compressobj(0)
    return packer.compress(b"<title>i</title>".ljust(size)) + packer.flush()


@pytest.fixture(scope="module")
def crawl(
    serve: Serve,
    make_html: MakePage,
    crawl_site: SiteCrawler,
    tmp_path_factory: pytest.TempPathFactory,
) -> Crawl:
    table = {
        "/": make_html(*LIES, BOMB, "/twice", "/brotli", "/zstd", *STORED, "/broken", "/ok"),
        "/ok": make_html("/"),
        BOMB: Answer(bomb(), headers=GZIP),
        "/twice": Answer(gzip.compress(bomb()), headers=(("Content-Encoding", "gzip, gzip"),)),
        "/brotli": packed(brotli.compress(SPACES, quality=1), "br"),
        "/zstd": packed(zstd.compress(SPACES), "zstd"),
        **{path: packed(stored(size), "deflate") for path, size in STORED.items()},
        "/broken": Answer(gzip.compress(b"<title>h</title>" * 99)[:-20], headers=GZIP),
        "/robots.txt": Answer(
            b"User-agent: *\nDisallow: /" + b"*a" * 40 + b"$\n" + b"Disallow: /x*y*z$\n" * 20_000
            + b"Sitemap: http://127.0.0.1:1/\n" * 1000 + b"Crawl-delay: 99999\n\xff\xfe\0",
            type="text/plain",
        ),
        **LIES,
    }  # fmt: skip
    with serve(table) as web:
        return crawl_site(web.url, tmp_path_factory.mktemp("lies") / "crawl", timeout=300)


def test_lying_answers_cost_at_most_themselves(crawl: Crawl) -> None:
    assert "/ok" in crawl.targets
    known = {*crawl.targets, *crawl.reasons}
    assert {*LIES, "/packed", "/broken", "/"} <= known
    for bomb in (BOMB, "/twice", "/brotli", "/zstd", "/packed-long"):
        assert crawl.reasons[bomb] == "too large", bomb
    assert "/packed" in crawl.targets
    assert len(crawl.pages) >= len(LIES) - 1
    assert crawl.err == ""


def test_no_scheme_or_port_but_the_sites_is_followed(crawl: Crawl) -> None:
    urls = [line["url"] for name in ("pages.jsonl", "skipped.jsonl") for line in crawl.lines(name)]
    home = crawl.pages[0]["url"]
    assert all(url.startswith(home) for url in urls)


def test_a_body_that_drips_is_given_up(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """A byte now and then keeps no page alive beyond the timeout."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        home = make_html("/drip", "/ok").body

        def talk() -> Iterator[None]:
            while True:
                connection, _ = server.accept()
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

        def answer(connection: socket.socket) -> None:
            with connection:
                head = f"HTTP/1.1 200 OK\r\nContent-Type: {HTML}\r\nConnection: close\r\n".encode()
                asked = connection.recv(65536).split(b" ")[1]
                if asked != b"/drip":
                    body = home if asked != b"/robots.txt" else b""
                    connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
                    return
                connection.sendall(head + b"Content-Length: 100000\r\n\r\n<html>")
                while not over.wait(0.2):
                    try:
                        connection.sendall(b" ")
                    except OSError:
                        return

        threading.Thread(target=lambda: list(talk()), daemon=True).start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        found = crawl_site(url, tmp_path / "crawl", "DOWNLOAD_TIMEOUT=3", "RETRY_TIMES=0")
        over.set()
    assert sorted(found.targets) == ["/", "/ok"]
    assert found.reasons == {"/drip": "timeout"}


def page_of(kind: str, *links: str) -> Answer:
    """Two kinds of pages that share nothing but the body."""
    rows = "".join(f"<a href={link}>x</a>" for link in links)
    inner = (
        f"<table class=t>{'<tr><td class=cell>x</td></tr>' * 5}</table>"
        if kind == "table"
        else f"<dl class=d>{'<dt class=term>x</dt><dd class=told>y</dd>' * 5}</dl>"
    )
    return Answer(f"<html><body class={kind}>{inner}<p>{rows}</p></body></html>".encode())


def test_a_page_that_bridges_two_templates_merges_them_not(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Pages made of the parts of both, linked from where both are linked, in number."""
    tables, lists = [f"/t/{n}" for n in range(40)], [f"/l/{n}" for n in range(40)]
    bridges = [f"/b/{n}" for n in range(6)]
    both = page_of("table").body + page_of("list").body

    def answer(target: str) -> Answer | None:
        if target in tables:
            return page_of("table", "/", *bridges, *tables[::9])
        if target in lists:
            return page_of("list", "/", *bridges, *lists[::9])
        if target in bridges:
            return Answer(both + b"".join(b"<a href=%s>x</a>" % p.encode() for p in tables + lists))
        if target == "/":
            rows = "".join(f"<ul><li><a href={p}>x</a></li></ul>" for p in tables)
            rows += "".join(f"<ol><li><a href={p}>x</a></li></ol>" for p in lists)
            return Answer(f"<html><body>{rows}</body></html>".encode())
        return None

    with serve(answer) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", timeout=300)
    first = {crawl.by_target[path]["template"] for path in tables}
    other = {crawl.by_target[path]["template"] for path in lists}
    assert not first & other
    assert len(first) == len(other) == 1
