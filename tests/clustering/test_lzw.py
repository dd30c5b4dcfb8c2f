from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.linked import components
from tplcrawl.clustering.lzw import LZW
from tplcrawl.clustering.pages import Pages
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.lzw import LENGTH, fingerprint
from tplcrawl.outline import Outline

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

NO_OUTLINE = Outline((), (), (), ())
SHORT = st.lists(st.integers(0, 2), max_size=6).map(bytes)
FULL = st.lists(st.integers(0, 1), min_size=4, max_size=4).map(lambda end: bytes(21) + bytes(end))
PRINTS = st.lists(SHORT, max_size=12) | st.lists(FULL, max_size=12)
METHODS = [LZW(), LZW(index="prefix-suffix"), LZW(index="prefix-suffix", split="auto"),
           LZW(index="prefix-suffix", split=3)]  # fmt: skip

EXAMPLE = (
    b"<html><body><p>a <b>b</b></p><!-- no tag --><p><strong>c</strong></p><p><big>d</big></p>"
    b"<p><em>e</em></p><p><i>f</i></p><p><small>g</small></p>"
    b"<p>h<sub>i</sub> j<sup>k</sup></p></body></html>"
)


def cluster(
    method: LZW, pages: MakePages, features: MakeFeatures, prints: Sequence[bytes]
) -> list[int | None]:
    clustering = method.cluster(pages([features(mark=one) for one in prints]))
    assert clustering.learned_from == len(prints)
    return [a.template for a in clustering.assignments]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: f"{m.index} {m.split}")
@settings(max_examples=50)
@given(prints=PRINTS, data=st.data())
def test_clusters_are_chains_of_single_edits_in_any_order(
    method: LZW, pages: MakePages, features: MakeFeatures, prints: list[bytes], data: st.DataObject
) -> None:
    near = (
        (i, j)
        for i, j in combinations(range(len(prints)), 2)
        if Levenshtein.distance(prints[i], prints[j]) <= 1
    )
    expected = components(len(prints), near)
    assert cluster(method, pages, features, prints) == expected
    order = data.draw(st.permutations(range(len(prints))))
    labels = cluster(method, pages, features, [prints[i] for i in order])
    for (a, i), (b, j) in combinations(enumerate(order), 2):
        assert (labels[a] == labels[b]) == (expected[i] == expected[j])


def test_the_example_of_paper_000_and_its_variants() -> None:
    """Section 3.1 says that without ``sub`` the fingerprint changes "only little", and "not at all"
    with ``strong`` for ``i``. The latter is true of a tag that is not there yet, as ``u`` here."""
    variants = {
        b"<i>f</i>": b"<u>f</u>",
        b"<p><i>f</i>": b"<p><strong>f</strong>",
        b"<sub>i</sub>": b"",
    }
    original = fingerprint(EXAMPLE)
    assert list(original) == [
        0, 0, 0, 0, 4, 3, 0, 3, 0, 9, 3, 0, 8, 0, 8, 0, 8, 0, 0, 19, 2
    ]  # fmt: skip
    prints = [fingerprint(EXAMPLE.replace(old, new)) for old, new in variants.items()]
    assert [Levenshtein.distance(original, one) for one in prints] == [0, 2, 3]


def test_a_page_between_two_clusters_merges_them(pages: MakePages, features: MakeFeatures) -> None:
    start = bytes(LENGTH - 2)
    one, between, other = start + b"\0\0", start + b"\1\0", start + b"\1\1"
    assert cluster(LZW(), pages, features, [one, other]) == [0, 1]
    assert cluster(LZW(), pages, features, [one, other, between]) == [0, 0, 0]


@settings(max_examples=100)
@given(PRINTS.filter(bool), SHORT | FULL)
def test_a_later_page_is_of_a_template_at_distance_one_or_of_none(
    pages: MakePages, features: MakeFeatures, prints: list[bytes], later: bytes
) -> None:
    found = LZW().cluster(pages([features(mark=one) for one in prints]))
    given = found.classifier.assign(Arrival(features(mark=later), NO_OUTLINE))
    near = {
        assignment.template
        for one, assignment in zip(prints, found.assignments, strict=True)
        if Levenshtein.distance(one, later) <= 1
    }
    assert given.template in (near or {None})
    assert 0 <= given.confidence <= 1
    assert (given.confidence == 1) == (later in prints)
    for one, assignment in zip(prints, found.assignments, strict=True):
        again = found.classifier.assign(Arrival(features(mark=one), NO_OUTLINE))
        assert again.template == assignment.template


def test_of_two_templates_at_distance_one_that_with_more_pages_is_taken(
    pages: MakePages, features: MakeFeatures
) -> None:
    start = bytes(LENGTH - 2)
    few, many, between = start + b"\0\0", start + b"\1\1", start + b"\1\0"
    for prints, expected in (([few, many, many], 1), ([many, many, few], 0), ([few, many], 0)):
        found = LZW().cluster(pages([features(mark=one) for one in prints]))
        assert [a.template for a in found.assignments[:1]] == [0]
        later = Arrival(features(mark=between), NO_OUTLINE)
        assert found.classifier.assign(later).template == expected


def test_a_method_says_how_to_make_it_again() -> None:
    assert LZW().parameters() == {"index": "wildcard", "split": 17}
    assert LZW(index="prefix-suffix", split="auto").parameters()["split"] == "auto"


@pytest.mark.parametrize(
    "parameters", [{"index": "tree"}, {"split": 0}, {"split": 25}, {"split": "x"}, {"split": 1.5}]
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(UsageError, match=f"lzw: {name}"):
        LZW(**parameters)
