from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made_clusters import spread_out
from tplcrawl.clustering.agglomeration import WEIGHTS
from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.evidence import HEARSAY, Evidence, gather, read
from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.outline import Outline

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

SETS = st.lists(st.frozensets(st.integers(0, 12), max_size=8), min_size=1, max_size=9)
NO_OUTLINE = Outline((), (), (), ())


def arrays(sets: list[frozenset[int]]) -> list[Hashes]:
    return [hash_set(one) for one in sets]


@given(SETS)
def test_pages_are_as_alike_as_the_weight_of_what_they_share(sets: list[frozenset[int]]) -> None:
    evidence = Evidence.of(arrays(sets))
    members = evidence.table.members.tolist()
    assert members == sorted(
        one for one in frozenset().union(*sets) if sum(one in own for own in sets) >= 2
    )
    weights = dict(zip(members, evidence.weights.tolist(), strict=False))
    alike = spread_out(evidence.similarities())
    common = spread_out(evidence.common(np.arange(len(sets))))
    for i, a in enumerate(sets):
        for j, b in enumerate(sets):
            shared = sum(weights.get(one, 0) for one in a & b)
            either = sum(weights.get(one, 0) for one in a | b)
            assert alike[i, j] == pytest.approx(shared / either if either else 1, abs=1e-5)
            assert common[i, j] == pytest.approx(shared, abs=1e-5)


@given(SETS, st.data())
def test_what_some_pages_have_in_common_is_a_part_of_what_all_have(
    sets: list[frozenset[int]], data: st.DataObject
) -> None:
    evidence = Evidence.of(arrays(sets))
    rows = data.draw(st.lists(st.integers(0, len(sets) - 1), min_size=1, unique=True))
    some, every = evidence.common(np.array(rows)), evidence.common(np.arange(len(sets)))
    np.testing.assert_array_equal(spread_out(some), every.between(rows, rows))


def test_what_all_pages_have_says_nothing_and_what_half_have_says_most() -> None:
    """The chrome of a site has hundreds of paths: each must weigh next to nothing."""
    shares = {1: 1000, 2: 990, 3: 500, 4: 20}
    sets = [frozenset(one for one, count in shares.items() if n < count) for n in range(1000)]
    evidence = Evidence.of(arrays(sets))
    assert evidence.table.members.tolist() == list(shares)
    everywhere, nearly, half, seldom = evidence.weights.tolist()
    assert half == pytest.approx(1, abs=0.01)
    assert everywhere < 0.02 < nearly < seldom < half


def test_members_of_too_few_pages_are_content() -> None:
    sets = [frozenset({n // 3}) for n in range(900)]
    assert len(Evidence.of(arrays(sets[:600])).table.members) == 200, "three pages are 0.5 %"
    assert len(Evidence.of(arrays(sets)).table.members) == 0


def test_without_any_evidence_all_are_alike() -> None:
    evidence = Evidence.of(arrays([frozenset()] * 3))
    np.testing.assert_array_equal(spread_out(evidence.similarities()), np.ones((3, 3)))
    np.testing.assert_array_equal(spread_out(evidence.common(np.arange(3))), np.zeros((3, 3)))


def test_all_kinds_of_evidence_are_gathered_and_weighed(
    features: MakeFeatures, pages: MakePages
) -> None:
    site = pages([features(range(n)) for n in range(6)])
    sample = [1, 3, 5]
    positions = site.stands(sample).positions
    evidence = gather(site, sample, site.inbound.locations_by_page(6), positions)
    assert set(evidence) == set(WEIGHTS)
    assert {len(one.rows) for one in evidence.values()} == {3}


@pytest.mark.parametrize(("classes", "least", "most"), [(1, 0.3, 0.4), (12, 0.0, 0.05)])
def test_one_class_more_is_no_other_page_where_a_site_has_no_others(
    features: MakeFeatures, pages: MakePages, classes: int, least: float, most: float
) -> None:
    """Mails of a bare archive, some with a quotation, were as unlike by it as pages can be; where a
    dozen classes are missing, or nothing but looks is known, that says as much as before."""
    bare, styled = features(range(3)), replace(features(range(3)), classes=hash_set(range(classes)))
    site = pages([bare, styled] * 5)
    for places, low, high in ([hash_set([7])] * 10, least, most), ([hash_set([])] * 10, 0, 0):
        alike = spread_out(gather(site, range(10), places, places)["classes"].similarities())
        assert alike[0, 2] == alike[1, 3] == 1
        assert low <= alike[0, 1] <= high


def test_what_is_not_known_of_a_page_is_not_held_against_it(features: MakeFeatures) -> None:
    """A page that has just come has no position; of a saved file neither URL nor place is known.
    What it shows itself is always known, be it nothing."""
    page = Arrival(features(()), NO_OUTLINE)
    unknown = {kind for kind in WEIGHTS if read(kind, page) is None}
    assert unknown == set(HEARSAY)
    placed = Arrival(features((4, 5)), NO_OUTLINE, None, np.array([7], np.uint32))
    found = {kind: read(kind, placed) for kind in WEIGHTS}
    assert [found["location"], found["tag paths"]] == [pytest.approx([7]), pytest.approx([4, 5])]
    assert found["position"] is None
