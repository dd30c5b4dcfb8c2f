from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.clustering.laws import check_order, lawful_similarity, seen_of_trees
from tests.clustering.made_sites import arrival, partition, parts_of, site_of_trees
from tests.made_trees import ROOT, Rows, drawn_trees, outline_of
from tplcrawl.clustering.linked import components
from tplcrawl.clustering.pq_grams import PQGrams, pq_gram_distance
from tplcrawl.errors import UsageError

TREES = drawn_trees(st.sampled_from("ab"), deepest=4, most=12, root=ROOT)
SITES = st.lists(TREES, max_size=8)
THRESHOLDS = st.sampled_from([0.0, 0.4, 0.6, 0.8, 1.0])


def similarity(a: Rows, b: Rows, method: PQGrams | None = None) -> float:
    method = method or PQGrams()
    return method.similarity(*seen_of_trees(method, (a, b)))


def test_the_example_of_augsten_and_others() -> None:
    """Two trees that differ in one leaf; 13 grams each, 9 in common."""
    one: Rows = [(0, "a"), (1, "a"), (2, "e"), (2, "b"), (1, "b"), (1, "c")]
    other: Rows = [*one[:-1], (1, "x")]
    method = PQGrams()
    a, b = seen_of_trees(method, (one, other))
    assert len(a) == len(b) == 13
    assert pq_gram_distance(a, b) == pytest.approx(1 - 2 * 9 / 26)
    assert similarity(one, other) == pytest.approx(18 / 26)


def test_stems_and_bases_are_parameters() -> None:
    """With p = q = 1 the grams of a tree are its pairs of parent and child, and its leaves."""
    one: Rows = [(0, "html"), (1, "p"), (1, "p")]
    other: Rows = [(0, "html"), (1, "p"), (1, "b")]
    # html p twice and p twice; html p, html b, p, b.
    assert similarity(one, other, PQGrams(p=1, q=1)) == pytest.approx(2 * 2 / 8)


@given(a=TREES, b=TREES)
def test_similarity_is_symmetric_and_within_bounds(a: Rows, b: Rows) -> None:
    method = PQGrams()
    assert lawful_similarity(method, *seen_of_trees(method, (a, b))) == similarity(b, a)
    assert similarity(a, a) == 1


@given(trees=SITES, threshold=THRESHOLDS)
def test_all_at_once_is_two_by_two(trees: list[Rows], threshold: float) -> None:
    pairs = [(i, j) for i in range(len(trees)) for j in range(i)]
    alike = ((i, j) for i, j in pairs if similarity(trees[i], trees[j]) >= threshold - 1e-9)
    labels = components(len(trees), alike)
    expected = parts_of(labels)
    assert partition(PQGrams(similarity=threshold).cluster(site_of_trees(trees))) == expected


@given(trees=SITES, data=st.data())
def test_the_order_of_pages_does_not_matter(trees: list[Rows], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(trees))))
    check_order(PQGrams(similarity=0.6), site_of_trees(trees), order)


def test_later_pages_join_a_cluster_or_none() -> None:
    pages = [[(0, "html"), *[(1, tag)] * 30] for tag in ("p", "li")]
    found = PQGrams().cluster(site_of_trees(pages))
    longer = found.classifier.assign(arrival(outline_of([*pages[1], (1, "li")])))
    assert longer.template == found.assignments[1].template
    strange = found.classifier.assign(arrival(outline_of([(0, "html"), (1, "td")])))
    assert strange.template is None


def test_defaults_are_those_of_the_paper() -> None:
    assert PQGrams().parameters() == {"p": 2, "q": 3, "similarity": 0.8, "most": 500}


@pytest.mark.parametrize("wrong", [{"p": 0}, {"q": 0}, {"similarity": 1.5}, {"most": 0}])
def test_parameters_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="pq-grams"):
        PQGrams(**wrong)  # type: ignore[arg-type]
