from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import ceil
from zlib import crc32

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tplcrawl.fingerprints.branches import branches_of
from tplcrawl.fingerprints.shapes import Shape, shape_of_tree
from tplcrawl.fingerprints.tree import Tree
from tplcrawl.similarity.top_down import Known, share_kept, top_down_distance
from tplcrawl.similarity.trees import Sketch, bound_below, bounds_below, edit_distance
from tplcrawl.similarity.zhang_shasha import forest_distance

Rows = tuple[tuple[int, str], ...]
"""The depth and the tag of each element in document order."""
Mapping = tuple[tuple[int, int], ...]


def rows_of(picks: list[tuple[int, str]]) -> Rows:
    rows: list[tuple[int, str]] = []
    for pick, tag in picks:
        rows.append((min(pick, rows[-1][0] + 1) if rows else 0, tag))
    return tuple(rows)


def trees(most: int, tags: str = "abc") -> st.SearchStrategy[Rows]:
    picks = st.tuples(st.integers(1, 5), st.sampled_from(tags))
    return st.lists(picks, min_size=1, max_size=most).map(rows_of)


SMALL = trees(6)
MEDIUM = trees(14)
LARGE = trees(60, "ab")


def tree_of(rows: Rows) -> Tree:
    labels = np.array([crc32(tag.encode()) for _, tag in rows], np.uint32)
    return Tree(labels, np.array([depth for depth, _ in rows], np.int64))


def shape(rows: Rows) -> Shape:
    return shape_of_tree(tree_of(rows))


def tree(text: str) -> Shape:
    """``a(b c(d))`` as a shape."""
    rows: list[tuple[int, str]] = []
    depth = 0
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            depth += 1 if word == "(" else -1
        else:
            rows.append((depth, word))
    return shape(tuple(rows))


def is_above(rows: Rows, one: int, other: int) -> bool:
    return one < other and all(depth > rows[one][0] for depth, _ in rows[one + 1 : other + 1])


def mappings(a: Rows, b: Rows, start: int = 0, known: Mapping = ()) -> Iterator[Mapping]:
    """All mappings of Tai: one to one, keeping the order of siblings and who is above whom."""
    yield known
    for one in range(start, len(a)):
        for other in range(known[-1][1] + 1 if known else 0, len(b)):
            if all(is_above(a, i, one) == is_above(b, j, other) for i, j in known):
                yield from mappings(a, b, one + 1, (*known, (one, other)))


def cost(a: Rows, b: Rows, mapping: Mapping) -> int:
    renamed = sum(a[i][1] != b[j][1] for i, j in mapping)
    return len(a) + len(b) - 2 * len(mapping) + renamed


def parent(rows: Rows, node: int) -> int:
    return max(i for i in range(node) if rows[i][0] == rows[node][0] - 1)


def is_restricted(a: Rows, b: Rows, mapping: Mapping) -> bool:
    """Top-down, and nothing below a renamed pair but the roots."""
    return (0, 0) in mapping and all(
        (pair := (parent(a, i), parent(b, j))) in mapping
        and (pair == (0, 0) or a[pair[0]][1] == b[pair[1]][1])
        for i, j in mapping[1:]
    )


Nested = tuple[str, tuple["Nested", ...]]


def nested(rows: Rows) -> Nested:
    tops = [i for i, (depth, _) in enumerate(rows) if depth == rows[0][0] + 1]
    return rows[0][1], tuple(nested(rows[i:j]) for i, j in pairwise([*tops, len(rows)]))


@cache
def weight(forest: tuple[Nested, ...]) -> int:
    return sum(1 + weight(children) for _, children in forest)


@cache
def recursive(a: tuple[Nested, ...], b: tuple[Nested, ...]) -> int:
    """The edit distance of forests, by the last root of either."""
    if not a or not b:
        return weight(a) + weight(b)
    (one, below), (other, under) = a[-1], b[-1]
    return min(
        recursive((*a[:-1], *below), b) + 1,
        recursive(a, (*b[:-1], *under)) + 1,
        recursive(a[:-1], b[:-1]) + recursive(below, under) + (one != other),
    )


@given(one=SMALL, other=SMALL)
def test_edit_distance_is_the_cost_of_the_cheapest_mapping(one: Rows, other: Rows) -> None:
    cheapest = min(cost(one, other, mapping) for mapping in mappings(one, other))
    assert edit_distance(shape(one), shape(other)) == cheapest
    assert forest_distance([shape(one)], [shape(other)]) == cheapest


@given(one=SMALL, other=SMALL)
def test_top_down_distance_is_the_cost_of_the_cheapest_restricted_mapping(
    one: Rows, other: Rows
) -> None:
    allowed = (m for m in mappings(one, other) if is_restricted(one, other, m))
    cheapest = min(cost(one, other, mapping) for mapping in allowed)
    assert top_down_distance(shape(one), shape(other)) == cheapest


@settings(max_examples=60)
@given(one=MEDIUM, other=MEDIUM)
def test_edit_distance_is_what_the_recursion_finds(one: Rows, other: Rows) -> None:
    found = recursive((nested(one),), (nested(other),))
    assert edit_distance(shape(one), shape(other)) == found
    a, b = shape(one).children, shape(other).children
    assert forest_distance(a, b) == recursive(nested(one)[1], nested(other)[1])


@given(one=LARGE, other=LARGE)
def test_what_is_mapped_at_once_costs_nothing(one: Rows, other: Rows) -> None:
    a, b = shape(one), shape(other)
    assert edit_distance(a, b) == forest_distance([a], [b])


@given(one=LARGE, other=LARGE, third=trees(20))
def test_distances_are_distances(one: Rows, other: Rows, third: Rows) -> None:
    a, b, c = shape(one), shape(other), shape(third)
    for distance in (edit_distance, top_down_distance):
        assert distance(a, a) == 0
        assert distance(a, b) == distance(b, a)
        assert (distance(a, b) == 0) == (one == other)
        assert distance(a, b) <= distance(a, c) + distance(c, b)


@given(one=LARGE, other=LARGE)
def test_bounds_are_bounds(one: Rows, other: Rows) -> None:
    a, b = shape(one), shape(other)
    exact = edit_distance(a, b)
    below = list(bounds_below(Sketch.of(a), Sketch.of(b)))
    assert max(below) <= exact <= top_down_distance(a, b)
    assert list(bounds_below(Sketch.of(b), Sketch.of(a))) == below
    assert bound_below(Sketch.of(a), Sketch.of(b)) == max(below)


@given(one=LARGE, other=LARGE)
def test_branches_differ_by_at_most_five_edits_each(one: Rows, other: Rows) -> None:
    """Paper 003, section 3.3, after Yang, Kalnis and Tung 2005."""
    counts: list[Counter[int]] = []
    for rows in (one, other):
        found = branches_of(tree_of(rows))
        pairs = zip(found.hashes.tolist(), found.counts.tolist(), strict=True)
        counts.append(Counter(dict(pairs)))
    a, b = counts
    distance = (a - b).total() + (b - a).total()
    assert edit_distance(shape(one), shape(other)) >= ceil(distance / 5)


@given(one=LARGE, other=LARGE, enough=st.integers(0, 20))
def test_a_bound_that_is_enough_ends_the_search(one: Rows, other: Rows, enough: int) -> None:
    a, b = Sketch.of(shape(one)), Sketch.of(shape(other))
    assume(max(bounds_below(a, b)) > enough)
    assert enough < bound_below(a, b, enough) <= max(bounds_below(a, b))


@given(pairs=st.lists(st.tuples(trees(25), trees(25)), max_size=5))
def test_what_is_known_of_subtrees_changes_nothing(pairs: list[tuple[Rows, Rows]]) -> None:
    known: Known = {}
    for one, other in pairs:
        a, b = shape(one), shape(other)
        assert top_down_distance(a, b, known) == top_down_distance(a, b)


@given(one=LARGE, other=LARGE)
def test_shares_are_shares(one: Rows, other: Rows) -> None:
    a, b = shape(one), shape(other)
    share = share_kept(top_down_distance(a, b), a, b)
    assert 0 <= share <= 1
    assert (share == 1) == (one == other)


@pytest.mark.parametrize(
    ("one", "other", "edits", "top_down"),
    [
        # Zhang and Shasha's own example.
        ("f(d(a c(b)) e)", "f(c(d(a b)) e)", 2, 7),
        ("a(b c)", "a(b c d)", 1, 1),
        ("a(b c)", "x(b c)", 1, 1),
        # A level more: everything below is lost from the top down.
        ("a(b(c d))", "a(x(b(c d)))", 1, 6),
        # A renamed node keeps its children only where it is the root.
        ("a(b(c d))", "a(x(c d))", 1, 5),
        ("ul(li li li)", "ul(li li li li li)", 2, 2),
    ],
)
def test_trees_made_by_hand(one: str, other: str, edits: int, top_down: int) -> None:
    assert edit_distance(tree(one), tree(other)) == edits
    assert top_down_distance(tree(one), tree(other)) == top_down


def test_an_example_of_formula_1_of_paper_001() -> None:
    longer, shorter = tree("ul(li li li li)"), tree("ul(li li li)")
    assert share_kept(edit_distance(longer, shorter), longer, shorter) == 0.8


def test_depth_does_not_matter() -> None:
    one: Rows = tuple((depth, "b") for depth in range(3000))
    other = (*one, (3000, "i"))
    a, b = shape(one), shape(other)
    assert edit_distance(a, b) == top_down_distance(a, b) == 1
    assert bound_below(Sketch.of(a), Sketch.of(b)) == 1
    deep: Rows = tuple((depth, "i" if depth % 100 else "b") for depth in range(400))
    assert edit_distance(shape(one[:400]), shape(deep)) == 396
