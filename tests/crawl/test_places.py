from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Spider

from tplcrawl.crawl.places import crawl_folder, folder_name, host_of, is_local, site_of, start_urls


def spider(**given: Any) -> Spider:
    return Spider("somebody", **given)


@given(st.text())
def test_a_folder_name_is_harmless_whatever_the_host(host: str) -> None:
    name = folder_name(host)
    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,99}", name)
    assert len(Path("crawls", name).parts) == 2


def test_hosts_with_different_ports_have_different_folders() -> None:
    assert folder_name("a.test:8000") != folder_name("a.test:8001") != folder_name("a.test")


def test_a_host_comes_without_user_and_password() -> None:
    assert host_of("http://me:secret@A.test:81/x") == "a.test:81"


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:8000/", True),
        ("http://127.1.2.3/", True),
        ("http://[::1]:80/", True),
        ("http://localhost.example.com/", False),
        ("http://127.example.com/", False),
        ("http://10.0.0.1/", False),
    ],
)
def test_only_this_machine_is_local(url: str, local: bool) -> None:
    assert is_local(url) is local


def test_start_urls_are_the_texts_among_them() -> None:
    assert start_urls(spider(start_urls=["http://a.test/", None, 7])) == ["http://a.test/"]
    assert start_urls(spider(start_urls=None)) == []


def test_the_site_of_a_spider_is_where_it_starts_and_what_it_allows() -> None:
    plain = site_of(spider(start_urls=["http://a.test/x"]))
    assert plain.covers(urlsplit("http://www.a.test/"))
    assert not plain.covers(urlsplit("http://m.a.test/"))
    allowed = site_of(spider(start_urls=["http://a.test/x"], allowed_domains=["b.test"]))
    assert allowed.covers(urlsplit("http://m.b.test/"))
    assert not allowed.covers(urlsplit("http://c.test/"))


def test_a_start_url_that_is_none_does_not_keep_a_spider_from_its_site() -> None:
    """Scrapy fetches the others; so an extension must bear with it."""
    site = site_of(spider(start_urls=["http://a.test:eighty/", "http://[::1/", "http://b.test/"]))
    assert site.covers(urlsplit("http://b.test/"))


def test_the_default_directory_is_named_for_the_host_or_the_spider() -> None:
    assert crawl_folder(spider(start_urls=["http://a.test:81/"])) == Path("crawls/a.test_81")
    assert crawl_folder(spider(allowed_domains=["b.test"])) == Path("crawls/b.test")
    assert crawl_folder(spider()) == Path("crawls/somebody")
