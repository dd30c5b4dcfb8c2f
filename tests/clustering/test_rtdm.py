from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.laws import check_order, lawful_similarity, seen_of_trees
from tests.clustering.made_sites import arrival, linked_in, partition, parts_of, site_of_trees
from tests.made_trees import ROOT, Rows, drawn_trees
from tplcrawl.clustering import aligned
from tplcrawl.clustering.linked import components
from tplcrawl.clustering.rtdm import Rtdm
from tplcrawl.errors import UsageError

TREES = drawn_trees(st.sampled_from("ab"), deepest=4, most=12, root=ROOT)
SITES = st.lists(TREES, max_size=8)
THRESHOLDS = st.sampled_from([0.0, 0.5, 0.7, 0.8, 1.0])


def similarity(a: Rows, b: Rows, method: Rtdm | None = None) -> float:
    method = method or Rtdm()
    return method.similarity(*seen_of_trees(method, (a, b)))


def test_similarity_is_the_share_that_is_kept() -> None:
    item = [(2, "li")]
    page = [(0, "html"), (1, "ul"), *item * 8]
    assert similarity(page, [*page, *item * 2]) == 1 - 2 / 12
    # Another tag, and all below it is lost: 9 + 9 - 1 of 10.
    assert similarity(page, [(0, "html"), (1, "ol"), *item * 8]) == 0
    assert similarity(page, page) == 1


@given(a=TREES, b=TREES)
def test_similarity_is_symmetric_and_within_bounds(a: Rows, b: Rows) -> None:
    method = Rtdm(similarity=0)
    one, other = seen_of_trees(method, (a, b))
    found = lawful_similarity(method, one, other)
    assert found == similarity(a, b) == similarity(b, a)
    assert similarity(a, a) == 1
    assert method.floor(one, other) <= found <= method.ceiling(one, other)


@given(trees=SITES, threshold=THRESHOLDS)
def test_bounds_change_nothing(trees: list[Rows], threshold: float) -> None:
    method = Rtdm(similarity=threshold)
    count = len(trees)
    pairs = [(i, j) for i in range(count) for j in range(i)]
    brute = components(
        count, ((i, j) for i, j in pairs if similarity(trees[i], trees[j]) >= threshold)
    )
    expected = parts_of(brute)
    assert partition(method.cluster(site_of_trees(trees))) == expected


@given(trees=SITES, threshold=THRESHOLDS, data=st.data())
def test_the_order_of_pages_does_not_matter(
    trees: list[Rows], threshold: float, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(trees))))
    check_order(Rtdm(similarity=threshold), site_of_trees(trees), order)


@settings(max_examples=50)
@given(trees=SITES.filter(bool), most=st.integers(1, 4), threshold=st.sampled_from([0.5, 0.8]))
def test_pages_that_were_not_compared_join_the_most_similar_or_none(
    trees: list[Rows], most: int, threshold: float
) -> None:
    site = site_of_trees(trees)
    found = Rtdm(similarity=threshold, most=most).cluster(site)
    assert found.learned_from == min(most, len(trees))
    compared = [(trees[i], template) for i, template in linked_in(found)]
    for rows, outline, given_ in zip(trees, site.outlines, found.assignments, strict=True):
        best = max(similarity(rows, one) for one, _ in compared)
        again = found.classifier.assign(arrival(outline))
        if best < threshold:
            assert again == given_
            assert again.template is None
        else:
            assert again.confidence == round(best, 3)
            ties = {template for one, template in compared if similarity(rows, one) == best}
            assert again.template in ties
            assert given_.template in ties


def test_what_is_known_of_subtrees_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligned, "_MOST_KNOWN", 3)
    pages = [[(0, "html"), *[(1, "ul"), *[(2, "li")] * n, (1, "p")] * 2] for n in range(1, 30)]
    method = Rtdm()
    for a, b in zip(pages, pages[3:], strict=False):
        assert similarity(a, b, method) == similarity(a, b)
        assert len(method._known) <= 3 + 4


def test_defaults_are_the_documented_ones() -> None:
    assert Rtdm().parameters() == {"similarity": 0.8, "most": 500}


@pytest.mark.parametrize("wrong", [{"similarity": 1.1}, {"most": 0}])
def test_parameters_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="rtdm"):
        Rtdm(**wrong)  # type: ignore[arg-type]
