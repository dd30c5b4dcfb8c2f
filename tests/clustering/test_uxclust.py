from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.uxclust import UXClust
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]
Partition = set[frozenset[int]]

ROOT = 0
"""Every page has the path of its root element."""

PATHS = st.sets(st.integers(1, 9)).map(lambda paths: frozenset(paths | {ROOT}))
TWENTIETHS = st.integers(0, 20).map(lambda twentieths: Fraction(twentieths, 20))


def arrays(prints: Iterable[frozenset[int]]) -> list[Any]:
    return [np.array(sorted(one), np.uint32) for one in prints]


def partition(labels: Sequence[int | None]) -> Partition:
    """The sets of indices with one label."""
    groups: dict[int, set[int]] = {}
    for index, label in enumerate(labels):
        if label is not None:
            groups.setdefault(label, set()).add(index)
    return set(map(frozenset, groups.values()))


def merged(prints: Sequence[frozenset[int]], similarity: Fraction) -> Partition:
    """Section 3.3 word by word: merge two groups that are alike until there are none."""
    clusters = [{index} for index in range(len(prints))]
    alike = {
        (i, j)
        for i, j in combinations(range(len(prints)), 2)
        if Fraction(len(prints[i] & prints[j]), max(len(prints[i]), len(prints[j]))) >= similarity
    }
    while True:
        for a, b in combinations(clusters, 2):
            if any((min(i, j), max(i, j)) in alike for i in a for j in b):
                clusters = [one for one in clusters if one is not a and one is not b] + [a | b]
                break
        else:
            return set(map(frozenset, clusters))


@settings(deadline=None, max_examples=200)
@given(st.lists(PATHS, max_size=9), TWENTIETHS)
@example([frozenset({0, 1, 2, 3}), frozenset({0, 1, 2, 3, 4})], Fraction(4, 5))
def test_groups_are_merged_to_the_fixpoint_by_formula_3(
    prints: list[frozenset[int]], similarity: Fraction
) -> None:
    labels = UXClust(similarity=float(similarity)).merge(arrays(prints))
    assert partition(labels) == merged(prints, similarity)
    assert list(dict.fromkeys(labels)) == list(range(len(set(labels))))


@settings(deadline=None, max_examples=60)
@given(st.lists(PATHS, max_size=9), TWENTIETHS, st.data())
def test_the_order_of_the_groups_does_not_change_what_is_merged(
    prints: list[frozenset[int]], similarity: Fraction, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(prints))))
    method = UXClust(similarity=float(similarity))
    shuffled = method.merge(arrays(prints[i] for i in order))
    there = {frozenset(order[i] for i in one) for one in partition(shuffled)}
    assert there == partition(method.merge(arrays(prints)))


def fingerprint(sample: Sequence[frozenset[int]], occurrence: Fraction) -> frozenset[int]:
    """The paths on at least this share of the sample."""
    return frozenset(
        path
        for path in frozenset[int]().union(*sample)
        if Fraction(sum(path in page for page in sample), len(sample)) >= occurrence
    )


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(PATHS, st.none() | st.sampled_from("abcd")), max_size=14),
    st.integers(1, 4),
    st.integers(1, 6),
    TWENTIETHS,
    TWENTIETHS,
)
def test_pages_are_clustered_as_the_paper_says(
    pages: MakePages,
    features: MakeFeatures,
    site: list[tuple[frozenset[int], str | None]],
    cutoff: int,
    samples: int,
    occurrence: Fraction,
    similarity: Fraction,
) -> None:
    """Each step of section 3.3, one after the other."""
    locations = [location for _, location in site]
    groups = [
        [page for page, where in enumerate(locations) if where == location]
        for location in dict.fromkeys(locations)
        if location is not None
    ]
    groups = [group for group in groups if len(group) >= cutoff]
    prints = []
    for group in groups:
        count = min(samples, len(group))
        chosen = [group[k * len(group) // count] for k in range(count)]
        prints.append(fingerprint([site[page][0] for page in chosen], occurrence))
    expected = {
        frozenset(page for i in cluster for page in groups[i])
        for cluster in merged(prints, similarity)
    }
    method = UXClust(
        cutoff=cutoff,
        samples=samples,
        occurrence=float(occurrence),
        similarity=float(similarity),
    )
    found = method.cluster(pages([features(paths) for paths, _ in site], locations))
    templates = [given.template for given in found.assignments]
    assert partition(templates) == expected
    assert [t is None for t in templates] == [
        not any(page in group for group in groups) for page in range(len(site))
    ]
    # A new page is where its location leads to.
    nothing = Outline((), (), (), ())
    for page, location in enumerate(locations):
        arrival = Arrival(features=features(), outline=nothing, first_location=location)
        assert found.classifier.assign(arrival).template == templates[page]
    unknown = Arrival(features=features(), outline=nothing, first_location="elsewhere")
    assert found.classifier.assign(unknown).template is None


@pytest.mark.parametrize(("samples", "occurrence"), [(20, 0.55), (25, 0.28), (50, 0.14)])
def test_a_path_on_just_the_share_that_is_asked_for_counts(
    pages: MakePages, features: MakeFeatures, samples: int, occurrence: float
) -> None:
    """Such as 7 of 25 pages at 0.28; in floating point, 0.28 × 25 is a little more than 7."""
    needed = round(occurrence * samples)
    site = pages([features([ROOT, 7] if n < needed else [ROOT]) for n in range(samples)])
    method = UXClust(samples=samples, occurrence=occurrence)
    assert method.fingerprint(site, range(samples)).tolist() == [ROOT, 7]
    fewer = pages([features([ROOT, 7] if n < needed - 1 else [ROOT]) for n in range(samples)])
    assert method.fingerprint(fewer, range(samples)).tolist() == [ROOT]


@pytest.mark.parametrize(
    "parameters",
    [
        {"cutoff": 0},
        {"cutoff": -3},
        {"samples": 0},
        {"occurrence": -0.01},
        {"occurrence": 1.01},
        {"similarity": 80},
        {"similarity": float("nan")},
    ],
)
def test_wrong_parameters_are_refused_when_the_method_is_made(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(UsageError, match=name.replace("cutoff", "cut-off")):
        UXClust(**parameters)
