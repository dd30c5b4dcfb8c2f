"""A page at which the parser kills its process: the crawl dies of it once, not for ever."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.crawl.vigil import FILE, DeadlyPage, Vigil
from tplcrawl.evaluation.serving import Answer
from tplcrawl.page.limits import DEADLY
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve, SiteCrawler, Web

FAULTY = """
import os, signal
from tplcrawl.crawl import arrivals

look = arrivals.profile_of

def faulty(url, body, *rest, **given):
    if b"a fault" in body:
        os.kill(os.getpid(), signal.SIGSEGV)
    return look(url, body, *rest, **given)

arrivals.profile_of = faulty
"""
"""What the interpreter does first: pages of a mark do to the process what a fault in C does."""

PAGES = 40
DEADLY_ONES = ("/7", "/23")


@pytest.fixture
def web(serve: Serve, make_html: MakePage) -> Iterator[Web]:
    def answer(target: str) -> Answer | None:
        if target == "/robots.txt":
            return None
        number = int(target[1:] or 0)
        links = [f"/{n}" for n in range(number + 1, min(number + 6, PAGES))]
        return make_html(*links, body="a fault" if target in DEADLY_ONES else "")

    with serve(answer) as server:
        yield server


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "crawl") as store:
        yield store


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "faulty"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(FAULTY)
    return {"PYTHONPATH": os.pathsep.join([str(folder), *os.environ.get("PYTHONPATH", "").split()])}


def test_a_page_that_kills_a_crawl_does_so_once(
    web: Web, crawl_site: SiteCrawler, env: dict[str, str], tmp_path: Path
) -> None:
    """Each of two pages costs one run; what they would have linked to is found elsewhere."""
    folder = tmp_path / "crawl"
    for _ in DEADLY_ONES:
        crawl_site(web.url, folder, env=env, code=-signal.SIGSEGV, load=False)
    crawl = crawl_site(web.url, folder, env=env)
    lines = (folder / "skipped.jsonl").read_text(encoding="utf-8").splitlines()
    left = {line["url"]: line["reason"] for line in map(json.loads, lines)}
    assert left == {f"{web.url.rstrip('/')}{path}": DEADLY for path in DEADLY_ONES}
    assert len(crawl.pages) == PAGES - len(DEADLY_ONES)
    assert f"died while it read {web.url.rstrip('/')}{DEADLY_ONES[1]}" in crawl.err
    assert not (folder / FILE).exists()


def test_of_a_kill_no_page_is_guilty(store: Store) -> None:
    """Whoever is killed while it reads leaves the page here, but nothing of a fault."""
    vigil = Vigil(store)
    with vigil.over("http://a.com/1"):
        left = (store.folder / FILE).read_bytes()
    vigil.close()
    assert left.startswith(b"http://a.com/1\0")
    (store.folder / FILE).write_bytes(left)
    vigil = Vigil(store)
    with vigil.over("http://a.com/1"):
        pass
    between = (store.folder / FILE).read_bytes()
    vigil.close()
    (store.folder / FILE).write_bytes(between + b"Fatal Python error: Segmentation fault")
    with Vigil(store).over("http://a.com/1"):
        """A fault between two pages is nobody's."""


def test_what_killed_once_is_never_read_again(store: Store) -> None:
    (store.folder / FILE).write_bytes(b"http://a.com/1".ljust(2084, b"\0") + b"Fatal Python error")
    for _ in range(2):
        vigil = Vigil(store)
        with pytest.raises(DeadlyPage), vigil.over("http://a.com/1"):
            pytest.fail("read again")
        with vigil.over("http://a.com/2"):
            pass
        vigil.close()


def test_where_nothing_can_be_noted_pages_are_read_all_the_same(store: Store) -> None:
    """Catches pages that are lost for good where a disk is full: the crawl goes on later."""
    (store.folder / FILE).mkdir()
    vigil = Vigil(store)
    read = []
    with vigil.over("http://a.com/1"):
        read.append(1)
    vigil.close()
    assert read == [1]
