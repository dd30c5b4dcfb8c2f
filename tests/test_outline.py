from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.outline import Outline
from tplcrawl.page.profile import profile_of

WORDS = st.text(
    st.characters().filter(lambda c: not c.isspace())
    | st.sampled_from("\ud800\udfff\0é\U0001f600"),
    min_size=1,
    max_size=6,
)
"""Any characters, lone surrogates too, but the spaces that the walk has taken out."""


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    size = draw(st.integers(0, 10))
    return Outline(
        tuple(draw(st.integers(-1, i - 1)) for i in range(size)),
        tuple(" ".join(draw(st.lists(WORDS, min_size=1, max_size=4))) for _ in range(size)),
        tuple(draw(st.lists(st.booleans(), min_size=size, max_size=size))),
        tuple(draw(st.lists(st.integers(0, size - 1), max_size=30))) if size else (),
    )


@given(outlines())
def test_an_outline_comes_back_from_its_bytes(outline: Outline) -> None:
    blob = outline.encode()
    assert Outline.decode(blob) == outline
    assert Outline.decode(blob).encode() == blob


@given(outlines())
def test_paths_depths_tags_and_classes_say_the_same(outline: Outline) -> None:
    for index, parent in enumerate(outline.parents):
        tag, *classes = outline.steps[index].split(" ")
        above = outline.path(parent) if parent >= 0 else ""
        assert outline.tags[index] == tag
        assert outline.classes(index) == classes
        assert outline.path(index) == f"{above}/{tag}"
        assert outline.depths[index] == (outline.depths[parent] + 1 if parent >= 0 else 0)


@pytest.mark.parametrize(
    "attribute",
    ["a\nb", "a\r\nb", "a\x85b", "a\u2028b", "a\x1cb", "a&#10;b", "a\xa0b", "a\x0bb", "\ufeffa"],
)
def test_no_character_of_a_class_breaks_the_bytes_of_an_outline(attribute: str) -> None:
    page = f"<p class='{attribute}'><b>x</b></p>"
    outline = profile_of("http://a.com/", page.encode(), None).outline
    assert Outline.decode(outline.encode()) == outline
    assert outline.tags == ("html", "body", "p", "b")


def test_a_long_page_takes_little_space() -> None:
    page = b"<table>" + b"<tr class=row><td>x</td><td class=n>1</td></tr>" * 10_000
    outline = profile_of("http://a.com/", page, None).outline
    assert len(outline.sequence) > 30_000
    assert len(outline.steps) < 8
    assert len(outline.encode()) < 3000
