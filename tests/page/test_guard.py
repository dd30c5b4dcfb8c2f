from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.page.guard import HARMLESS, guarded
from tplcrawl.page.limits import DEFAULT, Limits
from tplcrawl.page.profile import parse

FILLING = b"<p>" + b"x" * HARMLESS
FEW = Limits(attributes=10)


def flood(count: int, separator: bytes = b" ", value: bytes = b"=1") -> bytes:
    return separator.join(b"a%d%s" % (i, value) for i in range(count))


def most_attributes(body: bytes) -> int:
    return max(len(element.attrib) for element in parse(body, "utf-8").iter("*"))


def page_with(part: bytes) -> bytes:
    return b"<html><body>" + part + b"<a href=/after>after</a>" + FILLING


@pytest.mark.parametrize("separator", [b" ", b"\n", b"\t", b"\r", b"\f", b" /", b" / ", b"  "])
@pytest.mark.parametrize("value", [b"", b"=1", b"='>'", b'=" a b "', b' = "x"', b"=a/b"])
def test_a_tag_loses_the_attributes_that_are_too_many(separator: bytes, value: bytes) -> None:
    body = page_with(b"<div id=x " + flood(500, separator, value) + b">in</div>")
    safe, cuts = guarded(body, DEFAULT)
    assert cuts == ("attributes",)
    assert len(safe) < len(body)
    root = parse(safe, "utf-8")
    (div,) = root.iter("div")
    assert len(div.attrib) <= DEFAULT.attributes
    assert div.get("id") == "x"
    assert div.text == "in"
    assert [link.get("href") for link in root.iter("a")] == ["/after"]


@pytest.mark.parametrize("value", [b"=''", b'=""', b"='b'"])
def test_attributes_need_no_space_between_quoted_values(value: bytes) -> None:
    body = page_with(b"<div " + flood(500, b"", value) + b">in</div>")
    safe, cuts = guarded(body, DEFAULT)
    assert cuts == ("attributes",)
    assert most_attributes(safe) <= DEFAULT.attributes


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                b" a",
                b" /a",
                b" /=",
                b" a=b",
                b" a=b=c",
                b" a='>'",
                b' a="<b c>"',
                b"\na = ''",
                b" <b",
            ]
        ),
        min_size=1,
        max_size=4,
    ),
    st.integers(198, 203),
)
def test_one_attribute_too_many_is_seen_in_whatever_tag(kinds: list[bytes], count: int) -> None:
    """Catches a tag that is taken for a short one at a glance."""
    tag = b"<div" + b"".join(kinds[n % len(kinds)] for n in range(count)) + b">"
    safe, cuts = guarded(page_with(tag), DEFAULT)
    assert (cuts == ("attributes",)) == (count > DEFAULT.attributes)
    assert most_attributes(safe) <= DEFAULT.attributes


def test_a_tag_without_an_end_is_bounded_too() -> None:
    safe, cuts = guarded(FILLING + b"<div " + flood(5000), DEFAULT)
    assert cuts == ("attributes",)
    assert len(safe) < len(FILLING) + 2000


@given(
    st.lists(
        st.sampled_from(
            [
                b"<a",
                b"<div",
                b">",
                b"/>",
                b" ",
                b"=",
                b"'",
                b'"',
                b"x",
                b"y=1",
                b"<",
                b"/",
                b"\n",
                b"z='>'",
                b"z= ='",
                b"<a='",
                b">'",
                b"<!--",
                b"-->",
                b"<!-->",
                b"<script>",
                b"</script>",
                b"<title>",
                b"</title>",
                b"<svg>",
                b"<![CDATA[",
                b"<?",
                b"</div ",
                flood(15),
                flood(15, b"\n", b"='v w'"),
                b"</p>",
                b"<p>",
            ]
        ),
        max_size=30,
    ).map(b"".join)
)
@settings(max_examples=200)
def test_no_parsed_tag_has_more_attributes_than_allowed(part: bytes) -> None:
    body = page_with(part)
    safe, cuts = guarded(body, FEW)
    assert most_attributes(safe) <= FEW.attributes
    assert len(safe) <= len(body)
    assert cuts == (() if safe is body else ("attributes",))


@pytest.mark.parametrize(
    "start",
    [b"<b='>", b"<b x=='>", b"<b x= ='>", b"<b x=\v'>", b"<b ='>", b"<b\v='>", b"<b x=y='>"],
)
def test_a_quote_that_is_none_hides_no_flood(start: bytes) -> None:
    safe, _ = guarded(page_with(start + b"<div " + flood(500) + b">in</div>'>"), DEFAULT)
    assert most_attributes(safe) <= DEFAULT.attributes


@pytest.mark.parametrize(
    "before", [b"</p %s>", b"<!-- <p %s -->", b"<!p %s>", b"<?p %s>", b"<script>a<b %s</script>"]
)
def test_a_flood_that_does_no_harm_hides_none_that_does(before: bytes) -> None:
    body = page_with(before % flood(500) + b"<div " + flood(500) + b">in</div>")
    safe, cuts = guarded(body, DEFAULT)
    assert cuts == ("attributes",)
    assert most_attributes(safe) <= DEFAULT.attributes


def test_as_many_attributes_as_allowed_are_kept_and_one_more_is_not() -> None:
    fits = page_with(b"<div " + flood(200, value=b"") + b">in</div>")
    over = page_with(b"<div " + flood(201, value=b"") + b">in</div>")
    assert guarded(fits, DEFAULT) == (fits, ())
    safe, cuts = guarded(over, DEFAULT)
    assert cuts == ("attributes",)
    assert most_attributes(safe) == 200


WORDS = b" ".join(b"word%d" % i for i in range(600))


@pytest.mark.parametrize(
    "part",
    [
        b"<p>" + WORDS + b"</p>",
        b"<p title='" + WORDS + b"'>x</p>",
        b'<p title="' + WORDS.replace(b" ", b" = > ") + b'">x</p>',
        b"<p data-json='{" + WORDS.replace(b" ", b'":"') + b"}'>x</p>",
        b"<p style = '" + WORDS.replace(b" ", b";") + b"'>x</p>",
        b"</div " + WORDS + b">",
        b"<!doctype html " + WORDS + b">",
        b"<p>1 < 2 " + WORDS + b"</p>",
        b"<img src=data:image/png;base64," + b"A/b=" * 5000 + b">",
        b"<b><i><u>" * 50 + WORDS + b"</u></i></b>" * 50,
    ],
)
def test_a_long_harmless_page_stays_as_it_is(part: bytes) -> None:
    body = page_with(part)
    safe, cuts = guarded(body, DEFAULT)
    assert safe is body
    assert cuts == ()


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (b"<script>for(i=0;i<n;i++){", b"}</script>"),
        (b"<style>/* a<b ", b"*/</style>"),
        (b"<!-- a <b ", b" -->"),
        (b"<title>a <b ", b"</title>"),
        (b"<textarea>a <b ", b"</textarea>"),
    ],
)
def test_what_looks_like_a_tag_inside_scripts_and_comments_is_none(
    start: bytes, end: bytes
) -> None:
    body = page_with(start + WORDS + end)
    safe, _ = guarded(body, DEFAULT)
    assert [link.get("href") for link in parse(safe, "utf-8").iter("a")] == ["/after"]


@given(st.binary(max_size=200), st.integers(0, 60_000))
def test_short_pages_come_back_as_they_are(body: bytes, attributes: int) -> None:
    body = (body + b"<a " + flood(attributes // 8))[:HARMLESS]
    safe, cuts = guarded(body, DEFAULT)
    assert safe is body
    assert cuts == ()


@pytest.mark.parametrize("extra", [-1, 0, 1, 5000])
def test_a_body_is_cut_at_the_limit(extra: int) -> None:
    limits = Limits(body=100_000)
    body = FILLING.ljust(limits.body + extra, b"x")[: limits.body + extra]
    safe, cuts = guarded(body, limits)
    assert safe == body[: limits.body]
    assert cuts == (("body",) if extra > 0 else ())


def test_both_limits_are_named() -> None:
    body = page_with(b"<div " + flood(500) + b">in</div>")
    safe, cuts = guarded(body, Limits(body=len(body) - 1))
    assert cuts == ("body", "attributes")
    assert not re.search(rb"a201=", safe)
