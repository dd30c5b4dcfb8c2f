from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.essential import template_paths
from tplcrawl.clustering.inbound import Inbound
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.text_mdl import Exact, TextMDL
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.outline import Outline
from tplcrawl.similarity import mdl
from tplcrawl.similarity.mdl import TOLERANCE, Matrix, clustering_bits

NONE = np.empty(0, np.uint32)
EMPTY = Outline((), (), (), ())
Sets = list[frozenset[int]]
KINDS = st.dictionaries(
    st.frozensets(st.integers(0, 6), min_size=1), st.integers(1, 4), min_size=1, max_size=6
)
Kinds = dict[frozenset[int], int]


def features(paths: frozenset[int]) -> Features:
    return Features(hash_set(paths), NONE, NONE, NONE, NONE, b"")


def pages_of(sets: Sets) -> Pages:
    nothing = np.empty(0, np.int64)
    return Pages(
        [f"http://a.com/{i}" for i in range(len(sets))],
        [features(one) for one in sets],
        [EMPTY] * len(sets),
        Inbound(nothing, nothing, nothing.astype(bool), nothing),
        [None] * len(sets),
    )


def partition(method: TextMDL, sets: Sets) -> set[frozenset[int]]:
    found: dict[int | None, set[int]] = {}
    for page, given_ in enumerate(method.cluster(pages_of(sets)).assignments):
        found.setdefault(given_.template, set()).add(page)
    return set(map(frozenset, found.values()))


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
    shuffled = partition(method, [sets[page] for page in order])
    assert {frozenset(order[i] for i in group) for group in shuffled} == partition(method, sets)


def test_two_templates_with_variants_are_two_clusters() -> None:
    blog, shop = frozenset(range(20)), frozenset(range(15, 40))
    sets = [blog, shop] * 3
    sets += [blog - {2}, blog | {50}, shop - {33}, shop | {51, 52}]
    found = TextMDL(support="minimum").cluster(pages_of(sets))
    assert [one.template for one in found.assignments] == [0, 1, 0, 1, 0, 1, 0, 0, 1, 1]
    assign = found.classifier.assign
    assert assign(Arrival(features(shop - {20, 21}), EMPTY)).template == 1
    assert assign(Arrival(features(blog | {70, 71}), EMPTY)).template == 0
    assert assign(Arrival(features(frozenset(range(60, 80))), EMPTY)).template is None


def test_the_template_is_what_more_than_half_of_the_pages_have() -> None:
    sets = [hash_set([1, 2]), hash_set([1, 3]), hash_set([4])]
    assert template_paths(sets, np.array([1, 1, 1])).tolist() == [1]
    assert template_paths(sets, np.array([1, 1, 2])).tolist() == []
    assert template_paths(sets, np.array([3, 1, 1])).tolist() == [1, 2]


def test_no_pages_and_empty_pages() -> None:
    assert TextMDL().cluster(pages_of([])).assignments == ()
    sets = [frozenset[int]()] * 2
    assert partition(TextMDL(), sets) == {frozenset({0, 1})}
    assert len(partition(TextMDL(), [*sets, frozenset(range(9))])) >= 1


def test_parameters_are_checked() -> None:
    with pytest.raises(UsageError, match="text-mdl: support must be mode or minimum"):
        TextMDL(support="")
    with pytest.raises(UsageError, match="text-mdl: most must be at least 1"):
        TextMDL(most=-1)
