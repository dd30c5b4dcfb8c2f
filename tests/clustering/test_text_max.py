from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.made_sites import site_of_sets
from tplcrawl.clustering.text_max import Estimated, Ranks, TextMax, estimate, signatures
from tplcrawl.clustering.text_mdl import TextMDL
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.similarity.mdl import TOLERANCE, Counts, cluster_entries

PATHS = 5
ALL = np.array(list(permutations(range(PATHS))), np.uint32).T
"""The rank of each path in every permutation that there is: signatures by these are exact."""
KINDS = st.dictionaries(
    st.frozensets(st.integers(0, PATHS - 1), min_size=1),
    st.integers(1, 4),
    min_size=1,
    max_size=7,
)
Kinds = dict[frozenset[int], int]


def exact_ranks(sets: list[frozenset[int]]) -> Ranks:
    return np.stack([ALL[sorted(one)].min(axis=0) for one in sets])


def exact_merging(kinds: Kinds) -> Estimated:
    sets, sizes = list(kinds), np.array(list(kinds.values()))
    totals = sizes * np.array([len(one) for one in sets])
    return Estimated(exact_ranks(sets), sizes, totals, len(frozenset().union(*sets)))


def supports_of(kinds: Kinds, group: list[int]) -> tuple[list[int], int]:
    sets = list(kinds)
    counts = [sum(kinds[sets[i]] * (path in sets[i]) for i in group) for path in range(PATHS)]
    return counts, sum(kinds[sets[i]] for i in group)


def slow_merges(kinds: Kinds) -> list[list[list[int]]]:
    """All states of the search with true coefficients and costs."""
    sets = list(kinds)
    counts = Counts(len(frozenset().union(*sets)), sum(kinds.values()))

    def cost(groups: list[list[int]]) -> float:
        each = [cluster_entries(*map(np.array, supports_of(kinds, group))) for group in groups]
        return float(counts.cost(len(groups), np.sum(each, axis=0)))

    groups = [[number] for number in range(len(sets))]
    states = [groups]
    while len(groups) > 1:
        unions = [frozenset().union(*(sets[i] for i in group)) for group in groups]
        alike = [[len(a & b) / len(a | b) for b in unions] for a in unions]
        best = [max(x for j, x in enumerate(row) if j != i) for i, row in enumerate(alike)]
        tried = []
        for a in range(len(groups)):
            for b in range(a + 1, len(groups)):
                if alike[a][b] > 0 and alike[a][b] in (best[a], best[b]):
                    merged = [group for i, group in enumerate(groups) if i not in (a, b)]
                    merged = sorted([*merged, sorted(groups[a] + groups[b])])
                    tried.append((cost(merged), merged))
        least = min((one for one, _ in tried), default=float("inf"))
        if least >= cost(groups) - TOLERANCE:
            break
        groups = next(merged for one, merged in tried if one <= least + TOLERANCE)
        states.append(groups)
    return states


@settings(max_examples=100)
@given(KINDS)
def test_with_exact_signatures_every_step_is_that_of_the_slow_search(kinds: Kinds) -> None:
    states = slow_merges(kinds)
    merging = exact_merging(kinds)
    for number, state in enumerate(states):
        assert [sorted(group) for group in merging.groups if group] == state
        for group in state:
            true = cluster_entries(*map(np.array, supports_of(kinds, group)))
            assert merging.own[:, group[0]] == pytest.approx(true, abs=1e-7)
        before = merging.cost
        assert merging.step() == (number + 1 < len(states))
        assert merging.cost < before or number + 1 == len(states)


@given(KINDS)
def test_with_exact_signatures_the_estimate_is_exact(kinds: Kinds) -> None:
    """Lemma 3 of the paper's reference: supports from the numbers of a signature."""
    supports, pages = map(np.array, supports_of(kinds, list(range(len(kinds)))))
    paths = np.flatnonzero(supports)
    numbers = supports[paths[ALL[paths].argmin(axis=0)]]
    found = estimate(numbers, pages, supports.sum(), PATHS)
    assert found == pytest.approx(cluster_entries(supports, pages), abs=1e-9)


def separated(seed: int) -> tuple[list[Hashes], list[int]]:
    """Sets of five templates that share a little, and the template of each."""
    random = np.random.default_rng(seed)
    own = random.integers(0, 2**32, (5, 60), dtype=np.uint32)
    shared = random.integers(0, 2**32, 8, dtype=np.uint32)
    found: dict[bytes, tuple[Hashes, int]] = {}
    for template in random.integers(0, 5, 40).tolist():
        paths = np.concatenate((own[template][random.random(60) < 0.97], shared))
        one = hash_set(paths.tolist())
        found[one.astype(">u4").tobytes()] = one, template
    pairs = [found[key] for key in sorted(found)]
    return [one for one, _ in pairs], [template for _, template in pairs]


@pytest.mark.parametrize("seed", range(4))
def test_long_signatures_find_what_text_mdl_finds(seed: int) -> None:
    sets, templates = separated(seed)
    pages = np.random.default_rng(seed).integers(1, 5, len(sets))
    found = TextMax(permutations=1024).partition(sets, pages)
    assert found == TextMDL().partition(sets, pages)
    assert len(found) == 5
    assert all(len({templates[i] for i in group}) == 1 for group in found)


def test_the_share_of_equal_ranks_is_the_jaccard_coefficient() -> None:
    a, b = hash_set(range(300)), hash_set(range(100, 400))
    one, other = signatures([a, b], 4096)
    assert (one == other).mean() == pytest.approx(0.5, abs=0.03)


def test_signatures_stay_the_same() -> None:
    """From one release of datasketch to the next, or templates would change with it."""
    assert signatures([hash_set([1, 2, 3])], 3).tolist() == [[2922174949, 3249271488, 1273432351]]


def test_sets_of_one_signature_are_one_cluster() -> None:
    sets = [hash_set(range(50)), hash_set(range(51))]
    short = next(n for n in (1, 2, 3) if (signatures(sets, n)[0] == signatures(sets, n)[1]).all())
    assert TextMax(permutations=short).partition(sets, np.array([1, 1])) == [[0, 1]]


def test_clusters_that_share_nothing_are_left_alone() -> None:
    sets = [hash_set([1]), hash_set([2]), hash_set([3])]
    assert TextMax().partition(sets, np.array([9, 1, 1])) == [[0], [1], [2]]


def test_pages_in_any_order_give_the_same_clusters() -> None:
    sets = [frozenset({1, 2, 3, 4, x}) for x in range(5, 9)] + [frozenset(range(10, 20))] * 3
    found = TextMax(support="minimum").cluster(site_of_sets(sets)).assignments
    assert [one.template for one in found] == [0, 0, 0, 0, 1, 1, 1]
    other = TextMax(support="minimum").cluster(site_of_sets(sets[::-1])).assignments
    assert [one.template for one in other] == [0, 0, 0, 1, 1, 1, 1]


def test_no_pages_and_empty_pages() -> None:
    assert TextMax().cluster(site_of_sets([])).assignments == ()
    found = TextMax().cluster(site_of_sets([frozenset(), frozenset({1, 2}), frozenset()]))
    assert [one.template for one in found.assignments] == [0, 1, 0]


def test_parameters_are_checked() -> None:
    with pytest.raises(UsageError, match="text-max: permutations must be at least 1, not 0"):
        TextMax(permutations=0)
    with pytest.raises(UsageError, match="text-max: support must be mode or minimum"):
        TextMax(support="x")
    with pytest.raises(UsageError, match="text-max: most must be at least 1"):
        TextMax(most=0)
