from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.laws import check_all_pairs, check_later_pages, lawful_similarity, seen_by
from tests.clustering.made_bodies import BODIES, SITES, html, outline_of
from tplcrawl.clustering.paths import Paths
from tplcrawl.errors import UsageError
from tplcrawl.page.profile import parse

LEVELS = st.sampled_from([0.0, 0.4, 0.5, 0.6, 0.75, 0.8, 1.0])


def slow_paths(element: Any, above: str = "") -> set[str]:
    path = f"{above}/{element.tag}"
    if not len(element):
        return {path}
    return set().union(*(slow_paths(child, path) for child in element))


@settings(max_examples=100)
@given(BODIES, BODIES)
def test_similarity_is_the_share_of_root_to_leaf_paths(one: str, other: str) -> None:
    method = Paths()
    a, b = seen_by(method, map(outline_of, (one, other)))
    x, y = (slow_paths(parse(html(body), "utf-8")) for body in (one, other))
    assert lawful_similarity(method, a, b) == float(Fraction(len(x & y), max(len(x), len(y))))


@settings(max_examples=60)
@given(SITES, LEVELS, st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    site: list[str], level: float, data: st.DataObject
) -> None:
    method = Paths(similarity=level)
    outlines = [outline_of(body) for body in site]
    order = data.draw(st.permutations(range(len(site))))
    check_all_pairs(method, outlines, order)


def test_a_path_that_leads_on_does_not_count() -> None:
    method = Paths()
    bodies = ("<div><b>x</b></div>", "<div><b>x</b></div><div></div>")
    a, b = seen_by(method, map(outline_of, bodies))
    assert len(a) == 2
    assert len(b) == 3
    assert method.similarity(a, b) == 2 / 3


def test_later_pages_are_classified() -> None:
    check_later_pages(Paths())


@pytest.mark.parametrize("parameters", [{"similarity": 1.1}, {"similarity": -1}, {"most": 0}])
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="paths"):
        Paths(**parameters)
