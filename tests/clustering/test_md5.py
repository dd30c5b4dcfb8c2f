from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import md5
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.md5 import MD5
from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_sequence import tag_sequence
from tplcrawl.outline import Outline
from tplcrawl.page.profile import profile_of

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

BODIES = st.lists(
    st.sampled_from(["<p>a</p>", "<p class=x>b</p>", "<br>", "<div><b>x</b></div>"]), max_size=3
).map("".join)


def outline_of(body: str) -> Outline:
    page = f"<html><head><title>t</title></head><body>{body}</body></html>"
    return profile_of("http://a.com/", page.encode(), None).outline


@settings(max_examples=80)
@given(st.lists(BODIES, max_size=12))
def test_pages_are_together_if_their_tags_are_the_same(
    pages: MakePages, features: MakeFeatures, site: list[str]
) -> None:
    outlines = [outline_of(body) for body in site]
    found = MD5().cluster(replace(pages([features()] * len(site)), outlines=outlines))
    assert found.learned_from == len(site)
    labels = [a.template for a in found.assignments]
    assert list(dict.fromkeys(labels)) == list(range(len(set(labels))))
    tags = [tag_sequence(outline).tolist() for outline in outlines]
    for i, j in combinations(range(len(site)), 2):
        assert (labels[i] == labels[j]) == (tags[i] == tags[j])
    for outline, label in zip(outlines, labels, strict=True):
        assert found.classifier.assign(Arrival(features(), outline)).template == label


def test_a_page_with_one_row_more_is_of_no_template(
    pages: MakePages, features: MakeFeatures
) -> None:
    site = replace(pages([features()]), outlines=[outline_of("<p>a</p>")])
    classifier = MD5().cluster(site).classifier
    other_text = Arrival(features(), outline_of("<p id=z>another text</p>"))
    assert classifier.assign(other_text).template == 0
    assert classifier.assign(Arrival(features(), outline_of("<p>a</p><p>b</p>"))).template is None


def test_the_digest_is_that_of_the_sequence_in_little_endian() -> None:
    outline = outline_of("<p>a</p>")
    expected = b"".join(tag.to_bytes(4, "little") for tag in tag_sequence(outline).tolist())
    assert MD5().digest(outline) == md5(expected, usedforsecurity=False).digest()
    assert MD5().parameters() == {}
