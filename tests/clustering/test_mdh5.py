from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.mdh5 import MDH5
from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.page.profile import profile_of

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

HEADS = st.lists(st.sampled_from(["meta", "link", "title"]), max_size=3).map(tuple)
BODIES = st.sampled_from(["", "<p>a</p>", "<div><b>x</b></div>"])
END = {"meta": "", "link": "", "title": "</title>"}


def outline_of(head: tuple[str, ...], body: str) -> Outline:
    inside = "".join(f"<{tag}>{END[tag]}" for tag in head)
    page = f"<html><head>{inside}</head><body>{body}</body></html>"
    return profile_of("http://a.com/", page.encode(), None).outline


@settings(max_examples=80)
@given(st.lists(st.tuples(HEADS, BODIES), max_size=12))
def test_pages_are_together_if_the_tags_of_their_heads_are_the_same(
    pages: MakePages, features: MakeFeatures, site: list[tuple[tuple[str, ...], str]]
) -> None:
    outlines = [outline_of(*page) for page in site]
    found = MDH5().cluster(replace(pages([features()] * len(site)), outlines=outlines))
    labels = [a.template for a in found.assignments]
    for i, j in combinations(range(len(site)), 2):
        assert (labels[i] == labels[j]) == (site[i][0] == site[j][0])


def test_the_body_does_not_count_for_later_pages(pages: MakePages, features: MakeFeatures) -> None:
    site = replace(pages([features()]), outlines=[outline_of(("title",), "<p>a</p>")])
    classifier = MDH5().cluster(site).classifier
    same = Arrival(features(), outline_of(("title",), "<ul><li>b</li></ul>"))
    other = Arrival(features(), outline_of(("title", "meta"), "<p>a</p>"))
    assert classifier.assign(same).template == 0
    assert classifier.assign(other).template is None
