"""A crawl that dies, is stopped, or is cut short ends like one that was left alone."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.crawl.kills import answer, assert_equal, stored_items
from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, MakePage, ReadCrawl, Serve, SiteCrawler, Web

End = Callable[..., subprocess.CompletedProcess[str]]
STUCK = 90


@pytest.fixture(scope="module")
def web(serve: Serve) -> Iterator[Web]:
    with serve(answer) as server:
        yield server


@pytest.fixture(scope="module")
def whole(web: Web, crawl_site: SiteCrawler, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """A crawl that nothing has happened to."""
    return crawl_site(web.url, tmp_path_factory.mktemp("whole") / "crawl")


@pytest.mark.parametrize("requests", [1, 30, 80])
def test_after_a_kill_the_same_command_goes_on(
    whole: Crawl, web: Web, crawl_site: SiteCrawler, tmp_path: Path, requests: int
) -> None:
    folder = tmp_path / "crawl"
    assert crawl_site.stopped(web, folder, requests, signal.SIGKILL) == -signal.SIGKILL
    assert_equal(crawl_site(web.url, folder), whole)


def test_a_crawl_survives_one_kill_after_the_other(
    whole: Crawl, web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    for requests in (50, 15, 20):
        assert crawl_site.stopped(web, folder, requests, signal.SIGKILL) == -signal.SIGKILL
        stored = stored_items(folder)
        assert set(stored.values()) <= {1}
    assert_equal(crawl_site(web.url, folder), whole)


def test_an_interrupt_ends_the_crawl_with_its_files(
    whole: Crawl, web: Web, crawl_site: SiteCrawler, read_crawl: ReadCrawl, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    assert crawl_site.stopped(web, folder, 40, signal.SIGINT) in (0, 130)
    part = read_crawl(folder)
    assert 0 < len(part.pages) < len(whole.pages)
    assert part.coverage["stopped"] == "shutdown"
    assert set(part.reasons.values()) == {"shutdown"}
    assert {item["url"] for item in part.items} == {page["url"] for page in part.pages}
    assert part.loaded()
    web.forget()
    rest = crawl_site(web.url, folder)
    assert not set(web.asked) & set(part.targets), "pages were fetched again"
    assert_equal(rest, whole)


def test_more_pages_than_before_continue_the_crawl_and_templates_keep_their_ids(
    whole: Crawl, web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    web.forget()
    parts = []
    for most in (30, 70):
        parts.append(crawl_site(web.url, tmp_path / "crawl", max_pages=most))
        assert len(parts[-1].pages) == most
    rest = crawl_site(web.url, tmp_path / "crawl")
    assert_equal(rest, whole)
    counts = web.counts
    del counts["/robots.txt"]
    assert set(counts.values()) == {1}
    found = rest.json("templates.json")["templates"]
    ids = [id_ for row in found for id_ in (row["id"], *row["aliases"])]
    assert len(set(ids)) == len(ids)
    for part in parts:
        for id_, count in Counter(page["template"] for page in part.pages).items():
            assert id_ is None or count <= 5 or id_ in ids


@pytest.mark.parametrize("kind", ["error", "redirect"])
def test_an_interrupt_while_a_page_is_to_be_fetched_again_ends_too(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, end: End, tmp_path: Path, kind: str
) -> None:
    """Pages that wait for the turn of one that will not come any more must be let go."""
    names = [f"/p{n}" for n in range(60)]
    home, page = make_html(*names), make_html("/")
    stopping = threading.Event()

    def busy(target: str) -> Answer | None:
        if target == "/p0" and not stopping.is_set():
            stopping.wait(STUCK)
            if kind == "error":
                return Answer(b"busy", 503)
            return Answer(status=302, headers=(("Location", "/p0"),))
        return home if target == "/" else page if target in names else None

    with serve(busy) as server:
        with crawl_site.start(server.url, tmp_path / "crawl") as process:
            server.wait(8)
            process.send_signal(signal.SIGINT)
            time.sleep(1)
            stopping.set()
            assert end(process, STUCK).returncode in (0, 130)
        rest = crawl_site(server.url, tmp_path / "crawl")
    assert sorted(rest.targets) == sorted(["/", *names])


def test_a_kill_amid_redirects_media_and_failures(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """What was learnt of each before the kill is known after it."""
    names = [f"/p{n}" for n in range(30)]
    files = [f"/f{n}.{suffix}" for n in range(12) for suffix in ("pdf", "zip")]
    table = {name: make_html("/", f"{name}x", f"{name}.pdf") for name in names}
    table.update({f"{name}x": make_html("/circle") for name in names[::3]})
    to = {"/old": "/p3", "/new": "/old", "/circle": "/round", "/round": "/circle"}
    table.update({
        old: Answer(status=302, headers=(("Location", new),)) for old, new in to.items()
    })  # fmt: skip
    table.update(dict.fromkeys(files[::2], Answer(b"%PDF", type="application/pdf")))
    table["/"] = make_html(*files, *to, *names)
    with serve(table) as server:
        whole = crawl_site(server.url, tmp_path / "whole")
        folder = tmp_path / "crawl"
        for requests in (20, 25):
            crawl_site.stopped(server, folder, requests, signal.SIGKILL)
        found = crawl_site(server.url, folder)
    assert_equal(found, whole)
    assert set(whole.reasons.values()) == {"not html", "media", "http 404", "redirect loop"}
