from __future__ import annotations

from collections.abc import Iterable

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.laws import check_order, lawful_similarity, seen_of_trees
from tests.clustering.made_sites import arrival, linked_in, partition, site_of_trees
from tests.made_trees import ROOT, Rows, drawn_trees
from tplcrawl.clustering.neighbours import shared_neighbours
from tplcrawl.clustering.style import Style
from tplcrawl.errors import UsageError

STEPS = st.sampled_from(["a", "b", "a x", "b x", "a y z", "b y-7", "a y-8"])
TREES = drawn_trees(STEPS, deepest=4, most=10, root=ROOT)
SITES = st.lists(TREES, max_size=7)


def similarity(a: Rows, b: Rows, kappa: float = 0.5) -> float:
    method = Style(kappa=kappa)
    return method.similarity(*seen_of_trees(method, (a, b)))


def test_the_three_similarities_of_two_pages_made_by_hand() -> None:
    """Sections 3 to 5."""
    one: Rows = [(0, "html"), (1, "body"), (2, "p lead"), (2, "p note")]
    other: Rows = [(0, "html"), (1, "body"), (2, "p lead"), (2, "div note big"), (3, "b"), (3, "b")]
    structural = 1 - 3 / (4 + 6)  # a p renamed, two b inserted
    stylistic = 2 / 3  # lead and note of lead, note, big
    assert similarity(one, other, kappa=1) == pytest.approx(structural)
    assert similarity(one, other, kappa=0) == pytest.approx(stylistic)
    assert similarity(one, other) == pytest.approx((structural + stylistic) / 2)
    assert similarity(one, other, kappa=0.2) == pytest.approx(0.2 * structural + 0.8 * stylistic)


def test_repeated_groups_do_not_change_the_style() -> None:
    """Section 4: that is what the style is for."""
    comments = [(1, "div comment"), (2, "p")]
    few, many = ([(0, "html main"), *comments * count] for count in (1, 30))
    assert similarity(few, many, kappa=0) == 1
    assert similarity(few, many, kappa=1) < 0.1


def test_class_names_count_as_they_are_written() -> None:
    assert similarity([(0, "html post-1")], [(0, "html post-2")], kappa=0) == 0
    assert similarity([(0, "html")], [(0, "body")], kappa=0) == 1


@given(a=TREES, b=TREES, kappa=st.sampled_from([0, 0.3, 0.5, 1]), least=st.floats(0, 1))
def test_similarity_is_symmetric_and_within_its_bounds(
    a: Rows, b: Rows, kappa: float, least: float
) -> None:
    method = Style(kappa=kappa, similarity=least)
    one, other = seen_of_trees(method, (a, b))
    found = lawful_similarity(method, one, other)
    assert found == similarity(a, b, kappa) == similarity(b, a, kappa)
    assert similarity(a, a, kappa) == 1
    assert method.floor(one, other) <= found <= method.ceiling(one, other)
    assert method.alike(one, other) == (found >= least)


@given(
    trees=SITES,
    kappa=st.sampled_from([0, 0.5, 1]),
    least=st.sampled_from([0.5, 0.7, 0.85]),
    overlap=st.sampled_from([0.4, 0.6, 0.85]),
)
def test_clusters_share_the_neighbours_that_all_comparisons_find(
    trees: list[Rows], kappa: float, least: float, overlap: float
) -> None:
    graph: nx.Graph[int] = nx.empty_graph(len(trees))
    for i, a in enumerate(trees):
        graph.add_edges_from((i, j) for j in range(i) if similarity(a, trees[j], kappa) >= least)
    method = Style(kappa=kappa, similarity=least, overlap=overlap)
    assert partition(method.cluster(site_of_trees(trees))) == shared_neighbours(graph, overlap)


@given(trees=SITES, data=st.data())
def test_the_order_of_pages_does_not_matter(trees: list[Rows], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(trees))))
    check_order(Style(similarity=0.7, overlap=0.5), site_of_trees(trees), order)


def page(tags: Iterable[str], kind: str, classes: Iterable[int]) -> Rows:
    body = [(1, f"{tag} {kind}") for tag in tags]
    return [(0, " ".join(["html", *(f"{kind}-{n}" for n in classes)])), *body]


def classifieds() -> list[Rows]:
    """A small form of the site of section 7: many ad pages, some of which miss a few classes, fewer
    listings, and some pages of other kinds."""
    full = range(19)
    ads = [page("abcab", "ad", full)] * 40
    ads += [page("abcab", "ad", full[3:])] * 4
    ads += [page("abcab", "ad", full[5:])] * 3
    listings = [page("ddd", "list", full)] * 14 + [page("ddd", "list", full[2:-1])]
    others = [page("e", "contact", full), page("ef", "about", full), page("ef", "about", full[5:])]
    return ads + listings + others


def test_lower_thresholds_merge_as_in_figures_4_to_6() -> None:
    """Both thresholds at 95 % split the ads into small clusters (24 in figure 5), at 90 % they are
    one but for a few (12 in figure 4), at 85 % only the outliers are left (5 in figure 6)."""
    site = site_of_trees(classifieds())
    found = {
        percent: partition(Style(similarity=percent / 100, overlap=percent / 100).cluster(site))
        for percent in (95, 90, 85)
    }
    ads, few, fewer = [*range(40)], [*range(40, 44)], [44, 45, 46]
    listings, last, contact, about, more = [*range(47, 61)], [61], [62], [63], [64]
    assert found[95] == [ads, few, fewer, listings, last, contact, about, more]
    assert found[90] == [ads + few, fewer, listings + last, contact, about, more]
    assert found[85] == [ads + few + fewer, listings + last, contact, about + more]


@settings(max_examples=50)
@given(trees=SITES.filter(bool), most=st.integers(1, 4))
def test_pages_that_were_not_compared_join_where_an_example_is_alike(
    trees: list[Rows], most: int
) -> None:
    site = site_of_trees(trees)
    method = Style(similarity=0.7, overlap=0.5, most=most)
    found = method.cluster(site)
    assert found.learned_from == min(most, len(trees))
    compared = [(trees[i], template) for i, template in linked_in(found)]
    for rows, outline, given_ in zip(trees, site.outlines, found.assignments, strict=True):
        again = found.classifier.assign(arrival(outline))
        alike = {template for one, template in compared if similarity(rows, one) >= 0.7}
        if given_.reason != "linked by similarity":
            assert again == given_
        assert (again.template in alike) if alike else again.template is None


def test_defaults_are_those_of_the_paper() -> None:
    assert Style().parameters() == {"kappa": 0.5, "similarity": 0.85, "overlap": 0.85, "most": 200}


@pytest.mark.parametrize(
    "wrong", [{"kappa": 1.1}, {"kappa": -1}, {"overlap": 2}, {"similarity": -0.1}, {"most": 0}]
)
def test_parameters_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="style"):
        Style(**wrong)  # type: ignore[arg-type]
