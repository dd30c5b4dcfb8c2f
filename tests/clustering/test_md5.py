from __future__ import annotations

from hashlib import md5
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.made_bodies import bodies, outline_of
from tests.clustering.made_sites import arrival, labels_of, site_of
from tplcrawl.clustering.md5 import MD5
from tplcrawl.fingerprints.tag_sequence import tag_sequence

BODIES = bodies(["<p>a</p>", "<p class=x>b</p>", "<br>", "<div><b>x</b></div>"], 3)


@settings(max_examples=80)
@given(st.lists(BODIES, max_size=12))
def test_pages_are_together_if_their_tags_are_the_same(site: list[str]) -> None:
    outlines = [outline_of(body) for body in site]
    found = MD5().cluster(site_of(outlines))
    assert found.learned_from == len(site)
    labels = labels_of(found)
    assert list(dict.fromkeys(labels)) == list(range(len(set(labels))))
    tags = [tag_sequence(outline).tolist() for outline in outlines]
    for i, j in combinations(range(len(site)), 2):
        assert (labels[i] == labels[j]) == (tags[i] == tags[j])
    for outline, label in zip(outlines, labels, strict=True):
        assert found.classifier.assign(arrival(outline)).template == label


def test_a_page_with_one_row_more_is_of_no_template() -> None:
    site = site_of([outline_of("<p>a</p>")])
    classifier = MD5().cluster(site).classifier
    other_text = arrival(outline_of("<p id=z>another text</p>"))
    assert classifier.assign(other_text).template == 0
    assert classifier.assign(arrival(outline_of("<p>a</p><p>b</p>"))).template is None


def test_the_digest_is_that_of_the_sequence_in_little_endian() -> None:
    outline = outline_of("<p>a</p>")
    expected = b"".join(tag.to_bytes(4, "little") for tag in tag_sequence(outline).tolist())
    assert MD5().digest(outline) == md5(expected, usedforsecurity=False).digest()
    assert MD5().parameters() == {}
