from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made_trees import Rows, drawn_trees, outline_of
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.pq_grams import numbered, pq_grams
from tplcrawl.outline import Outline

TREES = drawn_trees(st.sampled_from("abc"), deepest=5, least=1, most=20)


def bag_of(rows: Rows, p: int, q: int) -> Counter[tuple[str, ...]]:
    """The definition: the extended tree, node by node."""
    outline = outline_of(rows)
    found: Counter[tuple[str, ...]] = Counter()
    for node in range(len(rows)):
        stem: list[str] = []
        above = node
        for _ in range(p):
            stem.insert(0, rows[above][1] if above >= 0 else "*")
            above = outline.parents[above] if above >= 0 else -1
        children = [rows[i][1] for i, parent in enumerate(outline.parents) if parent == node]
        padding = ["*"] * (q - 1)
        row = [*padding, *children, *padding] if children else ["*"] * q
        for start in range(len(row) - q + 1):
            found[(*stem, *row[start : start + q])] += 1
    return found


def in_common(one: Rows, other: Rows, p: int, q: int) -> int:
    a, b = pq_grams(outline_of(one), p, q), pq_grams(outline_of(other), p, q)
    return len(np.intersect1d(a, b, assume_unique=True))


@given(one=TREES, other=TREES, p=st.integers(1, 4), q=st.integers(1, 4))
def test_sets_have_in_common_what_the_bags_have(one: Rows, other: Rows, p: int, q: int) -> None:
    a, b = bag_of(one, p, q), bag_of(other, p, q)
    assert in_common(one, other, p, q) == (a & b).total()
    assert in_common(one, one, p, q) == a.total()


@given(rows=TREES, q=st.integers(1, 4))
def test_a_tree_has_as_many_grams_as_the_formula_says(rows: Rows, q: int) -> None:
    leaves = sum(after[0] <= before[0] for before, after in pairwise([*rows, (0, "")]))
    inner = len(rows) - leaves
    assert len(pq_grams(outline_of(rows), 3, q)) == 2 * leaves + q * inner - 1


@given(rows=TREES)
def test_grams_are_sorted_and_distinct(rows: Rows) -> None:
    grams = pq_grams(outline_of(rows))
    assert grams.dtype == np.uint32
    assert (np.diff(grams.astype(np.int64)) > 0).all()


@given(bag=st.lists(st.integers(0, 5)), other=st.lists(st.integers(0, 5)))
def test_copies_are_members_of_their_own(bag: list[int], other: list[int]) -> None:
    a, b = (numbered(np.array(members, np.uint32)) for members in (bag, other))
    assert len(np.intersect1d(a, b)) == (Counter(bag) & Counter(other)).total()


def test_grams_are_the_same_in_every_process() -> None:
    grams = pq_grams(outline_of([(0, "html"), (1, "head"), (1, "body")]))
    assert grams.tolist()[:3] == [1097643824, 1276641012, 1918234890]
    assert grams.tolist()[3:] == [2453956121, 2805592918, 2898696928]


@pytest.mark.parametrize(("p", "q"), [(0, 3), (2, 0)])
def test_stems_and_bases_have_nodes(p: int, q: int) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        pq_grams(outline_of([(0, "html")]), p, q)


def test_a_page_without_elements_has_no_grams() -> None:
    assert not len(pq_grams(Outline((), (), (), ())))
