from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.laws import check_order
from tests.clustering.made_sites import arrival_with, partition, site_of_sets
from tplcrawl.clustering.essential import template_paths
from tplcrawl.clustering.text_mdl import Exact, TextMDL
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.similarity import mdl
from tplcrawl.similarity.mdl import TOLERANCE, Matrix, clustering_bits

Sets = list[frozenset[int]]
KINDS = st.dictionaries(
    st.frozensets(st.integers(0, 6), min_size=1), st.integers(1, 4), min_size=1, max_size=6
)
Kinds = dict[frozenset[int], int]


def table(kinds: Kinds) -> tuple[list[Hashes], list[int], Matrix]:
    """The sets in their own order, how many pages have each, and M_E with a column a page."""
    ordered = sorted(kinds, key=sorted)
    rows = sorted(frozenset().union(*ordered))
    columns = [[row in one for row in rows] for one in ordered for _ in range(kinds[one])]
    sizes = [kinds[one] for one in ordered]
    return [hash_set(one) for one in ordered], sizes, np.array(columns, np.int64).T


def cost_of(groups: list[list[int]], sizes: list[int], matrix: Matrix) -> float:
    cluster = {number: at for at, group in enumerate(groups) for number in group}
    return clustering_bits(
        matrix, [cluster[n] for n, size in enumerate(sizes) for _ in range(size)]
    )


def slow_merges(sizes: list[int], matrix: Matrix) -> list[list[list[int]]]:
    """All states of the greedy search: every pair is tried, from the matrices each time."""
    groups = [[number] for number in range(len(sizes))]
    states = [groups]
    while len(groups) > 1:
        tried = []
        for a, b in combinations(range(len(groups)), 2):
            merged = [group for i, group in enumerate(groups) if i not in (a, b)]
            merged.append(sorted(groups[a] + groups[b]))
            merged.sort()
            tried.append((cost_of(merged, sizes, matrix), merged))
        least = min(cost for cost, _ in tried)
        if least >= cost_of(groups, sizes, matrix) - TOLERANCE:
            break
        groups = next(merged for cost, merged in tried if cost <= least + TOLERANCE)
        states.append(groups)
    return states


@settings(max_examples=100)
@given(KINDS)
def test_every_step_is_that_of_the_slow_search_and_lowers_the_cost(kinds: Kinds) -> None:
    sets, sizes, matrix = table(kinds)
    states = slow_merges(sizes, matrix)
    merging = Exact(sets, np.array(sizes))
    for number, state in enumerate(states):
        groups = [sorted(group) for group in merging.groups if group]
        assert groups == state
        assert merging.clusters == len(state)
        assert merging.cost == pytest.approx(cost_of(state, sizes, matrix), abs=1e-7)
        before = merging.cost
        assert merging.step() == (number + 1 < len(states))
        assert merging.cost < before or number + 1 == len(states)


@settings(max_examples=50)
@given(KINDS)
def test_bounds_and_small_blocks_change_nothing(kinds: Kinds) -> None:
    sets, sizes, _ = table(kinds)
    expected = Exact(sets, np.array(sizes)).run()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mdl, "_FEW", 1)
        patch.setattr("tplcrawl.clustering.text_mdl._BLOCK", 1)
        patch.setattr("tplcrawl.clustering.text_mdl._EXACT", 0)
        assert Exact(sets, np.array(sizes)).run() == expected


@pytest.mark.parametrize("seed", range(3))
def test_many_sets_are_merged_as_by_costs_from_scratch(seed: int) -> None:
    """Large enough for bounds to matter; the costs are worked out anew at each step."""
    random = np.random.default_rng(seed)
    templates = random.random((4, 60)) < 0.4
    rows = templates[random.integers(0, 4, 60)] ^ (random.random((60, 60)) < 0.06)
    kinds: Kinds = {}
    for row in rows:
        one = frozenset(np.flatnonzero(row).tolist())
        kinds[one] = kinds.get(one, 0) + 1
    sets, sizes, matrix = table(kinds)
    merging = Exact(sets, np.array(sizes))
    while True:
        groups = [sorted(group) for group in merging.groups if group]
        assert merging.cost == pytest.approx(cost_of(groups, sizes, matrix), abs=1e-6)
        entries, pairs = merging.own.sum(axis=1)[:, None], merging.candidates()
        assert len(pairs.first) == merging.clusters * (merging.clusters - 1) // 2
        costs = merging.counts.cost(merging.clusters - 1, entries + pairs.changes)
        expected = min(costs.min(), merging.cost)
        if not merging.step():
            break
        assert merging.cost == pytest.approx(expected, abs=1e-6)
    assert len(groups) == 4


@settings(max_examples=60)
@given(
    st.lists(st.frozensets(st.integers(0, 6)), max_size=9),
    st.sampled_from(("mode", "minimum")),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_pages_does_not_matter(sets: Sets, support: str, random: Random) -> None:
    order = list(range(len(sets)))
    random.shuffle(order)
    method = TextMDL(support=support)
    check_order(method, site_of_sets(sets), order)


def test_two_templates_with_variants_are_two_clusters() -> None:
    blog, shop = frozenset(range(20)), frozenset(range(15, 40))
    sets = [blog, shop] * 3
    sets += [blog - {2}, blog | {50}, shop - {33}, shop | {51, 52}]
    found = TextMDL(support="minimum").cluster(site_of_sets(sets))
    assert [one.template for one in found.assignments] == [0, 1, 0, 1, 0, 1, 0, 0, 1, 1]
    assign = found.classifier.assign
    assert assign(arrival_with(shop - {20, 21})).template == 1
    assert assign(arrival_with(blog | {70, 71})).template == 0
    assert assign(arrival_with(frozenset(range(60, 80)))).template is None


def test_the_template_is_what_more_than_half_of_the_pages_have() -> None:
    sets = [hash_set([1, 2]), hash_set([1, 3]), hash_set([4])]
    assert template_paths(sets, np.array([1, 1, 1])).tolist() == [1]
    assert template_paths(sets, np.array([1, 1, 2])).tolist() == []
    assert template_paths(sets, np.array([3, 1, 1])).tolist() == [1, 2]


def test_no_pages_and_empty_pages() -> None:
    assert TextMDL().cluster(site_of_sets([])).assignments == ()
    sets = [frozenset[int]()] * 2
    assert partition(TextMDL().cluster(site_of_sets(sets))) == [[0, 1]]
    more = TextMDL().cluster(site_of_sets([*sets, frozenset(range(9))]))
    assert len(partition(more)) >= 1


def test_parameters_are_checked() -> None:
    with pytest.raises(UsageError, match="text-mdl: support must be mode or minimum"):
        TextMDL(support="")
    with pytest.raises(UsageError, match="text-mdl: most must be at least 1"):
        TextMDL(most=-1)
