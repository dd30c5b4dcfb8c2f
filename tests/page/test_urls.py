from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.page.limits import Limits
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner, normal_url

STARTS = ["http://example.com/", "http://example.com:8001/", "http://example.com:8002/"]

SCHEMES = st.sampled_from(["http", "https", "HTTP", "hTTps"])
USERS = st.sampled_from(["", "me@", "me:secret@", "m%40e@", ":@"])
HOSTS = st.sampled_from(
    ["example.com", "EXAMPLE.com", "www.example.com", "exämple.com", "127.0.0.1", "[::1]", "a_b.c"]
)
PORTS = st.sampled_from(["", ":", ":80", ":443", ":8080", ":0080"])
PATHS = st.lists(
    st.sampled_from(
        [
            "",
            ".",
            "..",
            "a",
            "b.html",
            "...",
            ".a",
            "é",
            "%C3%A9",
            "%2e%2E",
            "a b",
            "a;jsessionid=1",
            "(S(x))",
            "..;sid=2",
            "%zz",
            "a|b",
            "%",
            "~x",
            "a:b",
            "%3Fx",
            "%23y",
        ]
    ),
    max_size=6,
).map(lambda segments: "".join(f"/{segment}" for segment in segments))
QUERIES = st.sampled_from(
    [
        "",
        "?",
        "?a=1",
        "?b=2&a=1",
        "?q=é",
        "?q=%E9",
        "?phpsessid=1",
        "?a=1&CFID=2&b",
        "?a=b c",
        "?a?b",
        "?&&",
        "?u=http://x/../y",
        "?%",
    ]
)
FRAGMENTS = st.sampled_from(["", "#", "#top", "#a/b?c", "#é"])
URLS = st.builds(
    lambda *parts: "{}://{}{}{}{}{}{}".format(*parts),
    SCHEMES,
    USERS,
    HOSTS,
    PORTS,
    PATHS,
    QUERIES,
    FRAGMENTS,
)


def without_dots(path: str) -> str:
    """RFC 3986, section 5.2.4, as it is written there."""
    left, done = path, ""
    while left:
        if left.startswith("../"):
            left = left[3:]
        elif left.startswith(("./", "/./")):
            left = left[2:]
        elif left == "/.":
            left = "/"
        elif left.startswith("/../"):
            left, done = left[3:], done.rpartition("/")[0]
        elif left == "/..":
            left, done = "/", done.rpartition("/")[0]
        elif left in (".", ".."):
            left = ""
        else:
            end = left.find("/", 1)
            end = len(left) if end < 0 else end
            done, left = done + left[:end], left[end:]
    return done


@given(URLS, st.sampled_from(["utf-8", "latin-1"]), st.booleans())
@settings(max_examples=300)
def test_a_normal_url_is_its_own_normal_form(url: str, encoding: str, tracking: bool) -> None:
    once = normal_url(url, encoding=encoding, tracking=tracking)
    assert once is not None
    assert normal_url(once, tracking=tracking) == once


@given(URLS)
@settings(max_examples=300)
def test_a_normal_url_holds_only_what_is_asked_for(url: str) -> None:
    normal = normal_url(url)
    assert normal is not None
    assert normal.isascii()
    assert not set(normal) & set(' "<>\\^`{}\t\n')
    parts = urlsplit(normal)
    assert "#" not in normal
    assert parts.username is parts.password is None
    assert "@" not in parts.netloc
    assert parts.port not in (80 if parts.scheme == "http" else 443,)
    assert parts.netloc == parts.netloc.lower()
    assert not parts.netloc.endswith(":")
    assert parts.path.startswith("/")
    assert not {".", ".."} & set(parts.path.split("/"))
    assert "sess" not in normal
    assert "CFID" not in normal


@given(st.text("a./", max_size=14))
@settings(max_examples=500)
def test_dot_segments_go_as_the_standard_says(path: str) -> None:
    assert normal_url(f"http://a.com/{path}") == f"http://a.com{without_dots(f'/{path}')}"


@given(st.lists(st.sampled_from(["b=2", "a=1", "c", "a=3", "=", "d=%20", "e=+"]), min_size=1))
def test_the_parts_of_a_query_stay_in_order(parts: list[str]) -> None:
    url = f"http://a.com/?{'&'.join(parts)}"
    assert normal_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a",
        "/a",
        "//a.com/",
        "ftp://a.com/",
        "mailto:a@b.c",
        "http:",
        "http://",
        "http:///a",
        "http://me@/",
        "javascript:alert(1)",
        "data:,x",
        "http:a",
        "file:///etc/passwd",
    ],
)
def test_what_is_no_url_of_the_web_has_no_normal_form(url: str) -> None:
    assert normal_url(url) is None


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("http://a.com:443/", "http://a.com:443/"),
        ("https://a.com:443/", "https://a.com/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://a.com", "http://a.com/"),
        ("http://a.com?x", "http://a.com/?x"),
        ("http://a.com/x;jsessionid=1/..", "http://a.com/"),
        ("http://a.com//x//", "http://a.com//x//"),
        ("http://me:pw@a.com@b.com/", "http://b.com/"),
    ],
)
def test_normal_forms(url: str, normal: str) -> None:
    assert normal_url(url) == normal


PAGES = [
    "http://example.com/",
    "http://example.com/a/one",
    "http://example.com/a/two?x=1",
    "http://example.com/a/two?x=2",
    "http://example.com/a/b/three?x=/y/",
    "https://example.com/a/one",
    "http://example.com:8001/a/one",
    "http://example.com:8002/a/one",
    "http://www.example.com/a/one",
    "http://example.com",
    "http://example.com?x=1",
    "http://example.com:8001",
    "http://example.com:8002",
]
BASES = [
    "",
    "/",
    "/c/",
    "/c/d",
    "c/",
    "?x=9",
    "#x/y",
    "/c#x/y",
    "/c/d#e?f/g",
    "//www.example.com",
    "https://example.com",
    "http://example.com:8002",
    "http://www.example.com/c/d?e=/f",
    " /c/ ",
    "http://[",
    "mailto:a@b.c",
    "http://other.example/",
]
HREFS = [
    "",
    " ",
    ".",
    "..",
    "../x",
    "x",
    " x",
    "x/y?z=1",
    "/x",
    " /x",
    "\t/x",
    "//example.com/x",
    "//other.example/x",
    "///x",
    "\\x",
    "/\\x",
    "?",
    "?y=1",
    " ?y=1",
    "\n?y=1",
    "\x01?y=1",
    "?y=é",
    "x?y=é",
    "?u=http://a.b/",
    "x?u=http://a.b/",
    "/r/http://a.b/",
    "r/http://a.b/",
    ";p",
    "#top",
    " #top",
    "http:x",
    "http:",
    "http:?y=1",
    "http:/x",
    "http:#top",
    "https:?y=1",
    "http://example.com/x",
    "HTTP://EXAMPLE.com:80/x#y",
    " http://example.com/x",
    "http://example.com",
    "http://www.example.com/x/./y/../z",
    "http://other.example/x",
    "http://example.com.evil.net/",
    "http://example.com@evil.net/",
    "http://[::1/",
    "http://example.com:port/",
    "mailto:a@b.c",
    "JavaScript:void(0)",
    "java\tscript:void(0)",
    "data:text/html,x",
    "tel:1",
    "x:y",
    "x" * 2100,
    "/" + "é" * 400,
    "\ud800",
    "a\x00b",
    "http://example.com/\ud800",
]
ENCODINGS = ["utf-8", "latin-1", "no-such-encoding"]
TASK = st.tuples(
    st.lists(st.sampled_from(HREFS), max_size=8),
    st.sampled_from(PAGES),
    st.sampled_from(BASES),
    st.sampled_from(ENCODINGS),
)


def alone(href: str, page: str, base: str, encoding: str) -> str | None:
    """What a cleaner that has seen nothing else answers."""
    (answer,) = Cleaner(Site(STARTS)).clean([href], page, base, encoding)
    return answer


@given(st.lists(TASK, max_size=12), st.integers(0, 30))
@settings(max_examples=150)
def test_an_answer_does_not_depend_on_what_was_asked_before(
    tasks: list[tuple[list[str], str, str, str]], remember: int
) -> None:
    cleaner = Cleaner(Site(STARTS), remember=remember)
    for hrefs, *place in tasks:
        assert cleaner.clean(hrefs, *place) == [alone(href, *place) for href in hrefs]


@pytest.mark.parametrize("href", HREFS)
def test_one_link_on_many_pages_leads_where_each_of_them_says(href: str) -> None:
    places = [(page, base, code) for page in PAGES for base in BASES for code in ENCODINGS[:2]]
    for order in (places, places[::-1]):
        cleaner = Cleaner(Site(STARTS))
        for place in order:
            assert cleaner.clean([href], *place) == [alone(href, *place)], place


@given(
    st.lists(st.sampled_from(HREFS), max_size=8),
    st.sampled_from(PAGES),
    st.sampled_from([base for base in BASES if base not in ("http://[", "mailto:a@b.c")]),
    st.sampled_from(["utf-8", "latin-1"]),
)
@settings(max_examples=300)
def test_links_are_joined_to_the_base_and_brought_to_normal_form(
    hrefs: list[str], page: str, base: str, encoding: str
) -> None:
    site = Site(STARTS)
    from_ = urljoin(page, base.strip())
    for href, answer in zip(hrefs, Cleaner(site).clean(hrefs, page, base, encoding), strict=True):
        if answer:
            written = "".join(c for c in href.strip() if c >= " ")
            assert answer == normal_url(urljoin(from_, written), encoding=encoding)
            assert site.covers(urlsplit(answer))
            assert normal_url(answer) == answer
            assert len(answer) <= 2083


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32-le", "cp037", "utf-7", "hex", "bogus", ""])
def test_a_plain_link_is_the_same_in_every_encoding(encoding: str) -> None:
    hrefs = ["/x", "?y=1+~", "http://example.com/x?y=%20"]
    expected = Cleaner(Site(STARTS)).clean(hrefs, STARTS[0])
    assert None not in expected
    assert Cleaner(Site(STARTS)).clean(hrefs, STARTS[0], "", encoding) == expected


@pytest.mark.parametrize(("encoding", "query"), [("utf-8", "%C3%A9"), ("latin-1", "%E9")])
def test_a_query_is_written_in_the_encoding_of_its_page(encoding: str, query: str) -> None:
    (found,) = Cleaner(Site(STARTS)).clean(["/é?é"], STARTS[0], "", encoding)
    assert found == f"http://example.com/%C3%A9?{query}"


def test_a_query_that_its_page_could_not_write_is_a_link_still() -> None:
    (found,) = Cleaner(Site(STARTS)).clean(["/x?y=é"], STARTS[0], "", "cp1251")
    assert found is not None
    assert found.startswith("http://example.com/x?y=")


@pytest.mark.parametrize("base", ["http://[", "mailto:a@b.c", "javascript:x", "data:,x", "  "])
def test_a_base_that_is_none_is_no_base(base: str) -> None:
    (found,) = Cleaner(Site(STARTS)).clean(["x"], "http://example.com/a/b", base)
    assert found == "http://example.com/a/x"


def test_a_base_outside_the_site_takes_relative_links_with_it() -> None:
    hrefs = ["x", "/y", "http://example.com/z"]
    found = Cleaner(Site(STARTS)).clean(hrefs, "http://example.com/", "http://other.example/")
    assert found == [None, None, "http://example.com/z"]


@pytest.mark.parametrize("length", [30, 31, 40])
def test_a_url_longer_than_the_limit_is_dropped(length: int) -> None:
    href = "http://example.com/".ljust(length, "x")
    found = Cleaner(Site(STARTS), limits=Limits(url=30)).clean([href], "http://example.com/")
    assert found == [href] if length <= 30 else not any(found)


def test_a_cleaner_that_forgets_sees_that_the_site_has_grown() -> None:
    site = Site(STARTS)
    cleaner = Cleaner(site)
    hrefs = ["http://other.example/x"]
    assert cleaner.clean(hrefs, STARTS[0]) == [None]
    site.add(hrefs[0])
    cleaner.forget()
    assert cleaner.clean(hrefs, STARTS[0]) == hrefs


def test_tracking_parameters_are_kept_unless_unwanted() -> None:
    hrefs = ["/x?utm_source=y&z=1"]
    assert Cleaner(Site(STARTS)).clean(hrefs, STARTS[0]) == ["http://example.com" + hrefs[0]]
    plain = Cleaner(Site(STARTS), tracking=True).clean(hrefs, STARTS[0])
    assert plain == ["http://example.com/x?z=1"]


SEGMENTS = st.sampled_from(
    ["", ".", "..", "a", "b.html", "...", "-", "a b", "é", "%41", "%2e", "%", "(S(x))", "c;sid=1",
     "d:e", "1:2", "f(g,h)", "!$&'*+=@", "[i]", "|"]
)  # fmt: skip
HREFS = st.builds(
    lambda start, segments, query, fragment: start + "/".join(segments) + query + fragment,
    st.sampled_from(
        ["", "/", "//", "//example.com/", "./", "http://example.com/", "http://other.org", "x:"]
    ),
    st.lists(SEGMENTS, max_size=4),
    st.sampled_from(
        [
            "",
            "?",
            "?a=1",
            "?a=1&CFID=2",
            "?phpsessid=1",
            "?q=é",
            "?a=b/../c",
            "?a?b",
            "?%",
            "?'",
            "?x=http://y.z/(S(x))/;q&&=",
            "?[a]",
        ]
    ),
    st.sampled_from(["", "#", "#top", "#a b", "#é", "#a(b):c%"]),
)


@given(
    st.lists(HREFS, min_size=1, max_size=6),
    st.sampled_from(
        ["http://example.com/", "http://example.com/a/b", "http://example.com/a/b/?c=/d/e",
         "http://example.com//a//b", "http://example.com/a;x/(S(x))/b", "https://example.com/é/"]
    ),
    st.sampled_from(["", "", "/x/y/", "http://other.com/", "c?d"]),
)  # fmt: skip
@settings(max_examples=1000)
def test_shortcuts_lead_where_the_long_way_leads(
    hrefs: list[str], page_url: str, base: str
) -> None:
    site = Site(["http://example.com/"])
    whole = urljoin(page_url, base) if base else page_url
    for href, found in zip(hrefs, Cleaner(site).clean(hrefs, page_url, base), strict=True):
        if not href or href[0] == "#" or href.startswith("x:"):
            continue
        try:
            url = normal_url(urljoin(whole, href))
        except ValueError:
            url = None
        expected = url if url is not None and site.covers(urlsplit(url)) else None
        assert found == expected, href
