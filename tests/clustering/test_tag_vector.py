from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.linked import Linked
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.tag_vector import TagVector
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.page.profile import parse, profile_of

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

PARTS = ["<p>a</p>", "<br>", "<div><b>x</b></div>", "<div class=a><div><i>y</i></div></div>", ""]
BODIES = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)
SITES = st.lists(BODIES, max_size=8)
LEVELS = st.sampled_from([0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0])


def html(body: str) -> bytes:
    return f"<html><head><title>t</title></head><body>{body}</body></html>".encode()


def outline_of(body: str) -> Outline:
    return profile_of("http://a.com/", html(body), None).outline


def slow(one: str, other: str) -> float:
    a, b = (Counter(e.tag for e in parse(html(body), "utf-8").iter("*")) for body in (one, other))
    squares = sum(n * n for n in a.values()) * sum(n * n for n in b.values())
    return sum(a[tag] * b[tag] for tag in a) / sqrt(squares)


def partition(labels: Sequence[int | None]) -> set[frozenset[int]]:
    return {frozenset(i for i, own in enumerate(labels) if own == label) for label in labels}


@settings(max_examples=100)
@given(BODIES, BODIES)
def test_similarity_is_the_cosine_of_element_counts(
    features: MakeFeatures, one: str, other: str
) -> None:
    method = TagVector()
    a, b = (method.represent(features(), outline_of(body)) for body in (one, other))
    assert method.similarity(a, b) == pytest.approx(slow(one, other), abs=1e-11)
    assert method.similarity(a, b) == method.similarity(b, a)
    assert 0 <= method.similarity(a, b) <= 1
    assert method.similarity(a, a) == 1


@settings(max_examples=60)
@given(SITES, LEVELS, st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    pages: MakePages, features: MakeFeatures, site: list[str], level: float, data: st.DataObject
) -> None:
    method = TagVector(similarity=level)
    outlines = [outline_of(body) for body in site]
    seen = [method.represent(features(), outline) for outline in outlines]
    assert set(method.links(seen)) == set(Linked.links(method, seen))
    order = data.draw(st.permutations(range(len(site))))
    found = []
    for one in (list(range(len(site))), order):
        given_pages = replace(pages([features()] * len(site)), outlines=[outlines[i] for i in one])
        clustering = method.cluster(given_pages)
        labels = [a.template for a in clustering.assignments]
        assert list(dict.fromkeys(labels)) == list(range(len(set(labels))))
        found.append({frozenset(one[i] for i in part) for part in partition(labels)})
    assert found[0] == found[1]


def test_where_tags_stand_does_not_count(features: MakeFeatures) -> None:
    method = TagVector()
    one, other = (
        "<div><b>x</b></div><div><i>y</i></div>",
        "<b>x</b><div><div><i>y</i></div></div>",
    )
    a, b = (method.represent(features(), outline_of(body)) for body in (one, other))
    assert method.similarity(a, b) == 1
    assert method.key(a) == method.key(b)


def test_a_page_of_other_tags_is_of_no_template(pages: MakePages, features: MakeFeatures) -> None:
    site = [outline_of("<p>a</p>" * n) for n in (20, 21, 22)]
    found = TagVector().cluster(replace(pages([features()] * 3), outlines=site))
    assert [a.template for a in found.assignments] == [0, 0, 0]
    assert found.classifier.assign(Arrival(features(), outline_of("<p>a</p>" * 23))).template == 0
    stranger = Arrival(features(), outline_of("<table><tr><td>a</td></tr></table>"))
    assert found.classifier.assign(stranger).template is None


@pytest.mark.parametrize("parameters", [{"similarity": 1.1}, {"similarity": -1}, {"most": 0}])
def test_wrong_parameters_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="tag-vector"):
        TagVector(**parameters)  # type: ignore[arg-type]
