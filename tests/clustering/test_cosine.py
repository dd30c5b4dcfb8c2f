from __future__ import annotations

from itertools import permutations
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.clustering.laws import check_order
from tests.clustering.made_sites import Parts, arrival_with, labels_of, partition, site_of_sets
from tplcrawl.clustering.cosine import Cosine, cosines, pair_off
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.tag_paths import hash_set

Sets = list[frozenset[int]]
SETS = st.lists(st.frozensets(st.integers(0, 7)), min_size=1, max_size=8, unique=True)


def clusters(method: Cosine, sets: Sets) -> Parts:
    return partition(method.cluster(site_of_sets(sets)))


def slow_cosine(a: frozenset[int], b: frozenset[int]) -> float:
    return round(len(a & b) / sqrt(len(a) * len(b)), 12) if a and b else 0.0


def figure_3(sets: Sets) -> list[list[int]]:
    """As printed, on sets that are all different."""
    clusters = [[i] for i in range(len(sets))]
    similarity_set = [
        (i, j, slow_cosine(sets[i], sets[j])) for i, j in permutations(range(len(sets)), 2)
    ]
    if similarity_set:
        threshold = sum(entry[2] for entry in similarity_set) / len(similarity_set)
        similarity_set = [e for e in similarity_set if e[2] >= threshold - 1e-9 and e[2] > 0]
        similarity_set.sort(key=lambda entry: (-entry[2], entry[0], entry[1]))
    while similarity_set:
        i, j, _ = similarity_set[0]
        clusters.remove([i])
        clusters.remove([j])
        clusters.append(sorted((i, j)))
        similarity_set = [e for e in similarity_set if not {i, j} & {e[0], e[1]}]
    return sorted(clusters)


def test_example_1_of_the_paper() -> None:
    apple, orange = hash_set([1, 2, 3, 4]), hash_set([1, 2, 3])
    assert cosines([apple, orange])[0, 1] == pytest.approx(0.866, abs=5e-4)
    assert cosines([apple, orange])[0, 1] == pytest.approx(3 / sqrt(12), abs=1e-9)


@given(SETS)
def test_the_algorithm_is_figure_3(sets: Sets) -> None:
    ordered = sorted(sets, key=sorted)
    found = Cosine().partition([hash_set(one) for one in ordered], np.ones(len(sets), np.int64))
    assert found == figure_3(ordered)


@given(SETS)
def test_a_cluster_is_at_most_a_pair(sets: Sets) -> None:
    groups = pair_off(cosines([hash_set(one) for one in sets]))
    assert sorted(i for group in groups for i in group) == list(range(len(sets)))
    assert all(len(group) <= 2 for group in groups)


@given(st.lists(st.frozensets(st.integers(0, 6)), max_size=9), st.randoms(use_true_random=False))
def test_the_order_of_the_pages_does_not_matter(sets: Sets, random: Random) -> None:
    order = list(range(len(sets)))
    random.shuffle(order)
    method = Cosine(support="minimum")
    check_order(method, site_of_sets(sets), order)


def test_equal_pages_are_one_however_many() -> None:
    a, b, c = frozenset({1, 2, 3}), frozenset({1, 2, 4}), frozenset({7, 8})
    method = Cosine(support="minimum")
    assert clusters(method, [a, b, a, c, a]) == [[0, 1, 2, 4], [3]]


def test_pages_that_share_nothing_stay_apart() -> None:
    sets = [frozenset({1}), frozenset({2}), frozenset({3})]
    assert len(clusters(Cosine(support="minimum"), sets)) == 3


BLOG, SHOP = frozenset({1, 2, 3, 4}), frozenset({1, 5, 6, 7, 8})


def test_later_pages_join_the_template_that_tells_them_best_or_none() -> None:
    sets = [BLOG] * 3 + [BLOG | {9}] + [SHOP] * 4
    found = Cosine(support="minimum").cluster(site_of_sets(sets))
    assert labels_of(found) == [0] * 4 + [1] * 4
    assign = found.classifier.assign
    assert assign(arrival_with(BLOG | {99})).template == 0
    given_ = assign(arrival_with(SHOP - {8}))
    assert (given_.template, given_.confidence) == (1, 0.8)
    assert assign(arrival_with(frozenset({1, 50, 51}))).template is None
    assert assign(arrival_with(frozenset())).template is None


def test_beyond_the_limit_pages_are_assigned() -> None:
    sets = [BLOG, SHOP, BLOG | {9}] * 20
    found = Cosine(support="minimum", most=15).cluster(site_of_sets(sets))
    assert found.learned_from == 15
    templates = labels_of(found)
    assert templates == [0, 1, 0] * 20


def test_of_two_kinds_of_pages_one_cluster_is_made() -> None:
    """As printed: the mean of a single cosine is that cosine, however low."""
    assert len(clusters(Cosine(support="minimum"), [BLOG, SHOP])) == 1


def test_no_pages_and_empty_pages() -> None:
    assert Cosine().cluster(site_of_sets([])).assignments == ()
    found = Cosine().cluster(site_of_sets([]))
    assert found.classifier.assign(arrival_with(frozenset({1}))).template is None
    assert clusters(Cosine(), [frozenset()] * 2) == [[0, 1]]


def test_parameters_are_checked() -> None:
    with pytest.raises(UsageError, match="cosine: support must be mode or minimum, not most"):
        Cosine(support="most")
    with pytest.raises(UsageError, match="cosine: most must be at least 1, not 0"):
        Cosine(most=0)
