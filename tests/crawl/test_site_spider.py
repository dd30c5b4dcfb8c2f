from __future__ import annotations

import re
from typing import Any

import pytest
from scrapy.utils.test import get_crawler

from tplcrawl.crawl.frontier import is_ours
from tplcrawl.crawl.site import SiteSpider
from tplcrawl.errors import UsageError
from tplcrawl.store.urls import DENIED, DEPTH


@pytest.mark.parametrize(
    ("given", "urls"),
    [
        ("example.com", ["http://example.com/"]),
        ("https://a.test/x", ["https://a.test/x"]),
        ("http://a.test/,http://b.test/y", ["http://a.test/", "http://b.test/y"]),
        ("http://a.test/ b.test", ["http://a.test/", "http://b.test/"]),
        ("a.test, localhost:8000/x", ["http://a.test/", "http://localhost:8000/x"]),
        ("http://a.test/1,2,3", ["http://a.test/1,2,3"]),
        ("http://a.test/?q=a,b", ["http://a.test/?q=a,b"]),
        ("http://a.test/x,\n\thttp://b.test/,", ["http://a.test/x", "http://b.test/"]),
        ("  http://a.test/  ", ["http://a.test/"]),
    ],
)
def test_several_urls_are_told_apart(given: str, urls: list[str]) -> None:
    assert SiteSpider(given).start_urls == urls


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "url="),
        ({"url": " , "}, "url="),
        ({"url": "http://"}, "http://"),
        ({"url": "http://[::1"}, "http://[::1"),
        ({"url": "http://a.test:port/"}, "a.test:port"),
        ({"url": "http://a.test:99999/"}, "99999"),
        ({"url": "http://a b/"}, "a b"),
        ({"url": "ftp://a.test/"}, "ftp://a.test/"),
        ({"url": "file:///etc/passwd"}, "file:///etc/passwd"),
        ({"url": "javascript://x"}, "javascript://x"),
        ({"url": "a.test", "colour": "red"}, "colour"),
        ({"url": "a.test", "max_pages": "0"}, "max_pages"),
        ({"url": "a.test", "max_pages": -3}, "max_pages"),
        ({"url": "a.test", "max_pages": "ten"}, "max_pages"),
        ({"url": "a.test", "max_pages": "1.5"}, "max_pages"),
        ({"url": "a.test", "allow": "("}, "allow"),
        ({"url": "a.test", "deny": "[z-a]"}, "deny"),
        ({"url": "a.test", "subdomains": "perhaps"}, "subdomains"),
    ],
)
def test_a_wrong_argument_is_told_in_one_line(arguments: dict[str, Any], word: str) -> None:
    with pytest.raises(UsageError, match=re.escape(word)) as caught:
        SiteSpider(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("given", "most"), [(None, None), ("", None), ("7", 7), (7, 7)])
def test_the_most_pages_may_be_a_number_or_nothing(given: Any, most: int | None) -> None:
    assert SiteSpider("a.test", max_pages=given).max_pages == most


def test_patterns_are_searched_in_the_whole_url() -> None:
    spider = SiteSpider("a.test", allow="/shop/|item=", deny=r"\?print")
    assert spider.skip("http://a.test/shop/1", 1) is None
    assert spider.skip("http://a.test/x?item=3", 1) is None
    assert spider.skip("http://a.test/blog/", 1) == DENIED
    assert spider.skip("http://a.test/shop/1?print", 1) == DENIED


def test_without_patterns_nothing_is_denied() -> None:
    spider = SiteSpider("a.test", allow="", deny="")
    assert spider.skip("http://a.test/", 99) is None


def test_the_depth_limit_is_scrapys() -> None:
    crawler = get_crawler(settings_dict={"DEPTH_LIMIT": 2, "ADDONS": {}})
    spider = SiteSpider.from_crawler(crawler, "a.test")
    assert [spider.skip("http://a.test/x", depth) for depth in (1, 2, 3)] == [None, None, DEPTH]


def test_it_is_one_of_ours() -> None:
    assert is_ours(SiteSpider("a.test"))
    assert not is_ours(object())
