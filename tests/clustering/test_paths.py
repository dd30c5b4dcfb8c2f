from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.linked import Linked
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.paths import Paths
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.page.profile import parse, profile_of

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

PARTS = ["<p>a</p>", "<br>", "<div><b>x</b></div>", "<div class=a><div><i>y</i></div></div>", ""]
BODIES = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)
SITES = st.lists(BODIES, max_size=8)
LEVELS = st.sampled_from([0.0, 0.4, 0.5, 0.6, 0.75, 0.8, 1.0])


def html(body: str) -> bytes:
    return f"<html><head><title>t</title></head><body>{body}</body></html>".encode()


def outline_of(body: str) -> Outline:
    return profile_of("http://a.com/", html(body), None).outline


def slow_paths(element: Any, above: str = "") -> set[str]:
    path = f"{above}/{element.tag}"
    if not len(element):
        return {path}
    return set().union(*(slow_paths(child, path) for child in element))


def partition(labels: Sequence[int | None]) -> set[frozenset[int]]:
    return {frozenset(i for i, own in enumerate(labels) if own == label) for label in labels}


@settings(max_examples=100)
@given(BODIES, BODIES)
def test_similarity_is_the_share_of_root_to_leaf_paths(
    features: MakeFeatures, one: str, other: str
) -> None:
    method = Paths()
    a, b = (method.represent(features(), outline_of(body)) for body in (one, other))
    x, y = (slow_paths(parse(html(body), "utf-8")) for body in (one, other))
    assert method.similarity(a, b) == float(Fraction(len(x & y), max(len(x), len(y))))
    assert method.similarity(a, b) == method.similarity(b, a)
    assert method.similarity(a, a) == 1


@settings(max_examples=60)
@given(SITES, LEVELS, st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    pages: MakePages, features: MakeFeatures, site: list[str], level: float, data: st.DataObject
) -> None:
    method = Paths(similarity=level)
    outlines = [outline_of(body) for body in site]
    seen = [method.represent(features(), outline) for outline in outlines]
    assert set(method.links(seen)) == set(Linked.links(method, seen))
    order = data.draw(st.permutations(range(len(site))))
    found = []
    for one in (list(range(len(site))), order):
        given_pages = replace(pages([features()] * len(site)), outlines=[outlines[i] for i in one])
        labels = [a.template for a in method.cluster(given_pages).assignments]
        found.append({frozenset(one[i] for i in part) for part in partition(labels)})
    assert found[0] == found[1]


def test_a_path_that_leads_on_does_not_count(features: MakeFeatures) -> None:
    method = Paths()
    a, b = (
        method.represent(features(), outline_of(body))
        for body in ("<div><b>x</b></div>", "<div><b>x</b></div><div></div>")
    )
    assert len(a) == 2
    assert len(b) == 3
    assert method.similarity(a, b) == 2 / 3


def test_later_pages_are_classified(pages: MakePages, features: MakeFeatures) -> None:
    lists, posts = "<ul><li><a>x</a></li></ul>", "<div><p>a</p><i>b</i></div><hr>"
    site = [outline_of(body) for body in (lists, posts, lists * 2)]
    found = Paths().cluster(replace(pages([features()] * 3), outlines=site))
    assert [a.template for a in found.assignments] == [0, 1, 0]
    arrivals = [Arrival(features(), outline_of(body)) for body in (posts * 2, "<table></table>")]
    assert [found.classifier.assign(one).template for one in arrivals] == [1, None]


@pytest.mark.parametrize("parameters", [{"similarity": 1.1}, {"similarity": -1}, {"most": 0}])
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="paths"):
        Paths(**parameters)
