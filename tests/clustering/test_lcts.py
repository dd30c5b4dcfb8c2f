from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.lcts import LCTS
from tplcrawl.clustering.linked import Linked, components
from tplcrawl.clustering.pages import Pages
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
LEVELS = st.sampled_from([0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0])


def outline_of(body: str) -> Outline:
    page = f"<html><head><title>t</title></head><body>{body}</body></html>"
    return profile_of("http://a.com/", page.encode(), None).outline


def slow(a: list[int], b: list[int]) -> int:
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            rows[i + 1][j + 1] = rows[i][j] + 1 if x == y else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]


def partition(labels: Sequence[int | None]) -> set[frozenset[int]]:
    return {frozenset(i for i, own in enumerate(labels) if own == label) for label in labels}


@settings(max_examples=100)
@given(BODIES, BODIES)
def test_similarity_is_the_share_of_the_longest_common_subsequence(
    features: MakeFeatures, one: str, other: str
) -> None:
    method = LCTS()
    a, b = (method.represent(features(), outline_of(body)) for body in (one, other))
    common = slow(a.tolist(), b.tolist())
    assert method.similarity(a, b) == float(Fraction(common, max(len(a), len(b))))
    assert method.similarity(a, b) == method.similarity(b, a)
    assert method.similarity(a, a) == 1


@settings(max_examples=80)
@given(SITES, LEVELS, st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    pages: MakePages, features: MakeFeatures, site: list[str], level: float, data: st.DataObject
) -> None:
    method = LCTS(similarity=level)
    outlines = [outline_of(body) for body in site]
    seen = [method.represent(features(), outline) for outline in outlines]
    every = set(Linked.links(method, seen))
    enough = set(method.links(seen))
    assert enough <= every
    assert components(len(seen), iter(enough)) == components(len(seen), iter(every))
    order = data.draw(st.permutations(range(len(site))))
    found = []
    for one in (list(range(len(site))), order):
        given_pages = replace(pages([features()] * len(site)), outlines=[outlines[i] for i in one])
        labels = [a.template for a in method.cluster(given_pages).assignments]
        found.append({frozenset(one[i] for i in part) for part in partition(labels)})
    assert found[0] == found[1]


def test_a_hand_worked_pair(features: MakeFeatures) -> None:
    one, other = outline_of("<p><b>x</b></p>"), outline_of("<p><i>x</i></p>")
    # html head title title head body p b b p body html, and the same with i: ten of twelve.
    assert len(tag_sequence(one)) == 12
    method = LCTS()
    a, b = (method.represent(features(), outline) for outline in (one, other))
    assert method.similarity(a, b) == 10 / 12


def test_only_so_many_pages_are_compared_and_the_others_assigned(
    pages: MakePages, features: MakeFeatures
) -> None:
    bodies = ["<p>a</p>" * (20 + n) for n in range(5)] + ["<ul><li>a</li></ul>" * 20] * 5
    site = replace(pages([features()] * 10), outlines=[outline_of(body) for body in bodies])
    found = LCTS(most=6).cluster(site)
    assert found.learned_from == 6
    labels = [a.template for a in found.assignments]
    assert partition(labels) == {frozenset(range(5)), frozenset(range(5, 10))}
    stranger = Arrival(features(), outline_of("<table><tr><td>a</td></tr></table>" * 20))
    assert found.classifier.assign(stranger).template is None
    assert LCTS().parameters() == {"similarity": 0.85, "most": 1000}


@pytest.mark.parametrize("parameters", [{"similarity": 1.5}, {"most": 0}])
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(UsageError, match=f"lcts: {name}"):
        LCTS(**parameters)
