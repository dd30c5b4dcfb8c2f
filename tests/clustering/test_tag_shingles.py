from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.laws import check_all_pairs, lawful_similarity, seen_by
from tests.clustering.made_bodies import BODIES, SITES, outline_of
from tests.clustering.made_sites import arrival, site_of
from tplcrawl.clustering.tag_shingles import TagShingles
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.tag_sequence import tag_sequence
from tplcrawl.outline import Outline

LENGTHS = st.integers(1, 6)


def windows(outline: Outline, length: int) -> set[tuple[int, ...]]:
    tags = tag_sequence(outline).tolist()
    return {tuple(tags[i : i + length]) for i in range(max(len(tags) - length + 1, 1))}


@settings(max_examples=100)
@given(BODIES, BODIES, LENGTHS)
def test_similarity_is_the_share_of_windows(one: str, other: str, length: int) -> None:
    method = TagShingles(length=length)
    a, b = seen_by(method, map(outline_of, (one, other)))
    x, y = (windows(outline_of(body), length) for body in (one, other))
    assert lawful_similarity(method, a, b) == float(Fraction(len(x & y), max(len(x), len(y))))


@settings(max_examples=60)
@given(SITES, st.sampled_from([0.0, 0.4, 0.6, 0.75, 0.8, 1.0]), LENGTHS, st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    site: list[str],
    level: float,
    length: int,
    data: st.DataObject,
) -> None:
    method = TagShingles(length=length, similarity=level)
    outlines = [outline_of(body) for body in site]
    order = data.draw(st.permutations(range(len(site))))
    check_all_pairs(method, outlines, order)


def test_more_rows_of_a_table_are_the_same_template() -> None:
    row = "<tr><td>a</td><td>b</td></tr>"
    tables = [outline_of(f"<table>{row * n}</table>") for n in (3, 30, 300)]
    site = site_of(tables)
    found = TagShingles(similarity=1).cluster(site)
    assert [a.template for a in found.assignments] == [0, 0, 0]
    later = arrival(outline_of(f"<table>{row * 7}</table>"))
    assert found.classifier.assign(later).template == 0
    stranger = arrival(outline_of("<ul><li>a</li></ul>"))
    assert found.classifier.assign(stranger).template is None


def test_the_defaults_are_the_papers() -> None:
    assert TagShingles().parameters() == {"length": 4, "similarity": 0.8, "most": 5000}


@pytest.mark.parametrize("parameters", [{"length": 0}, {"similarity": 80}, {"most": 0}])
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(UsageError, match=f"tag-shingles: {name}"):
        TagShingles(**parameters)
