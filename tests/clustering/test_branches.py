from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival, Clustering
from tplcrawl.clustering.branches import BranchLinks
from tplcrawl.clustering.inbound import InboundCounter
from tplcrawl.clustering.linked import components
from tplcrawl.clustering.pages import Pages
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import features_of
from tplcrawl.outline import Outline
from tplcrawl.similarity.branch_index import BranchIndex

Rows = list[tuple[int, str]]
"""The depth and the tag of each element in document order."""
Partition = list[list[int]]

NO_FEATURES = features_of("", Outline((), (), (), ()), b"")


def rows_of(picks: list[tuple[int, str]]) -> Rows:
    rows: Rows = [(0, "html")]
    for pick, tag in picks:
        rows.append((min(pick, rows[-1][0] + 1), tag))
    return rows


TREES = st.lists(st.tuples(st.integers(1, 3), st.sampled_from("ab")), max_size=14).map(rows_of)
SITES = st.lists(TREES, max_size=10)
THRESHOLDS = st.sampled_from([0.0, 0.5, 0.8, 0.9, 1.0])


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


def similarity(a: Rows, b: Rows) -> float:
    method = BranchLinks()
    one, other = (method.represent(NO_FEATURES, outline_of(rows)) for rows in (a, b))
    return method.similarity(one, other)


def partition(found: Clustering) -> Partition:
    labels = [given.template for given in found.assignments]
    return sorted([i for i, x in enumerate(labels) if x == label] for label in {*labels})


def linked(trees: Sequence[Rows], threshold: float, index: BranchIndex | None) -> Partition:
    """All pairs that are alike enough; only candidates of *index*, if there is one."""
    method = BranchLinks()
    pages = [method.represent(NO_FEATURES, outline_of(rows)) for rows in trees]
    pairs = [
        (i, int(j))
        for i, one in enumerate(pages)
        for j in (index.candidates(one) if index else range(len(pages)))
        if method.similarity(one, pages[j]) >= threshold
    ]
    labels = components(len(pages), iter(pairs))
    return sorted([i for i, x in enumerate(labels) if x == label] for label in {*labels})


@given(a=TREES, b=TREES)
def test_similarity_is_symmetric_and_within_bounds(a: Rows, b: Rows) -> None:
    found = similarity(a, b)
    assert found == similarity(b, a)
    assert 0 <= found <= 1
    assert similarity(a, a) == 1


@given(trees=SITES, threshold=THRESHOLDS, candidates=st.sampled_from([0, 0.5, 0.9]))
def test_candidates_that_are_alike_are_linked(
    trees: list[Rows], threshold: float, candidates: float
) -> None:
    method = BranchLinks(similarity=threshold, candidates=candidates, permutations=16)
    pages = [method.represent(NO_FEATURES, outline_of(rows)) for rows in trees]
    index = BranchIndex(pages, threshold=candidates, permutations=16)
    found = partition(method.cluster(site_of(trees)))
    assert found == linked(trees, threshold, index)
    # Hashing may part what all comparisons join, never join what they part.
    whole = linked(trees, threshold, None)
    assert all(any({*part} <= {*cluster} for cluster in whole) for part in found)


@given(trees=SITES)
def test_equal_pages_are_always_found(trees: list[Rows]) -> None:
    found = BranchLinks(similarity=1, permutations=16).cluster(site_of(trees + trees))
    labels = [given.template for given in found.assignments]
    assert labels[: len(trees)] == labels[len(trees) :]


@given(trees=SITES, data=st.data())
def test_the_order_of_pages_does_not_matter(trees: list[Rows], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(trees))))
    method = BranchLinks(permutations=16)
    moved = partition(method.cluster(site_of([trees[i] for i in order])))
    expected = partition(method.cluster(site_of(trees)))
    assert sorted(sorted(order[i] for i in cluster) for cluster in moved) == expected


def test_a_site_of_lists_and_articles() -> None:
    """Lists of any length are one template, articles another; bands that let all pass find just
    what comparing all pages finds."""
    random = np.random.default_rng(3)
    head: Rows = [(0, "html"), (1, "head"), *[(2, "meta")] * 3, (1, "body"), (2, "nav"), (3, "a")]
    lists = [
        [*head, (2, "ul"), *[(3, "li"), (4, "a"), (4, "img")] * int(random.integers(8, 60))]
        for _ in range(40)
    ]
    articles = [
        [*head, (2, "h1"), *[(2, "p"), (3, "b"), (3, "i")] * int(random.integers(8, 60))]
        for _ in range(40)
    ]
    found = BranchLinks(candidates=0).cluster(site_of(lists + articles))
    assert (
        partition(found) == [[*range(40)], [*range(40, 80)]] == linked(lists + articles, 0.9, None)
    )
    new = [*head, (2, "ul"), *[(3, "li"), (4, "a"), (4, "img")] * 99]
    given_ = found.classifier.assign(Arrival(NO_FEATURES, outline_of(new)))
    assert given_.template == found.assignments[0].template
    assert BranchLinks().cluster(site_of(lists)).assignments[0].template == 0


def test_defaults_are_the_documented_ones() -> None:
    assert BranchLinks().parameters() == {
        "similarity": 0.9,
        "candidates": 0.9,
        "permutations": 128,
        "most": 100_000,
    }


@pytest.mark.parametrize(
    "wrong", [{"candidates": 2}, {"permutations": 0}, {"similarity": -1}, {"most": 0}]
)
def test_parameters_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="branches"):
        BranchLinks(**wrong)  # type: ignore[arg-type]
