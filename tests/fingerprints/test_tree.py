from __future__ import annotations

from itertools import pairwise
from zlib import crc32

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.made_trees import Rows, drawn_trees
from tplcrawl.fingerprints.tree import Tree, mixed
from tplcrawl.outline import Outline

TREES = drawn_trees(st.sampled_from("abc"), deepest=6, most=30)


def outline_of(rows: Rows) -> Outline:
    parents: list[int] = []
    steps: list[str] = []
    sequence: list[int] = []
    way: list[int] = []
    known: dict[tuple[int, str], int] = {}
    for depth, step in rows:
        del way[depth:]
        place = way[-1] if way else -1, step
        if place not in known:
            known[place] = len(steps)
            parents.append(place[0])
            steps.append(step)
        way.append(known[place])
        sequence.append(known[place])
    return Outline(tuple(parents), tuple(steps), (False,) * len(steps), tuple(sequence))


def parent_of(rows: Rows, index: int) -> int:
    above = [i for i in range(index) if rows[i][0] == rows[index][0] - 1]
    return above[-1] if above else -1


@given(rows=TREES)
def test_relatives_are_those_of_the_page(rows: Rows) -> None:
    tree = Tree.of(outline_of(rows))
    parents = [parent_of(rows, i) for i in range(len(rows))]
    assert tree.labels.tolist() == [crc32(tag.encode()) for _, tag in rows]
    assert tree.depths.tolist() == [depth for depth, _ in rows]
    assert tree.parents.tolist() == parents
    children = [[j for j, p in enumerate(parents) if p == i] for i in range(len(rows))]
    assert tree.first_children.tolist() == [below[0] if below else -1 for below in children]
    after = dict.fromkeys(range(len(rows)), -1)
    for below in children:
        after.update(pairwise(below))
    assert tree.next_siblings.tolist() == list(after.values())


@given(rows=TREES, most=st.integers(1, 31))
def test_a_cut_tree_keeps_what_is_nearest_to_the_root(rows: Rows, most: int) -> None:
    cut = Tree.of(outline_of(rows), most)
    order = sorted(range(len(rows)), key=lambda i: (rows[i][0], i))[:most]
    assert list(zip(cut.depths.tolist(), cut.labels.tolist(), strict=True)) == [
        (rows[i][0], crc32(rows[i][1].encode())) for i in sorted(order)
    ]
    # It is a tree: whoever is kept, so is its parent.
    assert all(parent_of(rows, i) in {-1, *order} for i in order)


def test_classes_do_not_count() -> None:
    plain, styled = (outline_of([(0, "html"), (1, step)]) for step in ("p", "p big p7"))
    assert Tree.of(plain).labels.tolist() == Tree.of(styled).labels.tolist()


def test_depth_does_not_matter() -> None:
    tree = Tree.of(outline_of([(depth, "b") for depth in range(20_000)]))
    assert tree.parents.tolist() == list(range(-1, 19_999))


def test_the_order_of_what_is_mixed_counts() -> None:
    one, other = np.array([1, 2], np.uint32), np.array([3, 3], np.uint32)
    found = {*mixed(one, other).tolist(), *mixed(other, one).tolist(), *mixed(one).tolist()}
    assert len(found) == 6
