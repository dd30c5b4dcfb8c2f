from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.made_bodies import outline_of
from tests.clustering.made_sites import arrival, labels_of, site_of
from tplcrawl.clustering.mdh5 import MDH5
from tplcrawl.outline import Outline

HEADS = st.lists(st.sampled_from(["meta", "link", "title"]), max_size=3).map(tuple)
BODIES = st.sampled_from(["", "<p>a</p>", "<div><b>x</b></div>"])
END = {"meta": "", "link": "", "title": "</title>"}


def with_head(tags: tuple[str, ...], body: str) -> Outline:
    return outline_of(body, head="".join(f"<{tag}>{END[tag]}" for tag in tags))


@settings(max_examples=80)
@given(st.lists(st.tuples(HEADS, BODIES), max_size=12))
def test_pages_are_together_if_the_tags_of_their_heads_are_the_same(
    site: list[tuple[tuple[str, ...], str]],
) -> None:
    outlines = [with_head(*page) for page in site]
    found = MDH5().cluster(site_of(outlines))
    labels = labels_of(found)
    for i, j in combinations(range(len(site)), 2):
        assert (labels[i] == labels[j]) == (site[i][0] == site[j][0])


def test_the_body_does_not_count_for_later_pages() -> None:
    site = site_of([with_head(("title",), "<p>a</p>")])
    classifier = MDH5().cluster(site).classifier
    same = arrival(with_head(("title",), "<ul><li>b</li></ul>"))
    other = arrival(with_head(("title", "meta"), "<p>a</p>"))
    assert classifier.assign(same).template == 0
    assert classifier.assign(other).template is None
