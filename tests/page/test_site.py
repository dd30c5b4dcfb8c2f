from __future__ import annotations

from itertools import product
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.errors import UsageError
from tplcrawl.page.site import Site, start_url

SCHEMES = ["http", "https"]
HOSTS = [
    "example.com",
    "www.example.com",
    "WWW.Example.COM",
    "example.com.",
    "a.example.com",
    "www.a.example.com",
    "b.a.example.com",
    "notexample.com",
    "example.com.evil.net",
    "com",
    "localhost",
    "127.0.0.1",
    "[::1]",
]
PORTS = ["", ":", ":80", ":443", ":8080", ":8081"]
URLS = [f"{scheme}://{host}{port}/page" for scheme, host, port in product(SCHEMES, HOSTS, PORTS)]
SOME = st.lists(st.sampled_from(URLS), min_size=1, max_size=3)


def place(url: str) -> tuple[str, int | None]:
    """A URL's host, and its port unless that is the one of its scheme."""
    scheme, _, rest = url.partition("://")
    host, _, port = rest.removesuffix("/page").lower().rpartition("]")[2].partition(":")
    if "]" in rest:
        host = rest.partition("]")[0] + "]"
    host = host.removesuffix(".").removeprefix("www.")
    default = {"http": "80", "https": "443"}[scheme]
    return host, None if port in ("", default) else int(port)


@given(SOME, st.booleans())
def test_a_site_is_its_hosts_on_their_ports_and_what_is_below_them(
    starts: list[str], subdomains: bool
) -> None:
    site = Site(starts, subdomains=subdomains)
    named = {place(url) for url in starts}
    for url in URLS:
        host, port = place(url)
        below = any(host.endswith(f".{name}") and port == on for name, on in named)
        expected = (host, port) in named or (subdomains and below)
        assert site.covers(urlsplit(url)) == expected, url


@given(SOME, st.sampled_from(URLS), st.booleans())
def test_a_host_is_added_once_and_covered_from_then_on(
    starts: list[str], url: str, subdomains: bool
) -> None:
    site = Site(starts, subdomains=subdomains)
    known = site.covers(urlsplit(url))
    hosts = site.hosts
    assert site.add(url) is not known
    assert site.covers(urlsplit(url))
    assert (site.hosts == hosts) is known
    assert site.add(url) is False


def test_the_end_of_an_address_is_no_port() -> None:
    site = Site(["http://[::1]:8080/"])
    assert site.covers(urlsplit("http://[::1]:8080/x"))
    assert not site.covers(urlsplit("http://[::1:8080]/x"))


@given(SOME)
def test_the_order_of_start_urls_does_not_matter(starts: list[str]) -> None:
    assert Site(starts).hosts == Site(reversed(starts)).hosts


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("example.com", "http://example.com/"),
        (" example.com/a?b=c \n", "http://example.com/a?b=c"),
        ("example.com:8080", "http://example.com:8080/"),
        ("HTTPS://Example.com", "https://Example.com/"),
        ("127.0.0.1:1/x", "http://127.0.0.1:1/x"),
        ("http://[::1]:80", "http://[::1]:80/"),
        (
            "example.com/?next=http://other.example/",
            "http://example.com/?next=http://other.example/",
        ),
    ],
)
def test_what_a_user_types_becomes_a_url(typed: str, url: str) -> None:
    assert start_url(typed) == url
    assert start_url(url) == url


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript://x",
        "data:text/html,x",
        "mailto:a@example.com:x",
        "http://",
        "http:///path",
        "http://:80/",
        "http://[::1/",
        "http://example.com:port/",
        "http://example.com:99999/",
        "http://exa mple.com/",
    ],
)
def test_what_is_no_url_of_the_web_is_the_users_mistake(typed: str) -> None:
    with pytest.raises(UsageError) as raised:
        start_url(typed)
    assert "\n" not in str(raised.value)
