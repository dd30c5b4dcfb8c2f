from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.made_trees import Rows, drawn_trees, outline_of
from tplcrawl.fingerprints.shapes import MOST, Shape, shape_of
from tplcrawl.outline import Outline

TREES = drawn_trees(st.sampled_from("ab"), deepest=5, least=1, most=12)


def rows_below(shape: Shape, depth: int = 0) -> list[tuple[int, int]]:
    found = [(depth, shape.label)]
    for child in shape.children:
        found += rows_below(child, depth + 1)
    return found


@given(one=TREES, other=TREES)
def test_shapes_are_one_where_the_trees_are(one: Rows, other: Rows) -> None:
    a, b = shape_of(outline_of(one)), shape_of(outline_of(other))
    assert (a.id == b.id) == (one == other)
    assert [depth for depth, _ in rows_below(a)] == [depth for depth, _ in one]
    assert a.size == len(one)


@given(rows=TREES)
def test_a_walk_is_in_document_order(rows: Rows) -> None:
    shape = shape_of(outline_of(rows))
    assert [node.label for node in shape.walk()] == [label for _, label in rows_below(shape)]


def test_a_mirrored_walk_in_reverse_ends_every_node_after_those_below() -> None:
    shape = shape_of(outline_of([(0, "a"), (1, "b"), (2, "c"), (1, "d")]))
    names = {shape_of(outline_of([(0, tag)])).label: tag for tag in "abcd"}
    found = [names[node.label] for node in shape.walk(mirrored=True)]
    assert found[::-1] == ["c", "b", "d", "a"]


def test_long_pages_are_cut() -> None:
    rows = [(0, "html"), *[(1, "p"), (2, "b")] * MOST]
    shape = shape_of(outline_of(rows))
    assert shape.size == MOST
    assert {child.size for child in shape.children} == {1}


def test_depth_does_not_matter() -> None:
    parents = tuple(range(-1, 19_999))
    outline = Outline(parents, ("b",) * 20_000, (False,) * 20_000, tuple(range(20_000)))
    shape = shape_of(outline, most=20_000)
    assert shape.size == sum(1 for _ in shape.walk()) == 20_000


def test_a_page_without_elements_has_a_shape_too() -> None:
    assert shape_of(Outline((), (), (), ())).size == 1
