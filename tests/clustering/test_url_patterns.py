from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.url_patterns import url_pattern

TEXTS = st.text("ab17-_.é ", max_size=6)
SEGMENTS = st.lists(TEXTS, min_size=1, max_size=4)
QUERIES = st.dictionaries(st.sampled_from(["page", "q", "x-1"]), TEXTS, max_size=3)


def url_of(segments: list[str], query: dict[str, str]) -> str:
    path = "/".join(quote(segment, safe="") for segment in segments)
    parts = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items())
    return f"http://a.com/{path}" + (f"?{parts}" if parts else "")


def regex(pattern: str) -> re.Pattern[str]:
    """*pattern* as what it says: ``{n}`` is a number, ``*`` anything within a segment, ``/**``
    whatever follows."""
    meanings = {"{n}": r"\d+", "*": "[^/]*", "/**": "(/.*)?"}
    pieces = re.split(r"(\{n\}|/\*\*|\*)", pattern)
    return re.compile("".join(meanings.get(piece, re.escape(piece)) for piece in pieces))


def check(urls: list[str], pattern: str) -> None:
    path, _, query = pattern.partition("?")
    values = dict(part.split("=", 1) for part in query.split("&")) if query else {}
    for url in urls:
        parts = urlsplit(url)
        assert regex(path).fullmatch(unquote(parts.path) or "/"), (pattern, url)
        own = dict(parse_qsl(parts.query, keep_blank_values=True))
        for name, value in values.items():
            if name in own:
                assert regex(value).fullmatch(own[name]), (pattern, url)
    for name in values:
        assert sum(name in parse_qsl_names(url) for url in urls) >= 0.9 * len(urls)


def parse_qsl_names(url: str) -> list[str]:
    return [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]


@settings(deadline=None, max_examples=200)
@given(
    st.integers(1, 3).flatmap(
        lambda n: st.lists(
            st.tuples(st.lists(TEXTS, min_size=n, max_size=n), QUERIES), min_size=1, max_size=5
        )
    )
)
def test_all_urls_of_one_depth_are_as_the_pattern_says(
    parts: list[tuple[list[str], dict[str, str]]],
) -> None:
    urls = [url_of(segments, query) for segments, query in parts]
    check(urls, url_pattern(urls))


@settings(deadline=None, max_examples=200)
@given(SEGMENTS, SEGMENTS, st.lists(SEGMENTS, max_size=3))
@example(["p-1a", "x"], ["p-b"], [["p-c", "d", "e"]])
def test_all_urls_of_many_depths_are_as_the_pattern_says(
    one: list[str], two: list[str], more: list[list[str]]
) -> None:
    """With fewer than ten URLs, none is a rare exception that may be left out."""
    urls = [url_of(segments, {}) for segments in (one, two, *more)]
    check(urls, url_pattern(urls))


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(SEGMENTS, QUERIES), max_size=4), st.data())
def test_neither_order_nor_repetition_of_the_urls_counts(
    parts: list[tuple[list[str], dict[str, str]]], data: st.DataObject
) -> None:
    urls = [url_of(segments, query) for segments, query in parts]
    assert url_pattern(data.draw(st.permutations(urls))) == url_pattern(urls)
    assert url_pattern(urls * 2) == url_pattern(urls)


@pytest.mark.parametrize(
    ("paths", "pattern"),
    [
        ([], ""),
        ([""], "/"),
        (["/", "/"], "/"),
        (["/a/1", "/a/2"], "/a/{n}"),
        (["/a/1", "/a/x"], "/a/*"),
        (["/a/red-shirt.html", "/a/red-shoe.html"], "/a/red-*.html"),
        (["/a/showing", "/a/shower"], "/a/*"),
        (["/a/x/1", "/a/y"], "/a/**"),
        (["/2024/01/x", "/2023/12/y"], "/{n}/{n}/*"),
        (["/p?id=1&x=", "/p?x=&id=22"], "/p?id={n}&x="),
        (["/p?a=1", "/p?b=1"], "/p"),
        (["/caf%C3%A9/a%2Fb", "/café/a%2fc"], "/café/a/*"),
        (["/a/1"] * 9 + ["/b/c/d"], "/*/*"),
    ],
)
def test_what_is_common_stands_as_it_is(paths: list[str], pattern: str) -> None:
    assert url_pattern([f"http://a.com{path}" for path in paths]) == pattern
