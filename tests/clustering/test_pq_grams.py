from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival, Clustering
from tplcrawl.clustering.inbound import InboundCounter
from tplcrawl.clustering.linked import components
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.pq_grams import PQGrams, pq_gram_distance
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import features_of
from tplcrawl.outline import Outline

Rows = list[tuple[int, str]]
"""The depth and the tag of each element in document order."""
Partition = list[list[int]]

NO_FEATURES = features_of("", Outline((), (), (), ()), b"")


def rows_of(picks: list[tuple[int, str]]) -> Rows:
    rows: Rows = [(0, "html")]
    for pick, tag in picks:
        rows.append((min(pick, rows[-1][0] + 1), tag))
    return rows


TREES = st.lists(st.tuples(st.integers(1, 4), st.sampled_from("ab")), max_size=12).map(rows_of)
SITES = st.lists(TREES, max_size=8)
THRESHOLDS = st.sampled_from([0.0, 0.4, 0.6, 0.8, 1.0])


def outline_of(rows: Rows) -> Outline:
    parents = [
        max((i for i in range(index) if rows[i][0] == depth - 1), default=-1)
        for index, (depth, _) in enumerate(rows)
    ]
    steps = tuple(tag for _, tag in rows)
    return Outline(tuple(parents), steps, (False,) * len(rows), tuple(range(len(rows))))


def site_of(trees: Sequence[Rows]) -> Pages:
    return Pages(
        urls=[f"http://a.com/{n}" for n in range(len(trees))],
        features=[NO_FEATURES] * len(trees),
        outlines=[outline_of(rows) for rows in trees],
        inbound=InboundCounter().result(),
        first_locations=[None] * len(trees),
    )


def similarity(a: Rows, b: Rows, method: PQGrams | None = None) -> float:
    method = method or PQGrams()
    one, other = (method.represent(NO_FEATURES, outline_of(rows)) for rows in (a, b))
    return method.similarity(one, other)


def partition(found: Clustering) -> Partition:
    labels = [given.template for given in found.assignments]
    return sorted([i for i, x in enumerate(labels) if x == label] for label in {*labels})


def test_the_example_of_augsten_and_others() -> None:
    """Two trees that differ in one leaf; 13 grams each, 9 in common."""
    one: Rows = [(0, "a"), (1, "a"), (2, "e"), (2, "b"), (1, "b"), (1, "c")]
    other: Rows = [*one[:-1], (1, "x")]
    method = PQGrams()
    a, b = (method.represent(NO_FEATURES, outline_of(rows)) for rows in (one, other))
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
    found = similarity(a, b)
    assert found == similarity(b, a)
    assert 0 <= found <= 1
    assert similarity(a, a) == 1


@given(trees=SITES, threshold=THRESHOLDS)
def test_all_at_once_is_two_by_two(trees: list[Rows], threshold: float) -> None:
    pairs = [(i, j) for i in range(len(trees)) for j in range(i)]
    alike = ((i, j) for i, j in pairs if similarity(trees[i], trees[j]) >= threshold - 1e-9)
    labels = components(len(trees), alike)
    expected = sorted([i for i, x in enumerate(labels) if x == label] for label in {*labels})
    assert partition(PQGrams(similarity=threshold).cluster(site_of(trees))) == expected


@given(trees=SITES, data=st.data())
def test_the_order_of_pages_does_not_matter(trees: list[Rows], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(trees))))
    method = PQGrams(similarity=0.6)
    moved = partition(method.cluster(site_of([trees[i] for i in order])))
    expected = partition(method.cluster(site_of(trees)))
    assert sorted(sorted(order[i] for i in cluster) for cluster in moved) == expected


def test_later_pages_join_a_cluster_or_none() -> None:
    pages = [[(0, "html"), *[(1, tag)] * 30] for tag in ("p", "li")]
    found = PQGrams().cluster(site_of(pages))
    longer = found.classifier.assign(Arrival(NO_FEATURES, outline_of([*pages[1], (1, "li")])))
    assert longer.template == found.assignments[1].template
    strange = found.classifier.assign(Arrival(NO_FEATURES, outline_of([(0, "html"), (1, "td")])))
    assert strange.template is None


def test_defaults_are_those_of_the_paper() -> None:
    assert PQGrams().parameters() == {"p": 2, "q": 3, "similarity": 0.8, "most": 500}


@pytest.mark.parametrize("wrong", [{"p": 0}, {"q": 0}, {"similarity": 1.5}, {"most": 0}])
def test_parameters_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="pq-grams"):
        PQGrams(**wrong)  # type: ignore[arg-type]
