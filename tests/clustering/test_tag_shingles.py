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
from tplcrawl.clustering.tag_shingles import TagShingles
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_sequence import tag_sequence
from tplcrawl.outline import Outline
from tplcrawl.page.profile import profile_of

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

PARTS = ["<p>a</p>", "<br>", "<div><b>x</b></div>", "<div class=a><div><i>y</i></div></div>", ""]
BODIES = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)
SITES = st.lists(BODIES, max_size=8)
LENGTHS = st.integers(1, 6)


def outline_of(body: str) -> Outline:
    page = f"<html><head><title>t</title></head><body>{body}</body></html>"
    return profile_of("http://a.com/", page.encode(), None).outline


def windows(outline: Outline, length: int) -> set[tuple[int, ...]]:
    tags = tag_sequence(outline).tolist()
    return {tuple(tags[i : i + length]) for i in range(max(len(tags) - length + 1, 1))}


def partition(labels: Sequence[int | None]) -> set[frozenset[int]]:
    return {frozenset(i for i, own in enumerate(labels) if own == label) for label in labels}


@settings(max_examples=100)
@given(BODIES, BODIES, LENGTHS)
def test_similarity_is_the_share_of_windows(
    features: MakeFeatures, one: str, other: str, length: int
) -> None:
    method = TagShingles(length=length)
    a, b = (method.represent(features(), outline_of(body)) for body in (one, other))
    x, y = (windows(outline_of(body), length) for body in (one, other))
    assert method.similarity(a, b) == float(Fraction(len(x & y), max(len(x), len(y))))
    assert method.similarity(a, b) == method.similarity(b, a)
    assert method.similarity(a, a) == 1


@settings(max_examples=60)
@given(SITES, st.sampled_from([0.0, 0.4, 0.6, 0.75, 0.8, 1.0]), LENGTHS, st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    pages: MakePages,
    features: MakeFeatures,
    site: list[str],
    level: float,
    length: int,
    data: st.DataObject,
) -> None:
    method = TagShingles(length=length, similarity=level)
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


def test_more_rows_of_a_table_are_the_same_template(
    pages: MakePages, features: MakeFeatures
) -> None:
    row = "<tr><td>a</td><td>b</td></tr>"
    tables = [outline_of(f"<table>{row * n}</table>") for n in (3, 30, 300)]
    site = replace(pages([features()] * 3), outlines=tables)
    found = TagShingles(similarity=1).cluster(site)
    assert [a.template for a in found.assignments] == [0, 0, 0]
    later = Arrival(features(), outline_of(f"<table>{row * 7}</table>"))
    assert found.classifier.assign(later).template == 0
    stranger = Arrival(features(), outline_of("<ul><li>a</li></ul>"))
    assert found.classifier.assign(stranger).template is None


def test_the_defaults_are_the_papers() -> None:
    assert TagShingles().parameters() == {"length": 4, "similarity": 0.8, "most": 5000}


@pytest.mark.parametrize("parameters", [{"length": 0}, {"similarity": 80}, {"most": 0}])
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(UsageError, match=f"tag-shingles: {name}"):
        TagShingles(**parameters)
