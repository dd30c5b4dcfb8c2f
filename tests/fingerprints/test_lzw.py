from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.fingerprints.lzw import (
    LENGTH,
    compress,
    fingerprint,
    raw_tags,
    sure_fingerprint,
)

TABLE_1 = [0, 0, 0, 0, 4, 3, 0, 3, 0, 9, 3, 0, 8, 0, 8, 0, 8, 0, 0, 19, 2]
"""The fingerprint of the example of paper 000, section 3.1."""

EXAMPLE = (
    b"<html><body><p>This is an <b>example</b> web document.</p><p>It contains <strong>several"
    b"</strong> paras.</p><p>Some of them are <big>big</big>.</p><!-- a <comment> --><p>Some"
    b" are <em>empty</em>.</p><p><i>y</i></p><p><small>z</small></p><p><sub>2</sub><sup>3</sup></p>"
    b"</body></html>"
)


def naive_compress(tags: Iterable[bytes], length: int) -> list[int]:
    """Algorithm 1, with the dictionary's entries spelt out."""
    entries: dict[tuple[bytes, ...], int] = {(): 0}
    found: list[int] = []
    seen: tuple[bytes, ...] = ()
    for tag in tags:
        if len(found) == length:
            break
        if (*seen, tag) in entries:
            seen = (*seen, tag)
        else:
            found.append(entries[seen])
            entries[*seen, tag] = len(found)
            seen = ()
    return found


TAGS = st.lists(st.sampled_from([b"p", b"b", b"div", b"li", b"a"]), max_size=120)


@given(TAGS, st.integers(1, 40))
def test_compression_is_that_of_the_paper(tags: list[bytes], length: int) -> None:
    assert list(compress(tags, length)) == naive_compress(tags, length)


@given(TAGS, st.integers(1, 30), st.integers(0, 30))
def test_a_shorter_fingerprint_is_the_beginning_of_a_longer_one(
    tags: list[bytes], length: int, more: int
) -> None:
    assert compress(tags, length) == compress(tags, length + more)[:length]


def test_no_tag_is_read_after_the_last_entry() -> None:
    tags = [b"%d" % i for i in range(LENGTH)]

    def endless() -> Iterator[bytes]:
        yield from tags
        pytest.fail("read on")

    assert compress(endless()) == compress(tags) == bytes(LENGTH)


def test_the_example_of_the_paper_has_its_fingerprint() -> None:
    assert list(raw_tags(EXAMPLE))[:8] == [
        b"html",
        b"body",
        b"p",
        b"b",
        b"b",
        b"p",
        b"p",
        b"strong",
    ]
    assert list(fingerprint(EXAMPLE)) == TABLE_1


NAMES = st.sampled_from(["p", "DIV", "x-card", "o:p", "h1", "scripty", "a", "Table"])
VOID = st.sampled_from(["br", "IMG", "input", "hr", "x/"])
ATTRIBUTES = st.sampled_from(
    [
        "",
        " a",
        " a=b",
        ' a="b"',
        " a='>'",
        ' a=">" b',
        ' a = "<i>"',
        " a='\"' b=\"'\"",
        "\n a='x\ny'",
        ' a=""',
        " a=it's",
        " data-x='</p>'",
        " =",
        " '",
        ' "',
    ]
)
QUIET = st.sampled_from(
    [
        "",
        "text",
        " < 1",
        "<3",
        "a & b",
        "<!-- <b> -->",
        "<!---->",
        "<!-- a > b --!>",
        "<!doctype html>",
        "<?xml version='1.0'?>",
        "</ p>",
        "<>",
        "<!-- -- -->",
        "&lt;p&gt;",
    ]
)
RAW = st.builds(
    lambda name, attributes, text, end: (
        f"<{name}{attributes}>{text}</{name.upper() if end else name}>",
        [name.lower()] * 2,
    ),
    st.sampled_from(
        ["script", "STYLE", "textarea", "title", "xmp", "noframes", "iframe", "noembed"]
    ),
    st.sampled_from(["", " type='a>b'"]),
    st.sampled_from(["", "if (a<b) c>d", "'<p>'", "</scriptx><p>", "<!-- <p>", "</ script>", "<b"]),
    st.booleans(),
)
Marked = tuple[str, list[str]]


def joined(parts: list[Marked]) -> Marked:
    return "".join(text for text, _ in parts), [tag for _, tags in parts for tag in tags]


def element(name: str, attributes: str, inner: Marked) -> Marked:
    tags = [name.lower(), *inner[1], name.lower()]
    return f"<{name}{attributes}>{inner[0]}</{name} >", tags


LEAVES = st.one_of(
    QUIET.map(lambda text: (text, [])),
    st.builds(lambda name, rest: (f"<{name}{rest}>", [name.lower().strip("/")]), VOID, ATTRIBUTES),
    RAW,
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(element, NAMES, ATTRIBUTES, st.lists(inner, max_size=4).map(joined)),
    max_leaves=12,
)
DOCUMENTS = st.lists(TREES, max_size=5).map(joined)


@given(DOCUMENTS)
def test_tags_are_read_as_they_are_written(document: Marked) -> None:
    page, tags = document
    assert list(raw_tags(page.encode())) == [tag.encode() for tag in tags]


@given(DOCUMENTS, st.binary(max_size=40))
def test_nothing_counts_behind_the_last_entry(document: Marked, rest: bytes) -> None:
    pool = [f"<t{a}{b}>".encode() for a, b in itertools.product("abcdef", "uvwxyz")]
    start = document[0].encode() + b"".join(pool)
    whole = fingerprint(start)
    assert len(whole) == LENGTH
    assert fingerprint(start + rest) == whole


@given(
    st.binary(max_size=200)
    | st.lists(
        st.sampled_from(
            [
                b"<",
                b">",
                b"a",
                b"/",
                b"=",
                b"'",
                b'"',
                b"<!--",
                b"-->",
                b"<script>",
                b"</script",
                b" ",
                b"\0",
                b"\xff",
            ]
        ),
        max_size=30,
    ).map(b"".join)
)
@settings(max_examples=200)
def test_any_bytes_have_a_fingerprint_of_their_beginning(body: bytes) -> None:
    found = fingerprint(body)
    assert len(found) <= LENGTH
    assert all(reference <= place for place, reference in enumerate(found))
    assert compress(raw_tags(body)) == found
    assert compress(raw_tags(body), 3) == found[:3]


ODD = st.sampled_from(
    ["<!--", "-->", "--!>", "<script>", "</script", "<title>", "</TITLE ", "<a", "</", "<", ">",
     "=", '"', "'", " ", "/", "\0", "x", '="', "='", "<p class=x>", "<b c='d'>", '<i e="f>">', "é"]
)  # fmt: skip


@given(st.lists(st.one_of(LEAVES, ODD.map(lambda text: (text, []))), max_size=40).map(joined))
@settings(max_examples=500)
def test_what_is_listed_at_once_is_what_is_read_tag_by_tag(document: Marked) -> None:
    """Also of a page of which only a part is known, whatever comes behind it."""
    pool = "".join(f"<t{a}{b} c='d'>" for a, b in itertools.product("abcdef", "uvwxyz"))
    page = (document[0] + pool + document[0] + pool).encode()
    slow = compress(raw_tags(page))
    assert fingerprint(page) == slow
    for cut in range(0, len(page), max(len(page) // 50, 1)):
        assert sure_fingerprint(page[:cut]) in (None, slow)


def test_ordinary_pages_are_listed_at_once() -> None:
    """Scripts, comments and attributes of all kinds do not make a page an odd one."""
    head = b"<!doctype html><html lang=en><head><!-- c --><meta name='a' content=\"it's\"/>"
    head += b"<script async>if (a < b) c('<p class=\"x');</script><title>T</title>"
    head += b"<!--[if lt IE 9]><script src='old.js'></script><![endif]--></head><body>"
    body = b"".join(b"<t%d class='x y' id=z>text" % n for n in range(LENGTH))
    assert sure_fingerprint(head + body + b"<p>") == compress(raw_tags(head + body))


@pytest.mark.parametrize(
    ("body", "tags"),
    [
        (b"<p", [b"p"]),
        (b"<p title='", [b"p"]),
        (b"<p title='x<b>", [b"p"]),
        (b"<br/><br /><br>", [b"br"] * 3),
        (b"<script>never ends <p>", [b"script"]),
        (b"<script><!-- </script><p>", [b"script", b"script", b"p"]),
        (b"</script><p>", [b"script", b"p"]),
        (b"<title><b></TITLE\n><p>", [b"title", b"title", b"p"]),
        (b"<!-- never ends <p>", []),
        (b"<!-- a --!><p>", [b"p"]),
        (b"<![CDATA[<p>]]>", [b"p"]),
        (b"<p\0q>", [b"p"]),
        (b"<\xc3\xa9><1><->", []),
        (b"", []),
    ],
)
def test_broken_tags(body: bytes, tags: list[bytes]) -> None:
    assert list(raw_tags(body)) == tags
