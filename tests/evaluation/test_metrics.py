from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.evaluation.metrics import Scores, score

Pages = list[tuple[int | None, str]]

PAGES: st.SearchStrategy[Pages] = st.lists(
    st.tuples(st.none() | st.integers(0, 3), st.sampled_from("abc")), max_size=14
)


def measure(pages: Pages) -> Scores:
    return score([cluster for cluster, _ in pages], [name for _, name in pages])


def entropy(labels: Sequence[object]) -> float:
    shares = [count / len(labels) for count in Counter(labels).values()]
    return -sum(share * math.log(share) for share in shares)


def conditional(labels: Sequence[object], by: Sequence[object]) -> float:
    """The entropy that is left in *labels* where *by* is known."""
    return sum(
        count
        / len(by)
        * entropy([label for label, other in zip(labels, by, strict=True) if other == value])
        for value, count in Counter(by).items()
    )


@settings(deadline=None, max_examples=300)
@given(PAGES)
def test_pairs_are_counted_as_one_by_one(pages: Pages) -> None:
    """Precision, recall, F1 and both Rand indices, by looking at every pair of pages."""
    both = either = clustered = named = total = 0
    for (cluster, name), (other, other_name) in combinations(pages, 2):
        same_cluster = cluster is not None and cluster == other
        same_name = name == other_name
        both += same_cluster and same_name
        either += same_cluster == same_name
        clustered += same_cluster
        named += same_name
        total += 1
    found = measure(pages)
    assert found.precision == pytest.approx(both / clustered if clustered else 0)
    assert found.recall == pytest.approx(both / named if named else 0)
    assert found.f1 == pytest.approx(2 * both / (clustered + named) if both else 0)
    assert found.ri == pytest.approx(either / total if total else 1)
    # Hubert and Arabie: (index - expected) / (most - expected)
    expected = clustered * named / total if total else 0
    most = (clustered + named) / 2
    ari = (both - expected) / (most - expected) if most != expected else 1
    assert found.ari == pytest.approx(ari)


@settings(deadline=None, max_examples=300)
@given(PAGES)
def test_shares_and_entropies_are_those_of_the_definitions(pages: Pages) -> None:
    names = [name for _, name in pages]
    clusters = [index + 100 if one is None else one for index, (one, _) in enumerate(pages)]
    found = measure(pages)
    assert (found.pages, found.templates, found.clusters) == (
        len(pages),
        len(set(names)),
        len(set(clusters)),
    )
    if not pages:
        assert found == Scores(0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0)
        return
    cells = Counter(zip(clusters, names, strict=True))
    largest = [max(cells[c, n] for n in set(names)) for c in set(clusters)]
    assert found.assigned == pytest.approx(sum(one is not None for one, _ in pages) / len(pages))
    assert found.purity == pytest.approx(sum(largest) / len(pages))
    shares = [max(cells[c, n] for c in set(clusters)) / names.count(n) for n in set(names)]
    assert found.macro_recall == pytest.approx(sum(shares) / len(shares))
    of_names, of_clusters = entropy(names), entropy(clusters)
    homogeneity = 1 - conditional(names, clusters) / of_names if of_names else 1
    completeness = 1 - conditional(clusters, names) / of_clusters if of_clusters else 1
    total = homogeneity + completeness
    expected = 2 * homogeneity * completeness / total if total > 1e-9 else 0
    assert found.v_measure == pytest.approx(expected, abs=1e-9)


@settings(deadline=None, max_examples=100)
@given(PAGES.filter(bool), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_neither_numbers_nor_order_count(pages: Pages, numbers: list[int], chance: object) -> None:
    renamed: Pages = [(None if one is None else numbers[one], name) for one, name in pages]
    chance.shuffle(renamed)  # type: ignore[attr-defined]
    assert measure(renamed).as_dict() == measure(pages).as_dict()


def test_the_truth_itself_is_perfect_and_one_cluster_for_all_is_chance() -> None:
    names = ["a"] * 5 + ["b"] * 3 + ["c"]
    perfect = score(names, names)
    assert {perfect.f1, perfect.ri, perfect.ari, perfect.purity, perfect.v_measure} == {1.0}
    lump = score([1] * 9, names)
    assert (lump.recall, lump.ari, lump.v_measure) == (1.0, 0.0, 0.0)
    assert lump.precision == pytest.approx(13 / 36)


def test_pages_without_a_cluster_are_each_alone() -> None:
    pages: Pages = [(None, "a")] * 4
    assert measure(pages) == Scores(
        pages=4, templates=1, clusters=4, assigned=0, precision=0, recall=0, f1=0, ri=0, ari=0,
        purity=1, macro_recall=0.25, v_measure=0,
    )  # fmt: skip


def test_both_sides_must_be_about_the_same_pages() -> None:
    with pytest.raises(ValueError, match="zip"):
        score([1, 2], ["a"])
