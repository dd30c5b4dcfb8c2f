from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.clustering.laws import check_order, lawful_similarity, seen_of_trees
from tests.clustering.made_sites import Parts, arrival, partition, parts_of, site_of_trees
from tests.made_trees import ROOT, Rows, drawn_trees, outline_of
from tplcrawl.clustering.branches import BranchLinks
from tplcrawl.clustering.linked import components
from tplcrawl.errors import UsageError
from tplcrawl.similarity.branch_index import BranchIndex

TREES = drawn_trees(st.sampled_from("ab"), deepest=3, most=14, root=ROOT)
SITES = st.lists(TREES, max_size=10)
THRESHOLDS = st.sampled_from([0.0, 0.5, 0.8, 0.9, 1.0])


def similarity(a: Rows, b: Rows) -> float:
    method = BranchLinks()
    return method.similarity(*seen_of_trees(method, (a, b)))


def linked(trees: Sequence[Rows], threshold: float, index: BranchIndex | None) -> Parts:
    """All pairs that are alike enough; only candidates of *index*, if there is one."""
    method = BranchLinks()
    pages = seen_of_trees(method, trees)
    pairs = [
        (i, int(j))
        for i, one in enumerate(pages)
        for j in (index.candidates(one) if index else range(len(pages)))
        if method.similarity(one, pages[j]) >= threshold
    ]
    labels = components(len(pages), iter(pairs))
    return parts_of(labels)


@given(a=TREES, b=TREES)
def test_similarity_is_symmetric_and_within_bounds(a: Rows, b: Rows) -> None:
    method = BranchLinks()
    assert lawful_similarity(method, *seen_of_trees(method, (a, b))) == similarity(b, a)
    assert similarity(a, a) == 1


@given(trees=SITES, threshold=THRESHOLDS, candidates=st.sampled_from([0, 0.5, 0.9]))
def test_candidates_that_are_alike_are_linked(
    trees: list[Rows], threshold: float, candidates: float
) -> None:
    method = BranchLinks(similarity=threshold, candidates=candidates, permutations=16)
    pages = seen_of_trees(method, trees)
    index = BranchIndex(pages, threshold=candidates, permutations=16)
    found = partition(method.cluster(site_of_trees(trees)))
    assert found == linked(trees, threshold, index)
    # Hashing may part what all comparisons join, never join what they part.
    whole = linked(trees, threshold, None)
    assert all(any({*part} <= {*cluster} for cluster in whole) for part in found)


@given(trees=SITES)
def test_equal_pages_are_always_found(trees: list[Rows]) -> None:
    found = BranchLinks(similarity=1, permutations=16).cluster(site_of_trees(trees + trees))
    labels = [given.template for given in found.assignments]
    assert labels[: len(trees)] == labels[len(trees) :]


@given(trees=SITES, data=st.data())
def test_the_order_of_pages_does_not_matter(trees: list[Rows], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(trees))))
    check_order(BranchLinks(permutations=16), site_of_trees(trees), order)


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
    found = BranchLinks(candidates=0).cluster(site_of_trees(lists + articles))
    assert (
        partition(found) == [[*range(40)], [*range(40, 80)]] == linked(lists + articles, 0.9, None)
    )
    new = [*head, (2, "ul"), *[(3, "li"), (4, "a"), (4, "img")] * 99]
    given_ = found.classifier.assign(arrival(outline_of(new)))
    assert given_.template == found.assignments[0].template
    assert BranchLinks().cluster(site_of_trees(lists)).assignments[0].template == 0


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
