from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.made_clusters import spread_out
from tplcrawl.clustering.agglomeration import PATIENCE, WEIGHTS
from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.evidence import Evidence
from tplcrawl.clustering.representatives import REPRESENTATIVES, Representatives, confidences
from tplcrawl.clustering.sampling import spread
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import hash_set
from tplcrawl.outline import Outline

NO_OUTLINE = Outline((), (), (), ())
NOTHING = np.empty(0, np.uint32)
KIND = "classes"
SET = st.frozensets(st.integers(0, 15), max_size=8)
SETS = st.lists(st.tuples(SET, SET), min_size=2, max_size=14)


def page(paths: frozenset[int], classes: frozenset[int] = frozenset()) -> Arrival:
    own = Features(hash_set(paths), NOTHING, hash_set(classes), NOTHING, NOTHING, b"")
    return Arrival(own, NO_OUTLINE)


def inside_of(
    evidence: Evidence, clusters: Sequence[Sequence[int]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    alike = spread_out(evidence.similarities())
    return np.array([
        np.mean([alike[a, b] for a in rows for b in rows if a != b]) if len(rows) > 1 else np.nan
        for rows in clusters
    ])  # fmt: skip


def weighted_jaccard(evidence: Evidence, a: frozenset[int], b: frozenset[int]) -> float:
    weights = dict(zip(evidence.table.members.tolist(), evidence.weights.tolist(), strict=False))
    either = evidence.slight + sum(weights.get(one, 0) for one in a | b)
    common = evidence.slight + sum(weights.get(one, 0) for one in a & b)
    return common / either if either > 1e-9 else 1.0


@settings(max_examples=100)
@given(
    SETS,
    st.frozensets(st.integers(0, 20), max_size=9),
    st.frozensets(st.integers(0, 20)),
    st.data(),
)
def test_a_page_is_scored_against_some_pages_of_each_cluster_by_each_kind_of_evidence(
    sets: list[tuple[frozenset[int], frozenset[int]]],
    paths: frozenset[int],
    classes: frozenset[int],
    data: st.DataObject,
) -> None:
    """What nobody had before says nothing; the kinds do not get mixed up, be one of them empty, or
    pages have something in common besides in one of them."""
    cut = data.draw(st.integers(1, len(sets) - 1))
    clusters = [list(range(cut)), list(range(cut, len(sets)))]
    kinds = {"tag paths": [one for one, _ in sets], KIND: [two for _, two in sets]}
    evidence = {kind: Evidence.of([hash_set(o) for o in own]) for kind, own in kinds.items()}
    evidence[KIND] = replace(evidence[KIND], slight=data.draw(st.sampled_from([0.0, 1.0])))
    inside = {kind: inside_of(one, clusters) for kind, one in evidence.items()}
    classifier = Representatives(evidence, clusters, inside)
    expected = []
    for number, rows in enumerate(clusters):
        total = PATIENCE
        chosen = spread(rows, REPRESENTATIVES)
        for kind, new in (("tag paths", paths), (KIND, classes)):
            alike = [weighted_jaccard(evidence[kind], new, kinds[kind][row]) for row in chosen]
            own = inside[kind][number]
            ratio = np.log((np.mean(alike) + 0.05) / ((1.0 if np.isnan(own) else own) + 0.05))
            total += WEIGHTS[kind] * np.clip(ratio, -3, 0.3)
        expected.append(total)
    np.testing.assert_allclose(classifier.scores([page(paths, classes)])[0], expected, atol=1e-3)
    # A tie is decided by rounding, and both answers are right.
    given_ = classifier.assign(page(paths, classes)).template
    if given_ is not None:
        assert expected[given_] == pytest.approx(max(expected), abs=1e-3)


def separated(templates: int, each: int) -> list[frozenset[int]]:
    """Pages of templates that have next to nothing in common, in turns."""
    chance = np.random.default_rng(5)
    return [
        frozenset({
            7, *range(100 * (n % templates), 100 * (n % templates) + 10),
            *chance.integers(50, 80, 4).tolist(),
        })
        for n in range(templates * each)
    ]  # fmt: skip


def trained(sets: list[frozenset[int]], templates: int) -> Representatives:
    clusters = [list(range(kind, len(sets), templates)) for kind in range(templates)]
    evidence = Evidence.of([hash_set(one) for one in sets])
    both = dict.fromkeys(("tag paths", KIND), evidence)
    return Representatives(both, clusters, {kind: inside_of(evidence, clusters) for kind in both})


@pytest.mark.parametrize(("templates", "each"), [(2, 3), (5, 20), (30, 2), (6, 1)])
def test_the_pages_that_it_learned_from_are_given_their_own_cluster(
    templates: int, each: int
) -> None:
    sets = separated(templates, each)
    classifier = trained(sets, templates)
    for n, one in enumerate(sets):
        found = classifier.assign(page(one, one))
        assert found.template == n % templates
        assert 0.5 < found.confidence <= 1


def test_a_page_unlike_all_is_of_none() -> None:
    sets = separated(4, 10)
    evidence = Evidence.of([hash_set(one) for one in sets])
    clusters = [list(range(kind, 40, 4)) for kind in range(4)]
    every = dict.fromkeys(WEIGHTS, evidence)
    inside = dict.fromkeys(WEIGHTS, inside_of(evidence, clusters))
    classifier = Representatives(every, clusters, inside)
    alien = hash_set({5000, 5001})
    features = Features(alien, alien, alien, alien, alien, b"")
    found = classifier.assign(Arrival(features, NO_OUTLINE, None, alien))
    assert (found.template, found.confidence) == (None, 0)
    known = hash_set(sets[1])
    features = Features(known, known, known, known, known, b"")
    assert classifier.assign(Arrival(features, NO_OUTLINE, None, known)).template == 1


def test_who_has_learned_nothing_says_none() -> None:
    empty = Representatives({KIND: Evidence.of([])}, [], {KIND: np.empty(0)})
    found = empty.assign(page(frozenset({1}), frozenset({1})))
    assert (found.template, found.confidence) == (None, 0)


@given(st.lists(st.floats(-10, 4), min_size=1, max_size=6), st.floats(0, 3))
def test_it_is_the_surer_the_higher_the_score_and_the_lead(
    scores: list[float], more: float
) -> None:
    table = np.array(scores)
    best = int(np.argmax(table))
    higher, closer = table.copy(), table.copy()
    higher[best] += more
    closer[best - 1] = closer[best]
    sure, surer, less = confidences(np.array([table, higher, closer]), np.full(3, best))
    assert 0 <= sure <= 1
    assert surer >= sure
    if len(scores) > 1:
        assert less <= sure


def test_many_pages_at_once_are_assigned_as_each_alone() -> None:
    sets = separated(5, 20)
    classifier = trained(sets, 5)
    pages = [page(one, two) for one, two in zip(sets, [*sets[7:], *sets[:7]], strict=True)]
    together = list(classifier.assign_all(pages * 12))
    assert together == [classifier.assign(one) for one in pages] * 12
