"""Servers that do not keep to HTTP: each answer costs at most itself, and the crawl goes on."""

from __future__ import annotations

import gzip
import socketserver
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Crawl, SiteCrawler

Talk = Callable[[socketserver.StreamRequestHandler], None]
PAGE = b"<title>x</title><a href=/ok>ok</a><p>text</p>"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
SECONDS = 8.0


def sized(body: bytes, *lines: bytes, first: bytes = OK) -> bytes:
    """An answer that is as long as it says."""
    more = b"".join(line + b"\r\n" for line in lines)
    return first + more + b"Content-Length: %d\r\n\r\n" % len(body) + body


def chunked(body: bytes) -> bytes:
    return OK + b"Transfer-Encoding: chunked\r\n\r\n" + body


def again_and_again(part: bytes, first: bytes = b"", pause: float = 0.0) -> Talk:
    """Sends *first*, then *part* until nobody listens any more."""

    def talk(one: socketserver.StreamRequestHandler) -> None:
        end = time.monotonic() + SECONDS
        one.wfile.write(first)
        while time.monotonic() < end:
            one.wfile.write(part)
            time.sleep(pause)

    return talk


def to(location: bytes, status: bytes = b"302 Found") -> bytes:
    return sized(b"this way", b"Location: " + location, first=b"HTTP/1.1 " + status + b"\r\n")


def encoded(name: bytes, body: bytes) -> bytes:
    return sized(body, b"Content-Encoding: " + name)


def called(charset: bytes, body: bytes = PAGE) -> bytes:
    first = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=" + charset + b"\r\n"
    return sized(body, first=first)


def status(line: bytes, body: bytes = PAGE) -> bytes:
    return sized(body, b"Content-Type: text/html", first=b"HTTP/1.1 " + line + b"\r\n")


ATTACKS: Mapping[str, bytes | Talk] = {
    # broken off
    "/nothing": b"",
    "/half-a-line": b"HTTP/1.1 2",
    "/half-a-header": OK + b"X-Half: a",
    "/half-a-body": OK + b"Content-Length: 5000\r\n\r\n" + PAGE,
    "/garbage": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\xff" * 500,
    "/version-0.9": PAGE,
    "/version-9": b"HTTP/9.9 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE,
    "/lines": sized(PAGE).replace(b"\r\n", b"\n"),
    # lengths that lie
    "/longer": OK + b"Content-Length: 9\r\n\r\n" + PAGE + sized(PAGE),
    "/negative": OK + b"Content-Length: -5\r\n\r\n" + PAGE,
    "/words": OK + b"Content-Length: many\r\n\r\n" + PAGE,
    "/huge": OK + b"Content-Length: 99999999999999999999\r\n\r\n" + PAGE,
    "/two-lengths": OK + b"Content-Length: 5\r\nContent-Length: 50\r\n\r\n" + PAGE,
    "/both": OK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<p\r\n0\r\n\r\n",
    "/chunk-of-words": chunked(b"zz\r\n" + PAGE),
    "/chunk-below-zero": chunked(b"-1\r\n" + PAGE),
    "/chunk-of-all": chunked(b"f" * 40 + b"\r\n" + PAGE),
    "/chunk-without-end": chunked(b"%x\r\n%s\r\n" % (len(PAGE), PAGE)),
    "/chunk-with-a-tale": chunked(b"5;" + b"x" * 100_000 + b"\r\n<p>ab\r\n0\r\n\r\n"),
    "/chunks": chunked(b"1\r\nx\r\n" * 200_000 + b"0\r\n\r\n"),
    "/trailers": chunked(b"0\r\n" + b"X-More: 1\r\n" * 20_000 + b"\r\n"),
    # heads without end
    "/line": OK + b"X-Long: " + b"a" * 5_000_000 + b"\r\n\r\n" + PAGE,
    "/heads": OK + b"X-More: 1\r\n" * 100_000 + b"\r\n" + PAGE,
    "/heads-for-ever": again_and_again(b"X-More: 1\r\n" * 1000, OK),
    "/head-that-drips": again_and_again(b"X-More: 1\r\n", OK, 0.2),
    "/continue": b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000 + sized(PAGE),
    "/continue-for-ever": again_and_again(b"HTTP/1.1 100 Continue\r\n\r\n" * 100, pause=0.01),
    "/cookies": sized(PAGE, *(b"Set-Cookie: c%d=%s" % (n, b"v" * 40) for n in range(10_000))),
    "/cookie": sized(PAGE, b"Set-Cookie: c=" + b"v" * 3_000_000),
    "/controls": sized(PAGE, b"X-\x01\x7f: \x00\x1b[31m\xff", b": no name", b" folded", b"odd"),
    "/body-for-ever": again_and_again(b"<p>more</p>" * 100_000, OK + b"\r\n"),
    # statuses
    "/s0": status(b"0 Zero"), "/s-1": status(b"-1 Minus"), "/s99999": status(b"99999 Much"),
    "/s999": status(b"999 Odd"), "/sword": status(b"two hundred"), "/s101": status(b"101 Switch"),
    "/s204": status(b"204 Nothing"), "/s206": status(b"206 Part"), "/s304": status(b"304 Same"),
    "/s300": status(b"300 Many"), "/s401": status(b"401 Who"), "/s407": status(b"407 Proxy"),
    "/reason": status(b"200 " + b"\xff\x1b[2J" * 20_000),
    # other places
    "/to-nowhere": to(b""), "/to-script": to(b"javascript:alert(1)"), "/to-data": to(b"data:,x"),
    "/to-file": to(b"file:///etc/passwd"), "/to-broken": to(b"http://[::1"),
    "/to-controls": to(b"/\x00\x01\x1b[31m\xff\xfe"), "/to-far": to(b"/" + b"f" * 100_000),
    "/to-port": to(b"http://127.0.0.1:1/"), "/to-ports": to(b"http://127.0.0.1:99999/"),
    "/to-dots": to(b"http://a..b/"), "/to-label": to(b"http://" + b"h" * 300 + b".test/"),
    "/to-idn": to("http://xn--\N{CYRILLIC SMALL LETTER A}.test/".encode()),
    "/to-mail": to(b"mailto:a@b.test"), "/to-user": to(b"http://user:word@127.0.0.1:1/"),
    "/to-two": sized(b"", b"Location: /ok", b"Location: /two", first=b"HTTP/1.1 302 Two\r\n"),
    "/refreshing": sized(PAGE, b"Refresh: 0;url=/refreshing"),
    # encodings
    "/br": encoded(b"br", b"\xff" * 5000), "/zstd": encoded(b"zstd", b"\xff" * 5000),
    "/deflate": encoded(b"deflate", b"\x78\x9c" + b"\xff" * 500),
    "/raw-deflate": encoded(b"deflate", zlib.compress(PAGE)[2:-4]),
    "/no-gzip": encoded(b"gzip", PAGE), "/odd": encoded(b"\x00\xff, x-odd", PAGE),
    "/empty-gzip": encoded(b"gzip", b""),
    "/many-times": encoded(b"gzip, " * 5000 + b"gzip", gzip.compress(PAGE)),
    "/gzip-tail": encoded(b"gzip", gzip.compress(PAGE) + b"\xff" * 5000),
    "/gzip-parts": encoded(b"gzip", gzip.compress(b"<p>") * 20_000),
    # charsets
    **{f"/as-{name}": called(name.encode()) for name in (
        "utf-32", "utf-7", "rot13", "hex", "bz2", "zip", "base64", "idna", "punycode", "undefined",
        "unicode_escape", "raw_unicode_escape", "uu", "quopri", "mbcs", "utf-8-sig", "cp65001",
        "iso-2022-jp", "hz",
    )},
    "/as-path": called(b"../../etc/passwd"),
    "/as-long": called(b"x" * 50_000), "/as-bytes": called(b"\xff\x00\xfe"),
    "/bom-32": called(b"utf-8", b"\xff\xfe\x00\x00" + PAGE.decode().encode("utf-32-le")),
    "/bom-16": called(b"utf-8", b"\xfe\xff" + PAGE.decode().encode("utf-16-be") + b"\x00"),
    "/type": sized(PAGE, first=b"HTTP/1.1 200 OK\r\nContent-Type: text/html" + b";a=b" * 20_000
                   + b"\r\n"),
    "/no-type": sized(PAGE, first=b"HTTP/1.1 200 OK\r\n"),
    "/two-types": sized(PAGE, b"Content-Type: image/png"),
}  # fmt: skip
FRIENDLY = {f"/friendly/{number}": b"<title>friendly</title><p>text</p>" for number in range(20)}


@contextmanager
def raw_server(answers: Mapping[str, bytes | Talk]) -> Iterator[str]:
    """Sends bytes as they are, and hangs up. Yields its URL."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                target = self.rfile.readline(500_000).split(b" ")[1].decode("latin-1")
                while self.rfile.readline(500_000).strip():
                    pass
                given = answers.get(target, sized(b"no", first=b"HTTP/1.1 404 No\r\n"))
                if isinstance(given, bytes):
                    self.wfile.write(given)
                else:
                    given(self)

        def finish(self) -> None:
            with suppress(OSError):
                super().finish()

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 128

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def crawl(crawl_site: SiteCrawler, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    links = "".join(f"<a href='{path}'>x</a>" for path in (*ATTACKS, *FRIENDLY, "/ok"))
    pages = {"/": sized(links.encode()), "/ok": sized(b"<a href=/>home</a>"),
             **{path: sized(body) for path, body in FRIENDLY.items()}}  # fmt: skip
    with raw_server({**pages, **ATTACKS}) as url:
        return crawl_site(
            url, tmp_path_factory.mktemp("wire") / "crawl", "DOWNLOAD_TIMEOUT=6", "RETRY_TIMES=0",
            timeout=240,
        )  # fmt: skip


def test_every_page_of_the_rest_is_there(crawl: Crawl) -> None:
    assert {"/", "/ok", *FRIENDLY} <= set(crawl.targets)
    assert crawl.coverage["stopped"] == "finished"
    assert crawl.err == ""


def test_everything_that_was_asked_for_is_told_of(crawl: Crawl) -> None:
    """As a page or with a reason in words; a redirect that leads on is a URL of its own."""
    led_on = {"/to-two": "/two", "/to-controls": "/%00%01%1B%5B31m%FF%FE"}
    wanted = {*ATTACKS, *led_on.values()} - led_on.keys()
    assert wanted <= {*crawl.targets, *crawl.reasons}
    words = {
        "broken answer", "connection lost", "not html", "redirect loop", "redirect offsite",
        "timeout", "too large",
    }  # fmt: skip
    told = {reason for reason in crawl.reasons.values() if not reason.startswith("http ")}
    assert told <= words


def test_answers_that_cannot_be_unpacked_are_broken(crawl: Crawl) -> None:
    for path in ("/br", "/zstd", "/deflate", "/no-gzip", "/to-script", "/to-ports"):
        assert crawl.reasons[path] == "broken answer", path


def test_only_the_first_half_megabyte_of_robots_txt_counts(
    crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """A million rules would be looked at for every URL."""
    rules = b"".join(b"Disallow: /*%d*no$\n" % number for number in range(600_000))
    robots = b"User-agent: *\nDisallow: /early\n" + rules + b"Disallow: /late\n"
    answers = {
        "/robots.txt": sized(robots, first=b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"),
        "/": sized(b"<a href=/early>x</a><a href=/late>x</a>"), "/late": sized(PAGE),
    }  # fmt: skip
    with raw_server(answers) as url:
        crawl = crawl_site(url, tmp_path / "crawl")
    assert crawl.reasons["/early"] == "robots.txt"
    assert "/late" in crawl.targets
