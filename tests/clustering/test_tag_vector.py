from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.laws import check_all_pairs, lawful_similarity, seen_by
from tests.clustering.made_bodies import BODIES, SITES, html, outline_of
from tests.clustering.made_sites import arrival, site_of
from tplcrawl.clustering.tag_vector import TagVector
from tplcrawl.errors import UsageError
from tplcrawl.page.profile import parse

LEVELS = st.sampled_from([0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0])


def slow(one: str, other: str) -> float:
    a, b = (Counter(e.tag for e in parse(html(body), "utf-8").iter("*")) for body in (one, other))
    squares = sum(n * n for n in a.values()) * sum(n * n for n in b.values())
    return sum(a[tag] * b[tag] for tag in a) / sqrt(squares)


@settings(max_examples=100)
@given(BODIES, BODIES)
def test_similarity_is_the_cosine_of_element_counts(one: str, other: str) -> None:
    method = TagVector()
    a, b = seen_by(method, map(outline_of, (one, other)))
    assert lawful_similarity(method, a, b) == pytest.approx(slow(one, other), abs=1e-11)


@settings(max_examples=60)
@given(SITES, LEVELS, st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    site: list[str], level: float, data: st.DataObject
) -> None:
    method = TagVector(similarity=level)
    outlines = [outline_of(body) for body in site]
    order = data.draw(st.permutations(range(len(site))))
    check_all_pairs(method, outlines, order)


def test_where_tags_stand_does_not_count() -> None:
    method = TagVector()
    one, other = (
        "<div><b>x</b></div><div><i>y</i></div>",
        "<b>x</b><div><div><i>y</i></div></div>",
    )
    a, b = seen_by(method, map(outline_of, (one, other)))
    assert method.similarity(a, b) == 1
    assert method.key(a) == method.key(b)


def test_a_page_of_other_tags_is_of_no_template() -> None:
    site = [outline_of("<p>a</p>" * n) for n in (20, 21, 22)]
    found = TagVector().cluster(site_of(site))
    assert [a.template for a in found.assignments] == [0, 0, 0]
    assert found.classifier.assign(arrival(outline_of("<p>a</p>" * 23))).template == 0
    stranger = arrival(outline_of("<table><tr><td>a</td></tr></table>"))
    assert found.classifier.assign(stranger).template is None


@pytest.mark.parametrize("parameters", [{"similarity": 1.1}, {"similarity": -1}, {"most": 0}])
def test_wrong_parameters_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="tag-vector"):
        TagVector(**parameters)  # type: ignore[arg-type]
