from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import sqrt
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.similarity import vectors
from tplcrawl.similarity.vectors import Counts, cosine, linked_counts

BAGS = st.lists(st.integers(0, 4), max_size=8)


def counts(*rows: list[int]) -> list[Counts]:
    return [Counts.of(np.array(row, np.uint32)) for row in rows]


def slow(a: list[int], b: list[int]) -> float:
    one, other = Counter(a), Counter(b)
    if not a or not b:
        return float(a == b)
    dot = sum(one[x] * other[x] for x in one)
    return dot / sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))


@given(BAGS, BAGS)
def test_the_cosine_is_that_of_the_counts(a: list[int], b: list[int]) -> None:
    assert cosine(*counts(a, b)) == pytest.approx(slow(a, b), abs=1e-11)


@given(BAGS, BAGS)
def test_similarity_is_symmetric_within_bounds_and_one_for_equals(
    a: list[int], b: list[int]
) -> None:
    one, other = counts(a, b)
    assert 0 <= cosine(one, other) <= 1
    assert cosine(one, other) == cosine(other, one)
    assert cosine(one, one) == 1


@given(BAGS, st.integers(1, 1000))
def test_proportions_count_not_sizes(a: list[int], times: int) -> None:
    assert cosine(*counts(a, a * times)) == 1


@given(st.lists(BAGS, max_size=9), st.sampled_from([0.0, 0.3, 0.5, 0.8, 0.95, 1.0]))
def test_all_pairs_are_those_of_one_by_one(rows: list[list[int]], at_least: float) -> None:
    table = counts(*rows)
    expected = {
        (j, i)
        for i, j in combinations(range(len(rows)), 2)
        if cosine(table[i], table[j]) >= at_least
    }
    for block in (1024, 2, 3):
        with patch.object(vectors, "_BLOCK", block):
            found = list(linked_counts(table, at_least))
        assert len(found) == len(set(found))
        assert set(found) == expected
