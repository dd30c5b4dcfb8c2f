"""No page makes the crawler ask this machine or its network, but for hosts that users named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.crawl.resolver import Guard
from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve, SiteCrawler

HERE = "127.0.0.2"
"""Stands for the host that users named. All other names of this machine are as private as any."""
NAMES = ("127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "017700000001", "0.0.0.0")


def test_names_of_private_addresses_are_not_asked(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """A start page may lead to its real host: then not to one that is private."""
    with serve(lambda target: make_html("/more")) as inner:
        table = {
            f"/{n}": Answer(status=302, headers=(("Location", f"http://{name}:{inner.port}/x"),))
            for n, name in enumerate(NAMES)
        }
        table |= {"/": make_html("/a"), "/a": make_html("/")}
        with serve(table, host=HERE) as web:
            starts = [web.url, *(f"{web.url}{n}" for n in range(len(NAMES)))]
            crawl = crawl_site(",".join(starts), tmp_path / "crawl", load=False)
        assert inner.asked == []
    assert crawl.targets == ["/", "/a"]
    told = {line["url"]: line["reason"] for line in crawl.lines("skipped.jsonl")}
    assert len(told) >= 3  # some of the names are spelt alike in normal form
    assert set(told.values()) == {"private address"}
    assert crawl.coverage["reasons"] == {"private address": len(told)}
    assert crawl.err == ""


def test_named_hosts_may_be_private(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    table = {"/": make_html("/a"), "/a": make_html("/")}
    with serve(table) as one, serve(table, host=HERE) as other:
        crawl = crawl_site(f"{one.url} {other.url}", tmp_path / "crawl")
    assert sorted(page["url"] for page in crawl.pages) == sorted(
        [one.url, other.url, f"{one.url}a", f"{other.url}a"]
    )


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0",
     "100.64.0.1", "198.18.0.1", "255.255.255.255", "240.0.0.1"],
)  # fmt: skip
def test_private_addresses(address: str) -> None:
    guard = Guard()
    assert guard.admits("a.test", address), "no site is crawled"
    guard.name(["http://user:word@a.test:8080/x", "proxy.test:3128"])
    assert not guard.admits("b.test", address)
    assert not guard.admits("www.a.test", address)
    assert guard.admits("A.test", address)
    assert guard.admits("proxy.test", address)
    assert guard.admits("www.a.test", address), "nothing new is reached"
    assert guard.refused == {"b.test", "www.a.test"}
    assert guard.admits("b.test", "8.8.8.8")
