from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.fingerprints.lzw import compress, raw_tags
from tplcrawl.fingerprints.tag_sequence import (
    VOID,
    Tags,
    head_sequence,
    tag_codes,
    tag_sequence,
)
from tplcrawl.outline import Outline
from tplcrawl.page.profile import parse, profile_of

LEAVES = st.sampled_from(["<br>", "<img src=a>", "<input>", "<b class=x>x</b>", "text", "<!-- -->"])
TREES = st.recursive(
    LEAVES,
    lambda below: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "section", "em"]),
        st.lists(below, max_size=4),
    ),
    max_leaves=25,
)
HEADS = st.lists(
    st.sampled_from(["<title>a</title>", "<meta name=a>", "<link href=a>", "<script></script>"]),
    max_size=4,
)


def outline_of(html: str) -> Outline:
    return profile_of("http://a.com/", html.encode(), None).outline


def names(tags: Tags) -> list[str]:
    known = "html head title body div p b strong big em i small sub sup br meta".split()
    by_hash = {crc32(name.encode()): name for name in known}
    return [by_hash[tag] for tag in tags.tolist()]


def slow(element: Any) -> Iterator[str]:
    """What a recursive walk writes."""
    yield element.tag
    for child in element.iterchildren("*"):
        yield from slow(child)
    if element.tag not in VOID:
        yield element.tag


def hashed(tags: Iterator[str]) -> list[int]:
    return [crc32(tag.encode()) for tag in tags]


EXAMPLE = (
    "<html><body><p><b></b></p><p><strong></strong></p><p><big></big></p><p><em></em></p>"
    "<p><i></i></p><p><small></small></p><p><sub></sub><sup></sup></p></body></html>"
)


def test_the_example_of_paper_000_has_its_sequence_and_its_fingerprint() -> None:
    tags = names(tag_sequence(outline_of(EXAMPLE)))
    assert ", ".join(tags) == (
        "html, body, p, b, b, p, p, strong, strong, p, p, big, big, p, p, em, em, p, p, i, i, p, "
        "p, small, small, p, p, sub, sub, sup, sup, p, body, html"
    )
    references = [0, 0, 0, 0, 4, 3, 0, 3, 0, 9, 3, 0, 8, 0, 8, 0, 8, 0, 0, 19, 2]
    assert list(compress(tag.encode() for tag in tags)) == references


def test_void_elements_count_once_and_missing_end_tags_are_there() -> None:
    page = "<html><head><meta name=a></head><body><p>a<br>b<p>c</body></html>"
    assert names(tag_sequence(outline_of(page))) == (
        "html head meta head body p br p p p body html".split()
    )


@settings(max_examples=150)
@given(HEADS, st.lists(TREES, max_size=4))
def test_the_sequence_is_that_of_a_recursive_walk_and_of_the_raw_tags(
    head: list[str], body: list[str]
) -> None:
    page = f"<html><head>{''.join(head)}</head><body>{''.join(body)}</body></html>"
    tags = tag_sequence(outline_of(page))
    assert tags.dtype == np.uint32
    assert tags.tolist() == hashed(slow(parse(page.encode(), "utf-8")))
    assert tags.tolist() == [crc32(tag) for tag in raw_tags(page.encode())]


@settings(max_examples=100)
@given(HEADS, st.lists(TREES, max_size=3))
def test_the_head_is_a_slice_of_the_sequence(head: list[str], body: list[str]) -> None:
    page = f"<html><head>{''.join(head)}</head><body>{''.join(body)}</body></html>"
    root = parse(page.encode(), "utf-8")
    assert head_sequence(outline_of(page)).tolist() == hashed(slow(root[0]))


def test_a_page_without_a_head_has_an_empty_one() -> None:
    outline = outline_of("<html><body><div><p>a</p></div></body></html>")
    assert "head" not in outline.tags
    assert not len(head_sequence(outline))


def test_only_the_head_of_the_page_is_its_head() -> None:
    tags = ("html", "body", "head", "title", "div")
    outline = Outline((-1, 0, 1, 2, -1), tags, (False,) * 5, (0, 1, 2, 3))
    assert not len(head_sequence(outline))


def test_nothing_has_no_tags() -> None:
    outline = Outline((), (), (), ())
    assert not len(tag_sequence(outline))
    assert not len(head_sequence(outline))


def test_classes_do_not_count_and_no_name_is_too_strange() -> None:
    plain = Outline((-1, 0), ("html", "o:p\ud800"), (False, False), (0, 1, 1))
    classy = Outline((-1, 0), ("html a", "o:p\ud800 b c"), (True, False), (0, 1, 1))
    assert tag_sequence(plain).tolist() == tag_sequence(classy).tolist()
    assert tag_codes(plain) == tag_codes(classy)


def test_a_deep_page_is_no_recursion() -> None:
    depth = 20_000
    steps = ("div",) * depth
    chain = Outline(tuple(range(-1, depth - 1)), steps, (False,) * depth, tuple(range(depth)))
    assert len(tag_sequence(chain)) == 2 * depth
