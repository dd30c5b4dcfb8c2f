from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.linked import Linked
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.path_shingles import PathShingles
from tplcrawl.clustering.paths import Paths
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.page.profile import profile_of

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

PARTS = ["<p>a</p>", "<br>", "<div><b>x</b></div>", "<div class=a><div><i>y</i></div></div>", ""]
BODIES = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)
SITES = st.lists(BODIES, max_size=8)
LEVELS = st.sampled_from([0.0, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0])


def outline_of(body: str) -> Outline:
    page = f"<html><head><title>t</title></head><body>{body}</body></html>"
    return profile_of("http://a.com/", page.encode(), None).outline


def partition(labels: Sequence[int | None]) -> set[frozenset[int]]:
    return {frozenset(i for i, own in enumerate(labels) if own == label) for label in labels}


@settings(max_examples=60)
@given(SITES, LEVELS, st.integers(1, 5), st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    pages: MakePages,
    features: MakeFeatures,
    site: list[str],
    level: float,
    length: int,
    data: st.DataObject,
) -> None:
    method = PathShingles(length=length, similarity=level)
    outlines = [outline_of(body) for body in site]
    seen = [method.represent(features(), outline) for outline in outlines]
    for a in seen:
        assert method.similarity(a, a) == 1
        for b in seen:
            assert 0 <= method.similarity(a, b) <= 1
            assert method.similarity(a, b) == method.similarity(b, a)
    assert set(method.links(seen)) == set(Linked.links(method, seen))
    order = data.draw(st.permutations(range(len(site))))
    found = []
    for one in (list(range(len(site))), order):
        given_pages = replace(pages([features()] * len(site)), outlines=[outlines[i] for i in one])
        labels = [a.template for a in method.cluster(given_pages).assignments]
        found.append({frozenset(one[i] for i in part) for part in partition(labels)})
    assert found[0] == found[1]


def test_paths_that_differ_in_one_step_still_share_shingles(features: MakeFeatures) -> None:
    deep = "<div><section><div><div><ul><li><a>x</a></li></ul></div></div></section></div>"
    bodies = (deep, f"<main>{deep}</main>")
    shingles = [PathShingles().represent(features(), outline_of(body)) for body in bodies]
    paths = [Paths().represent(features(), outline_of(body)) for body in bodies]
    # Nine steps to the link are six windows, ten with main are seven; those from the first div
    # on, four, are the same, and so is the path to the title.
    assert PathShingles().similarity(*shingles) == (4 + 1) / (7 + 1)
    assert Paths().similarity(*paths) == 1 / 2


def test_windows_longer_than_all_paths_are_the_paths(features: MakeFeatures) -> None:
    outline = outline_of("<div><b>x</b></div><p>a</p>")
    shingles = PathShingles(length=50).represent(features(), outline)
    assert shingles.tolist() == Paths().represent(features(), outline).tolist()


def test_later_pages_are_classified(pages: MakePages, features: MakeFeatures) -> None:
    lists, posts = "<ul><li><a>x</a></li></ul>", "<div><p>a</p><i>b</i></div><hr>"
    site = [outline_of(body) for body in (lists, posts, lists * 2)]
    found = PathShingles().cluster(replace(pages([features()] * 3), outlines=site))
    assert [a.template for a in found.assignments] == [0, 1, 0]
    arrivals = [Arrival(features(), outline_of(body)) for body in (posts * 2, "<table></table>")]
    assert [found.classifier.assign(one).template for one in arrivals] == [1, None]


def test_a_method_says_how_to_make_it_again() -> None:
    method = PathShingles(length=3, most=7)
    assert method.parameters() == {"length": 3, "similarity": 0.9, "most": 7}
    assert PathShingles(**method.parameters()).parameters() == method.parameters()


@pytest.mark.parametrize(
    "parameters",
    [{"length": 0}, {"length": -2}, {"length": 2.5}, {"length": "x"}, {"similarity": 2}],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(UsageError, match=f"path-shingles: {name}"):
        PathShingles(**parameters)
