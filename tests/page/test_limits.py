from __future__ import annotations

import subprocess
import sys

import pytest

from tplcrawl.page.limits import DEFAULT
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.records import Profile

URL = "http://example.com/folder/page"
AFTER = "http://example.com/after"
STUCK = 30
"""Seconds after which a process is taken for stuck; what is tried takes hours or nothing."""


def profile(body: bytes, encoding: str = "utf-8") -> Profile:
    return profile_of(URL, body, Cleaner(Site([URL])), encoding=encoding)


def test_a_hundred_thousand_levels() -> None:
    found = profile(b"<a href=/after>x</a>" + b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000)
    assert found.cuts == ("depth",)
    assert found.links.urls == (AFTER,)
    assert max(found.outline.depths) <= DEFAULT.depth


@pytest.mark.parametrize("levels", [300, 3000, 100_000])
def test_what_stands_behind_a_deep_drawing_is_found_or_its_loss_is_said(levels: int) -> None:
    found = profile(b"<svg>" + b"<g>" * levels + b"</g>" * levels + b"</svg><a href=/after>x</a>")
    assert found.links.urls == (AFTER,) or "depth" in found.cuts


def test_a_hundred_thousand_links() -> None:
    found = profile(b"".join(b"<a href=/%d>x</a>" % i for i in range(100_000)))
    assert found.cuts == ("links",)
    assert found.links.urls == tuple(f"http://example.com/{i}" for i in range(DEFAULT.links))


def test_a_hundred_thousand_siblings_have_positions() -> None:
    found = profile(b"<p>x" * 99_999 + b"<p><a href=/after>x</a>")
    assert found.cuts == ()
    assert found.links.positions == ((1, 1, 100_000, 1),)


def test_more_elements_than_are_walked() -> None:
    found = profile(b"<a href=/after>x</a>" + b"<b>x</b>" * (DEFAULT.elements + 10))
    assert found.cuts == ("elements",)
    assert len(found.outline.sequence) == DEFAULT.elements
    assert found.links.urls == (AFTER,)


def test_a_page_of_fifty_megabytes() -> None:
    part = b"<p>" + b"words " * 2000 + b"</p>\n"
    body = b"<a href=/after>x</a>" + part * (50 * 1024 * 1024 // len(part)) + b"<a href=/late>"
    found = profile(body)
    assert found.cuts == ("body",)
    assert found.links.urls == (AFTER,)


def test_one_text_of_fifty_megabytes() -> None:
    found = profile(b"<a href=/after>x</a><p>" + b"x" * (50 * 1024 * 1024))
    assert found.cuts == ("body",)
    assert found.links.urls == (AFTER,)


def test_a_tag_of_a_hundred_thousand_attributes() -> None:
    flood = b" ".join(b"a%d=1" % i for i in range(100_000))
    found = profile(b"<div " + flood + b">x</div><a href=/after>x</a>")
    assert found.cuts == ("attributes",)
    assert found.links.urls == (AFTER,)


FLOOD = "".join(f' attribute-{i}="a value of some length"' for i in range(2500))


def test_a_nul_does_not_hide_a_flood_of_attributes() -> None:
    found = profile(b"<\0div" + FLOOD.encode() + b">x</div><a href=/after>x</a>")
    assert found.cuts == ("attributes",)
    assert found.links.urls == (AFTER,)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-7", "cp037"])
def test_an_encoding_does_not_hide_a_flood_of_attributes(encoding: str) -> None:
    page = f"<div{FLOOD}>x</div><a href=/after>x</a>"
    found = profile(page.encode(encoding), encoding)
    assert found.cuts == ("attributes",)
    assert found.links.urls == (AFTER,)


def test_a_link_that_is_too_long_is_dropped_and_said() -> None:
    found = profile(b"<a href='/" + b"x" * 3000 + b"'>x</a><a href=/after>x</a>")
    assert found.links.urls == (AFTER,)
    assert found.cuts == ("url",)


def test_a_link_that_is_too_long_after_quoting_is_dropped_and_said() -> None:
    found = profile(b"<a href='/" + "é".encode() * 1000 + b"'>x</a><a href=/after>x</a>")
    assert found.links.urls == (AFTER,)
    assert found.cuts == ("url",)


def test_links_with_endless_locations_are_dropped_and_said() -> None:
    """Less than a megabyte would have had locations of four hundred."""
    deep = b"".join(b"<t%d%s>" % (level, b"x" * 90) for level in range(400))
    many = b"".join(b"<x%d><a href=/%d>x</a></x%d>" % (n, n, n) for n in range(9_000))
    found = profile(b"<a href=/after>x</a>" + deep + many)
    assert found.cuts == ("location",)
    assert found.links.urls == (AFTER,)
    usual = profile(b"<div>" * 400 + b"<a href=/after>x</a>")
    assert usual.cuts == ()
    assert usual.links.urls == (AFTER,)


def test_hostile_class_names_are_cut() -> None:
    found = profile(b"<p class='" + b"x" * 1_000_000 + b"'><a href=/after>x</a>")
    assert found.cuts == ("classes",)
    assert max(map(len, found.outline.steps)) <= DEFAULT.classes
    assert found.links.urls == (AFTER,)


def test_what_a_page_says_of_itself_is_bounded() -> None:
    long = b"x" * 100_000
    found = profile(
        b"<html lang=%s><title>%s</title><link rel=canonical href=%s>" % (long, long, long)
        + b"<script type=application/ld+json>[%s]</script>" % (b'{"@type":"T"},' * 5000)
    )
    assert len(found.title) <= 500
    assert len(found.canonical) <= DEFAULT.url
    assert len(found.lang) <= 35
    assert len(found.json_ld) <= 20


def profile_elsewhere(parts: list[str]) -> None:
    """Profile a page for each of *parts*, in a process that can be stopped."""
    code = f"""
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
cleaner = Cleaner(Site([{URL!r}]))
for part in [{", ".join(parts)}]:
    body = b"<a href=/after>x</a>" + part + b"x" * 70_000
    assert {AFTER!r} in profile_of({URL!r}, body, cleaner).links.urls
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=STUCK)


@pytest.mark.parametrize("content", ["b' ' * 300_000", "b'1' * 300_000"])
def test_a_refresh_that_goes_nowhere_keeps_no_page_for_hours(content: str) -> None:
    profile_elsewhere([f"b'<meta http-equiv=refresh content=\"' + {content} + b'\">'"])


def test_no_quotes_tags_or_spaces_keep_a_page_for_hours() -> None:
    profile_elsewhere(
        [
            "b'<script type=application/ld+json>' + b'\"@type\" : [ ' * 30_000 + b'</script>'",
            "b'<a href=\"' + b' ' * 300_000 + b'\">x</a>'",
            "b'<a ' + b'=\"' * 300_001 + b\"='\" * 300_001",
            "b'<a ' + b'= ' * 300_000 + b'=' + b' ' * 300_000",
            "b'<!--' * 300_000",
            "b'<' * 600_000 + b'<a' * 300_000",
            "b'<title>' * 100_000 + b'</titl' * 100_000",
            "b'<p>' + b'\"' * 300_001 + b'<b ' * 100_000",
            "b'&' * 600_000",
        ]
    )
