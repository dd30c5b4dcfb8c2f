from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.laws import check_order, lawful_similarity, seen_by
from tests.clustering.made_bodies import BODIES, SITES, outline_of
from tests.clustering.made_sites import arrival, partition, site_of
from tplcrawl.clustering.lcts import LCTS
from tplcrawl.clustering.linked import Linked, components
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.tag_sequence import tag_sequence

LEVELS = st.sampled_from([0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0])


def slow(a: list[int], b: list[int]) -> int:
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            rows[i + 1][j + 1] = rows[i][j] + 1 if x == y else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]


@settings(max_examples=100)
@given(BODIES, BODIES)
def test_similarity_is_the_share_of_the_longest_common_subsequence(one: str, other: str) -> None:
    method = LCTS()
    a, b = seen_by(method, map(outline_of, (one, other)))
    common = slow(a.tolist(), b.tolist())
    assert lawful_similarity(method, a, b) == float(Fraction(common, max(len(a), len(b))))


@settings(max_examples=80)
@given(SITES, LEVELS, st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    site: list[str], level: float, data: st.DataObject
) -> None:
    method = LCTS(similarity=level)
    outlines = [outline_of(body) for body in site]
    seen = seen_by(method, outlines)
    every = set(Linked.links(method, seen))
    enough = set(method.links(seen))
    assert enough <= every
    assert components(len(seen), iter(enough)) == components(len(seen), iter(every))
    order = data.draw(st.permutations(range(len(site))))
    check_order(method, site_of(outlines), order)


def test_a_hand_worked_pair() -> None:
    one, other = outline_of("<p><b>x</b></p>"), outline_of("<p><i>x</i></p>")
    # html head title title head body p b b p body html, and the same with i: ten of twelve.
    assert len(tag_sequence(one)) == 12
    method = LCTS()
    a, b = seen_by(method, (one, other))
    assert method.similarity(a, b) == 10 / 12


def test_only_so_many_pages_are_compared_and_the_others_assigned() -> None:
    bodies = ["<p>a</p>" * (20 + n) for n in range(5)] + ["<ul><li>a</li></ul>" * 20] * 5
    site = site_of([outline_of(body) for body in bodies])
    found = LCTS(most=6).cluster(site)
    assert found.learned_from == 6
    assert partition(found) == [[*range(5)], [*range(5, 10)]]
    stranger = arrival(outline_of("<table><tr><td>a</td></tr></table>" * 20))
    assert found.classifier.assign(stranger).template is None
    assert LCTS().parameters() == {"similarity": 0.85, "most": 1000}


@pytest.mark.parametrize("parameters", [{"similarity": 1.5}, {"most": 0}])
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(UsageError, match=f"lcts: {name}"):
        LCTS(**parameters)
