"""The report while a crawl runs: ``TPLCRAWL_LIVE=1``."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve, SiteCrawler, Web

PAGES = 40


@dataclass
class Watched:
    """A crawl at work, and its report."""

    url: str
    process: subprocess.Popen[str]
    web: Web
    go_on: threading.Event
    folder: Path

    def ask(self, path: str = "/", method: str = "GET", host: str | None = None) -> Any:
        """The answer to a request: status, headers, body."""
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
        connection.request(method, path, headers={"Host": host or parts.netloc})
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found


@pytest.fixture
def watched(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> Iterator[Watched]:
    """A crawl of which 30 pages have come, and which waits for the others."""
    go_on = threading.Event()

    def answer(target: str) -> Answer | None:
        if target == "/":
            return make_html(*(f"/p/{n}" for n in range(PAGES)))
        if target.startswith("/p/"):
            if int(target[3:]) >= 30:
                go_on.wait(60)
            return make_html("/", title=target)
        return None

    with serve(answer) as web:
        folder = tmp_path / "crawl"
        process = crawl_site.start(
            web.url, folder, "TPLCRAWL_LIVE=1", "TPLCRAWL_HURRY_LOCAL=True",
        )  # fmt: skip
        assert process.stderr is not None
        line = process.stderr.readline()
        told = re.fullmatch(r"tplcrawl: live report at (http://127\.0\.0\.1:\d+/)\n", line)
        assert told, line
        web.wait(36)
        try:
            yield Watched(told[1], process, web, go_on, folder)
        finally:
            go_on.set()
            process.send_signal(signal.SIGKILL)
            process.communicate()


def numbers(watched: Watched) -> Any:
    status, _, body = watched.ask("/coverage.json")
    assert status == 200
    return json.loads(body)


def test_the_figures_of_a_running_crawl_move(watched: Watched) -> None:
    told = numbers(watched)
    while told["funnel"]["pages"] < 25:
        told = numbers(watched)
    assert told["stopped"] == "running"
    assert told["states"]["queued"] > 0
    assert any("will be next" in one["text"] for one in told["findings"])
    assert b"the crawl is running" in watched.ask()[2]
    watched.go_on.set()
    assert watched.process.wait(60) == 0
    final = json.loads((watched.folder / "coverage.json").read_text())
    assert final["funnel"]["pages"] == PAGES + 1 > told["funnel"]["pages"]
    assert final["stopped"] == "finished"
    with pytest.raises(ConnectionRefusedError):
        watched.ask()
    assert not list(watched.folder.glob("crawl.db-*"))


def test_it_is_the_report_and_may_ask_its_own_server_only(watched: Watched) -> None:
    status, headers, body = watched.ask()
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert b"connect-src 'self'" in body.replace(b"&#39;", b"'")
    assert b"<h1" in body
    assert watched.ask(method="HEAD")[2] == b""


def test_nothing_can_be_changed_and_nothing_else_is_served(watched: Watched) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert watched.ask(method=method)[0] == 501
    for path in ("/crawl.db", "/../crawl.db", "//etc/passwd", "/report.html", "/?x", "/%2e%2e/x"):
        assert watched.ask(path)[0] == (200 if path == "/?x" else 404)


def test_a_strangers_name_for_this_machine_is_refused(watched: Watched) -> None:
    """DNS rebinding: a page on evil.example lets its name resolve to 127.0.0.1."""
    port = urlsplit(watched.url).port
    for host in (f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1:{port}.evil", ""):
        assert watched.ask(host=host or " ")[0] == 421
    assert watched.ask(host=f"localhost:{port}")[0] == 200


def test_it_listens_on_loopback_alone(watched: Watched) -> None:
    port = urlsplit(watched.url).port
    rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    listening = [row.split()[1] for row in rows if row.split()[3] == "0A"]
    assert [one for one in listening if one.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]


def test_nothing_is_served_unless_it_is_asked_for(
    serve: Serve, make_html: Callable[..., Answer], crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    with serve({"/": make_html()}) as web:
        assert crawl_site(web.url, tmp_path / "crawl").err == ""
