from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.fingerprints.essential_paths import (
    THRESHOLDS,
    Supports,
    distinct_sets,
    minimum,
    mode,
)
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set

SETS = st.lists(st.frozensets(st.integers(0, 9)), max_size=8)


def hashes(sets: list[frozenset[int]]) -> list[Hashes]:
    return [hash_set(one) for one in sets]


def slow_threshold(name: str, supports: list[int]) -> int:
    if name == "minimum":
        return min(supports)
    return max(sorted(set(supports)), key=supports.count)


def slow_essential(pages: list[frozenset[int]], page: frozenset[int], name: str) -> list[int]:
    counts = Counter(path for other in pages for path in other)
    if not page:
        return []
    threshold = slow_threshold(name, [counts[path] for path in page])
    return sorted(path for path in page if counts[path] >= threshold)


def test_each_page_has_a_threshold_of_its_own() -> None:
    pages = hashes(
        [frozenset(one) for one in ({1, 2, 3, 9}, {1, 2, 3}, {1, 2, 3}, {1, 4, 5}, {1, 4, 5, 8})]
    )
    supports = Supports.of(pages)
    assert supports.of_page(pages[0]).tolist() == [5, 3, 3, 1]
    assert supports.essential(pages[0]).tolist() == [1, 2, 3]
    assert supports.of_page(pages[4]).tolist() == [5, 2, 2, 1]
    assert supports.essential(pages[4]).tolist() == [1, 4, 5]


def test_of_several_modes_the_smallest_counts() -> None:
    assert mode(np.array([4, 2, 4, 2, 3])) == 2
    assert mode(np.array([7])) == 7


def test_the_minimum_keeps_every_path() -> None:
    pages = hashes([frozenset({1, 2, 3}), frozenset({1})])
    assert Supports.of(pages).essential(pages[0], minimum).tolist() == [1, 2, 3]


@pytest.mark.parametrize("name", list(THRESHOLDS))
@given(sets=SETS, other=st.frozensets(st.integers(0, 12)))
def test_supports_and_essential_paths_are_as_defined(
    name: str, sets: list[frozenset[int]], other: frozenset[int]
) -> None:
    supports = Supports.of(hashes(sets))
    for page in [*sets, other]:
        assert supports.of_page(hash_set(page)).tolist() == [
            sum(path in one for one in sets) for path in sorted(page)
        ]
        found = supports.essential(hash_set(page), THRESHOLDS[name])
        assert found.tolist() == slow_essential(sets, page, name)


@pytest.mark.parametrize("name", list(THRESHOLDS))
@given(sets=SETS, page=st.frozensets(st.integers(0, 12)))
def test_a_new_page_has_the_essential_paths_that_it_would_have_among_the_others(
    name: str, sets: list[frozenset[int]], page: frozenset[int]
) -> None:
    apart, among = Supports.of(hashes(sets)), Supports.of(hashes([*sets, page]))
    own = hash_set(page)
    before = apart.essential(own, THRESHOLDS[name])
    assert before.tolist() == among.essential(own, THRESHOLDS[name]).tolist()


@given(SETS, st.randoms(use_true_random=False))
def test_equal_sets_are_one_whatever_their_order(
    sets: list[frozenset[int]], random: object
) -> None:
    shuffled = list(sets)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found, other = distinct_sets(hashes(sets)), distinct_sets(hashes(shuffled))
    assert [one.tolist() for one in found.sets] == sorted(sorted(one) for one in set(sets))
    assert [one.tolist() for one in found.sets] == [one.tolist() for one in other.sets]
    assert found.pages.tolist() == other.pages.tolist()
    assert [frozenset(found.sets[i].tolist()) for i in found.of_page] == sets
    assert found.pages.tolist() == [found.of_page.count(i) for i in range(len(found.sets))]
