from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.made_trees import Rows, drawn_trees, outline_of
from tplcrawl.fingerprints.branches import branch_hash, branches

TREES = drawn_trees(st.sampled_from("abc"), deepest=5, most=20)


def counts_of(rows: Rows) -> dict[int, int]:
    found = branches(outline_of(rows))
    return dict(zip(found.hashes.tolist(), found.counts.tolist(), strict=True))


def expected(rows: Rows) -> Counter[int]:
    """Branch by branch, from the definition."""
    found: Counter[int] = Counter()
    for at, (depth, tag) in enumerate(rows):
        after = rows[at + 1 :]
        child = after[0][1] if after and after[0][0] == depth + 1 else "ε"
        sibling = "ε"
        for other_depth, other in after:
            if other_depth <= depth:
                sibling = other if other_depth == depth else "ε"
                break
        found[branch_hash(tag, child, sibling)] += 1
    return found


def test_the_example_of_the_paper() -> None:
    """Section 3.3; its matrix has ``html ε head`` for the root, against its own definition of a
    left child."""
    page: Rows = [(0, "html"), (1, "head"), *[(2, "meta")] * 3]
    page += [(1, "body"), (2, "ul"), *[(3, "li")] * 3]
    matrix = {
        ("html", "head", "ε"): 1,
        ("head", "meta", "body"): 1,
        ("meta", "ε", "meta"): 2,
        ("meta", "ε", "ε"): 1,
        ("body", "ul", "ε"): 1,
        ("ul", "li", "ε"): 1,
        ("li", "ε", "li"): 2,
        ("li", "ε", "ε"): 1,
    }
    assert counts_of(page) == {branch_hash(*branch): n for branch, n in matrix.items()}


@given(rows=TREES)
def test_every_element_is_a_branch(rows: Rows) -> None:
    assert counts_of(rows) == expected(rows)
    found = branches(outline_of(rows))
    assert found.counts.sum() == len(rows)
    assert (np.diff(found.hashes.astype(np.int64)) > 0).all()


@given(one=TREES, other=TREES)
def test_the_key_tells_pages_apart_that_have_other_branches(one: Rows, other: Rows) -> None:
    keys = {branches(outline_of(rows)).key for rows in (one, other)}
    assert (len(keys) == 1) == (expected(one) == expected(other))


def test_left_and_right_differ() -> None:
    assert branch_hash("a", "b", "ε") != branch_hash("a", "ε", "b")
