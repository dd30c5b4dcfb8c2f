from __future__ import annotations

import math
from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.similarity import sets as similarity
from tplcrawl.similarity.sets import (
    SetTable,
    common_paths,
    distinct,
    entropy_weights,
    jaccard,
    linked_sets,
)

MEMBERS = [0, 1, 2, 3, 5, 8, 13, 2**31, 2**32 - 2, 2**32 - 1]
SETS = st.frozensets(st.sampled_from(MEMBERS))
MANY = st.lists(SETS, max_size=8)
SMALL = [0, 1 << 24]
"""With which no table here is a small one, and all are."""


def arrays(sets: list[frozenset[int]]) -> list[Hashes]:
    return [hash_set(one) for one in sets]


@given(SETS, SETS)
def test_jaccard_and_common_paths_are_those_of_sets(a: frozenset[int], b: frozenset[int]) -> None:
    one, two = arrays([a, b])
    union, most = len(a | b), max(len(a), len(b))
    assert jaccard(one, two) == (len(a & b) / union if union else 1)
    assert common_paths(one, two) == (len(a & b) / most if most else 1)
    assert jaccard(one, two) == jaccard(two, one) <= common_paths(one, two) <= 1


@given(MANY, st.integers(0, 10), st.booleans())
def test_linked_sets_are_the_pairs_that_are_alike_enough(
    sets: list[frozenset[int]], tenths: int, of_larger: bool
) -> None:
    expected = set()
    for i, a in enumerate(sets):
        for j, b in enumerate(sets[:i]):
            whole = max(len(a), len(b)) if of_larger else len(a | b)
            if 10 * len(a & b) >= tenths * whole:
                expected.add((i, j))
    found = list(linked_sets(arrays(sets), tenths / 10, of_larger=of_larger))
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize("of_larger", [False, True])
def test_sets_of_different_blocks_are_linked(of_larger: bool) -> None:
    count = 2500
    sets = arrays([frozenset((i % 1240, 10_000 + i % 1240)) for i in range(count)])
    found = sorted(linked_sets(sets, 0.9, of_larger=of_larger))
    assert found == sorted((i, j) for i in range(count) for j in range(i % 1240, i, 1240))


@given(MANY, st.integers(1, 4))
def test_a_table_holds_the_members_that_enough_sets_have(
    sets: list[frozenset[int]], at_least: int
) -> None:
    table = SetTable.of(arrays(sets), at_least=at_least)
    counts = Counter(member for one in sets for member in one)
    members = sorted(member for member, count in counts.items() if count >= at_least)
    assert table.members.tolist() == members
    dense = table.rows.toarray()[:, : len(members)]
    assert dense.tolist() == [[float(member in one) for member in members] for one in sets]
    shares = table.frequencies()[: len(members)]
    assert shares.tolist() == pytest.approx([counts[m] / len(sets) for m in members])


@pytest.mark.parametrize("small", SMALL)
@given(MANY.filter(bool), st.sampled_from([0.0, 0.5, 1.0]), st.data())
@settings(max_examples=200)
def test_weighted_jaccard_is_that_of_weighted_sets(
    small: int, sets: list[frozenset[int]], besides: float, data: st.DataObject
) -> None:
    """And of what every two of them have in common besides."""
    table = SetTable.of(arrays(sets))
    weight = st.sampled_from([0.0, 0.0, 0.1, 0.3, 0.5, 0.7, 1.0, 1e-3])
    width = table.rows.shape[1]
    weights = data.draw(st.lists(weight, min_size=width, max_size=width))
    of = dict(zip(table.members.tolist(), weights, strict=False))
    with patch.object(similarity, "_SMALL", small):
        found = table.weighted_jaccard(np.array(weights, np.float32), besides=besides)
    assert found.dtype == np.float32
    assert found.shape == (len(sets), len(sets))
    for i, a in enumerate(sets):
        for j, b in enumerate(sets):
            whole = math.fsum(of[member] for member in a | b) + besides
            common = math.fsum(of[member] for member in a & b) + besides
            assert found[i, j] == pytest.approx(common / whole if whole else 1, abs=1e-5)


@pytest.mark.parametrize("small", SMALL)
def test_weighted_similarities_are_symmetric_and_at_most_one(small: int) -> None:
    random = np.random.default_rng(7)
    for _ in range(300):
        sets = [hash_set(random.integers(0, 40, random.integers(0, 40)).tolist()) for _ in range(6)]
        table = SetTable.of([*sets, *sets])
        weights = random.integers(0, 1025, table.rows.shape[1]).astype(np.float32) / 1024
        with patch.object(similarity, "_SMALL", small):
            found = table.weighted_jaccard(weights)
        assert np.array_equal(found, found.T)
        assert found.min() >= 0
        assert found.max() <= 1


@given(st.lists(st.floats(0, 1)))
def test_a_member_weighs_the_entropy_of_its_presence(shares: list[float]) -> None:
    weights = entropy_weights(np.array(shares, np.float64))
    assert weights.dtype == np.float32
    for share, weight in zip(shares, weights.tolist(), strict=True):
        if share in (0, 1):
            assert weight == 0
        else:
            expected = -share * math.log2(share) - (1 - share) * math.log2(1 - share)
            assert weight == pytest.approx(expected, abs=1 / 2048 + 1e-6)
            assert (weight * 1024).is_integer()
            assert 0 <= weight <= 1


def test_what_half_of_the_pages_have_says_most() -> None:
    weights = entropy_weights(np.array([0, 0.1, 0.5, 0.9, 1]))
    assert weights.argmax() == 2
    assert weights[2] == 1
    assert weights[1] == weights[3]
    assert weights[0] == weights[4] == 0


@pytest.mark.parametrize("small", SMALL)
@given(
    st.lists(st.lists(st.integers(0, 8)), min_size=1, max_size=70),
    st.lists(st.integers(0, 1024), min_size=9, max_size=9),
    st.data(),
)
def test_what_rows_share_is_the_exact_sum_of_weights(
    small: int, sets: list[list[int]], grains: list[int], data: st.DataObject
) -> None:
    weights = np.array(grains, np.float32) / 1024
    unique = [sorted(set(one)) for one in sets]
    table = SetTable.of(arrays(unique))
    rows = data.draw(st.one_of(st.none(), st.lists(st.integers(0, len(sets) - 1), min_size=1)))
    chosen = range(len(sets)) if rows is None else rows
    own = weights[table.members] if len(table.members) else weights[:1]
    with patch.object(similarity, "_SMALL", small):
        found = table.shared(own, rows)
    for i, a in enumerate(chosen):
        for j, b in enumerate(chosen):
            assert found[i, j] == sum(weights[m] for m in set(unique[a]) & set(unique[b]))


@given(MANY, st.lists(st.integers(0, 7), max_size=8), st.integers(1, 4))
def test_sets_that_come_several_times_count_as_often(
    sets: list[frozenset[int]], again: list[int], at_least: int
) -> None:
    every = arrays([*sets, *(sets[at] for at in again if at < len(sets))])
    whole = SetTable.of(every, at_least=at_least)
    first, which = distinct([one.tobytes() for one in every])
    times = np.bincount(which)
    few = SetTable.of([every[at] for at in first], at_least=at_least, times=times)
    assert few.members.tolist() == whole.members.tolist()
    dense = whole.rows.toarray().tolist()
    assert few.rows.toarray()[which].tolist() == dense
    assert few.frequencies(times).tolist() == pytest.approx(whole.frequencies().tolist())
    table, rows = whole.distinct()
    assert table.rows.toarray()[rows].tolist() == dense
    assert len(table.rows.toarray()) == len({tuple(row) for row in dense})
