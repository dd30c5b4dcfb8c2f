from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.similarity.sequences import (
    common_subsequence,
    compacted,
    few_edits,
    has_common,
    one_edit_apart,
)

SYMBOLS = st.lists(st.integers(0, 3), max_size=12)
TAGS = st.lists(st.sampled_from([0, 7, 2**31, 2**32 - 1]), max_size=10)
MEASURES = [common_subsequence, few_edits]

Measure = Callable[[Sequence[int], Sequence[int]], float]


def slow_common(a: list[int], b: list[int]) -> int:
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            rows[i + 1][j + 1] = rows[i][j] + 1 if x == y else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]


def slow_edits(a: list[int], b: list[int]) -> int:
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        rows.append([i])
        for j, y in enumerate(b, 1):
            above = rows[i - 1]
            rows[i].append(min(above[j] + 1, rows[i][j - 1] + 1, above[j - 1] + (x != y)))
    return rows[-1][-1]


@given(SYMBOLS, SYMBOLS)
def test_both_are_what_dynamic_programming_says(a: list[int], b: list[int]) -> None:
    most = max(len(a), len(b))
    assert common_subsequence(a, b) == (slow_common(a, b) / most if most else 1)
    assert few_edits(a, b) == (1 - slow_edits(a, b) / most if most else 1)
    assert one_edit_apart(a, b) == (slow_edits(a, b) <= 1)
    for needed in range(14):
        assert has_common(a, b, needed) == (slow_common(a, b) >= needed)


@pytest.mark.parametrize("measure", MEASURES)
@given(SYMBOLS, SYMBOLS)
def test_similarity_is_symmetric_within_bounds_and_one_for_equals(
    measure: Measure, a: list[int], b: list[int]
) -> None:
    assert 0 <= measure(a, b) <= 1
    assert measure(a, b) == measure(b, a)
    assert measure(a, list(a)) == 1
    assert (measure(a, b) == 1) == (a == b)


@settings(max_examples=150)
@given(st.lists(TAGS, max_size=6))
def test_compact_sequences_are_alike_as_before(rows: list[list[int]]) -> None:
    symbols, counts = compacted([np.array(row, np.uint32) for row in rows])
    assert len(symbols) == len(counts) == len(rows)
    for i, one in enumerate(rows):
        assert counts[i].sum() == len(one)
        for j, other in enumerate(rows):
            assert common_subsequence(symbols[i], symbols[j]) == common_subsequence(one, other)
            both = (Counter(one) & Counter(other)).total()
            assert np.minimum(counts[i], counts[j]).sum() == both


def test_a_large_vocabulary_is_counted_together_and_compared_apart() -> None:
    rng = np.random.default_rng(0)
    rows = [rng.integers(0, 2**32, 40_000, np.uint64).astype(np.uint32) for _ in range(2)]
    rows.append(np.concatenate((rows[0][:500], rows[1][500:])))
    symbols, counts = compacted(rows)
    assert counts.shape == (3, 1024)
    both = len(np.intersect1d(rows[0], rows[2]))
    assert np.minimum(counts[0], counts[2]).sum() >= both
    assert has_common(symbols[0], symbols[2], 500)
    assert common_subsequence(symbols[2][:2000], symbols[1][:2000]) >= 0.75
