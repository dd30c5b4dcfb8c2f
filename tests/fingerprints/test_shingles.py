from __future__ import annotations

from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.fingerprints.shingles import leaf_paths, path_shingles, tag_shingles
from tplcrawl.fingerprints.tag_sequence import tag_sequence
from tplcrawl.outline import Outline
from tplcrawl.page.profile import parse, profile_of

TREES = st.recursive(
    st.sampled_from(["<br>", "<b class=x>x</b>", "<b></b>", "text"]),
    lambda below: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "div class=a", "em"]),
        st.lists(below, max_size=4),
    ),
    max_leaves=20,
)
PAGES = st.lists(TREES, max_size=3).map(lambda parts: f"<html><body>{''.join(parts)}</body></html>")
LENGTHS = st.integers(1, 7)


TAG_SHINGLES = [1212561823, 1736921806, 2075732730, 2307589904, 2727253210, 3281462123]
"""Of the page below. Other numbers here would be no mistake, but other ones than yesterday's."""


def outline_of(html: str) -> Outline:
    return profile_of("http://a.com/", html.encode(), None).outline


def slow_paths(element: Any, above: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """The paths to leaves, by recursion."""
    path = (*above, element.tag)
    children = list(element.iterchildren("*"))
    if not children:
        return {path}
    return set().union(*(slow_paths(child, path) for child in children))


def hashes(paths: set[tuple[str, ...]]) -> list[int]:
    return sorted(crc32("".join(f"/{tag}" for tag in path).encode()) for path in paths)


def windows(path: tuple[Any, ...], length: int) -> set[tuple[Any, ...]]:
    if len(path) <= length:
        return {path}
    return {path[i : i + length] for i in range(len(path) - length + 1)}


@settings(max_examples=150)
@given(PAGES)
def test_paths_lead_to_elements_without_children(page: str) -> None:
    expected = slow_paths(parse(page.encode(), "utf-8"))
    assert leaf_paths(outline_of(page)).tolist() == hashes(expected)


@settings(max_examples=150)
@given(PAGES, LENGTHS)
def test_path_shingles_are_the_windows_over_each_path(page: str, length: int) -> None:
    paths = slow_paths(parse(page.encode(), "utf-8"))
    expected = set().union(*(windows(path, length) for path in paths))
    assert path_shingles(outline_of(page), length).tolist() == hashes(expected)


@settings(max_examples=150)
@given(PAGES, LENGTHS)
def test_tag_shingles_are_the_windows_over_the_sequence(page: str, length: int) -> None:
    outline = outline_of(page)
    expected = windows(tuple(tag_sequence(outline).tolist()), length)
    found = tag_shingles(outline, length)
    assert len(found) == len(expected)
    assert found.tolist() == sorted(set(found.tolist()))


@settings(max_examples=100)
@given(PAGES, PAGES, LENGTHS)
def test_pages_share_the_tag_shingles_that_their_sequences_share(
    one: str, other: str, length: int
) -> None:
    a, b = (tuple(tag_sequence(outline_of(page)).tolist()) for page in (one, other))
    common = windows(a, length) & windows(b, length)
    found = [set(tag_shingles(outline_of(page), length).tolist()) for page in (one, other)]
    assert len(found[0] & found[1]) == len(common)


def test_the_order_within_a_window_counts() -> None:
    one = Outline((-1, 0, 0), ("a", "b", "c"), (False,) * 3, (0, 1, 2))
    other = Outline((-1, 0, 0), ("a", "c", "b"), (False,) * 3, (0, 1, 2))
    assert not set(tag_shingles(one, 3)) & set(tag_shingles(other, 3))


def test_one_more_row_adds_no_shingle() -> None:
    row = "<tr><td>a</td><td>b</td></tr>"
    few, many = (outline_of(f"<table>{row * n}</table>") for n in (3, 30))
    assert path_shingles(few).tolist() == path_shingles(many).tolist()
    assert tag_shingles(few).tolist() == tag_shingles(many).tolist()


def test_nothing_has_no_shingles() -> None:
    nothing = Outline((), (), (), ())
    for shingles in (leaf_paths, path_shingles, tag_shingles):
        assert shingles(nothing).tolist() == []


def test_hashes_are_those_of_every_process() -> None:
    outline = outline_of("<html><head></head><body><p>a</p><br></body></html>")
    assert tag_shingles(outline).tolist() == TAG_SHINGLES
    assert path_shingles(outline).tolist() == sorted(
        map(crc32, (b"/html/head", b"/html/body/p", b"/html/body/br"))
    )


@pytest.mark.parametrize("length", [1, 4, 100])
def test_a_deep_page_is_no_recursion(length: int) -> None:
    depth = 3000
    steps = ("div",) * depth
    chain = Outline(tuple(range(-1, depth - 1)), steps, (False,) * depth, tuple(range(depth)))
    assert len(leaf_paths(chain)) == 1
    assert len(path_shingles(chain, length)) == 1
    assert len(tag_shingles(chain, length)) == 1
