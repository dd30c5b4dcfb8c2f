from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.evidence import (
    BODY,
    LOCATION,
    POSITION,
    STRUCTURE,
    TAG_PATHS,
    URL,
    Evidence,
)
from tplcrawl.clustering.refinement import (
    DISTINCT,
    FEWEST,
    MUCH,
    SMALLEST,
    SMALLEST_ROOT,
    refined,
    unlike,
)
from tplcrawl.fingerprints.tag_paths import hash_set

Sets = Sequence[frozenset[int]]
SEEDS = st.integers(0, 10_000)


@dataclass
class Sample:
    """Pages as the kinds of sets that refinement looks at."""

    structure: list[frozenset[int]] = field(default_factory=list)
    url: list[frozenset[int]] = field(default_factory=list)
    location: list[frozenset[int]] = field(default_factory=list)
    position: list[frozenset[int]] = field(default_factory=list)
    tag_paths: list[frozenset[int]] = field(default_factory=list)
    """Those of the structure without classes; empty where they are all of it."""

    def add(
        self,
        structure: Iterable[int],
        url: Iterable[int] = (),
        location: Iterable[int] = (),
        position: Iterable[int] = (),
    ) -> None:
        self.structure.append(frozenset(structure))
        self.url.append(frozenset(url))
        self.location.append(frozenset(location))
        self.position.append(frozenset(position))

    def evidence(self) -> Mapping[str, Evidence]:
        return {
            kind: Evidence.of([hash_set(one) for one in sets])
            for kind, sets in (
                (STRUCTURE, self.structure),
                (TAG_PATHS, self.tag_paths or self.structure),
                (URL, self.url),
                (LOCATION, self.location),
                (POSITION, self.position),
                (BODY, [frozenset()] * len(self.structure)),
            )
        }


def common_of(sets: Sets) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """How many members every two pages have in common."""
    return np.array([[len(a & b) for b in sets] for a in sets], np.float32)


def naive_unlike(common: np.ndarray, one: Sequence[int], other: Sequence[int]) -> float:
    """The same with loops over pairs of different pages."""

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    a = mean([common[i, j] for i in one for j in one if i != j])
    b = mean([common[i, j] for i in other for j in other if i != j])
    c = mean([common[i, j] for i in one for j in other])
    if a + b < 1e-6:
        return 0.0
    whole = a + b - c
    return 1 - min(max(c / whole if whole > 1e-9 else 1.0, 0.0), 1.0)


def halves(flags: Sequence[bool]) -> tuple[list[int], list[int]]:
    return [i for i, f in enumerate(flags) if f], [i for i, f in enumerate(flags) if not f]


@given(
    st.lists(
        st.tuples(st.frozensets(st.integers(0, 9), max_size=7), st.lists(st.booleans(), min_size=3,
                                                                         max_size=3)),
        min_size=1, max_size=12,
    )
)  # fmt: skip
def test_how_unlike_two_sets_of_pages_are_is_what_loops_say(
    pages: list[tuple[frozenset[int], list[bool]]],
) -> None:
    common = common_of([sets for sets, _ in pages])
    flags = np.array([row for _, row in pages]).T
    found = unlike(common, flags, ~flags)
    expected = [naive_unlike(common, *halves(row)) for row in flags.tolist()]
    assert found == pytest.approx(expected, abs=1e-4)
    assert unlike(common, ~flags, flags) == pytest.approx(found, abs=1e-6)


@settings(max_examples=40)
@given(SEEDS, st.floats(0.05, 0.95))
def test_halves_of_one_varied_kind_are_not_unlike(seed: int, presence: float) -> None:
    """However seldom two pages show the same: no more than chance makes them, five times over."""
    chance = np.random.default_rng(seed)
    table = chance.random((240, 300)) < presence
    flags = (chance.random(240) < 0.5)[None, :]
    common = (table.astype(np.float32) @ table.T.astype(np.float32)).astype(np.float32)
    one = int(flags.sum())
    # The squared distance of the halves' means: 300 squares of a normal variable.
    spread = np.sqrt(2 * 300) * presence * (1 - presence) * (1 / one + 1 / (240 - one))
    noise = 5 * spread / (300 * presence**2)
    assert unlike(common, flags, ~flags)[0] == pytest.approx(0, abs=noise + 1e-4)


@settings(max_examples=40)
@given(SEEDS, st.integers(2, 20), st.integers(2, 20))
def test_kinds_that_share_nothing_are_wholly_unlike(seed: int, first: int, second: int) -> None:
    chance = np.random.default_rng(seed)
    sets = [frozenset({0, *chance.integers(1, 9, 5).tolist()}) for _ in range(first)]
    sets += [frozenset({10, *chance.integers(11, 19, 5).tolist()}) for _ in range(second)]
    flags = np.array([[i < first for i in range(first + second)]])
    assert unlike(common_of(sets), flags, ~flags)[0] == pytest.approx(1)


def two_templates(
    first: int,
    second: int,
    *,
    copies: bool = False,
    places: bool = True,
    own: Sequence[int] = (12, 12),
) -> Sample:
    """A cluster of two page types that a mark of their URLs tells apart; so many elements are each
    one's *own*. Pages of either have some content of their own, unless they are copies of one page.
    Pages of a third kind make what all pages of the cluster have say something."""
    made = Sample()
    for n in range(first + second):
        kind = int(n >= first)
        content = [] if copies else [1000 + n, 2000 + n % 7]
        here = 10 + kind if places else 10
        elements = range(100 * kind, 100 * kind + own[kind])
        made.add([*elements, *range(500, 512), *content], {kind}, {here}, {here})
    for n in range(first + second):
        made.add([*range(900, 912), 3000 + n], {7}, {77}, {77})
    return made


def sizes(sample: Sample, members: int, *merged: range) -> list[int]:
    """The sizes of the parts of a cluster of the first pages, that was *merged* from some."""
    clusters = [list(range(members)), list(range(members, len(sample.structure)))]
    parts = refined(clusters, sample.evidence(), merged)
    assert sorted(page for part in parts for page in part) == list(range(len(sample.structure)))
    return sorted(len(part) for part in parts if part[0] < members)


VARIANT = (12, 0)
"""One page type has all that the other has, and more."""


def test_two_templates_in_one_cluster_are_taken_apart() -> None:
    assert sizes(two_templates(30, 20), 50) == [20, 30]


def test_what_each_part_has_of_its_own_is_enough_be_they_copies_linked_from_one_place() -> None:
    """The views of one object: the revisions of a page and what links to it."""
    assert sizes(two_templates(30, 20, places=False), 50) == [20, 30]
    assert sizes(two_templates(30, 20, places=False, copies=True), 50) == [20, 30]


@pytest.mark.parametrize(("second", "split"), [(FEWEST, True), (FEWEST - 1, False)])
def test_few_pages_show_what_a_part_has_of_its_own(second: int, split: bool) -> None:
    parts = sizes(two_templates(60, second, places=False), 60 + second)
    assert parts == ([second, 60] if split else [60 + second])


def test_one_element_of_its_own_is_not_enough() -> None:
    assert sizes(two_templates(30, 20, places=False, own=(12, 1)), 50) == [50]


def test_a_button_in_the_place_of_another_is_a_variant() -> None:
    assert sizes(two_templates(30, 20, places=False, own=(2, 2)), 50) == [50]


def test_classes_alone_are_no_furniture() -> None:
    """Each section's own entry of a menu is the current one."""
    sample = two_templates(30, 20, places=False)
    sample.tag_paths = [frozenset(range(500, 512)) for _ in sample.structure]
    assert sizes(sample, 50) == [50]


def test_a_variant_is_taken_apart_only_if_links_to_it_stand_elsewhere() -> None:
    assert sizes(two_templates(30, 20, own=VARIANT), 50) == [20, 30]
    assert sizes(two_templates(30, 20, own=VARIANT, places=False), 50) == [50]


def test_looks_alone_do_not_take_a_cluster_apart() -> None:
    """Any two halves that were chosen for their looks differ."""
    sample = two_templates(30, 20, places=False)
    sample.url = [frozenset() for _ in sample.url]
    assert sizes(sample, 50) == [50]


def no_marks(sample: Sample) -> Sample:
    """The same pages, which nothing but their looks tells apart."""
    sample.url = [frozenset() for _ in sample.url]
    sample.location = sample.position = [frozenset({10}) for _ in sample.url]
    return sample


def test_what_was_merged_and_has_little_in_common_is_taken_apart_without_a_mark() -> None:
    """Jobs and cars, all at ``/ad/1234-words``, in the same lists."""
    sample = no_marks(two_templates(30, 20, places=False))
    assert sizes(sample, 50, range(30), range(30, 50)) == [20, 30]
    assert sizes(sample, 50, range(30, 50)) == [20, 30]
    assert sizes(sample, 50, range(20), range(20, 50)) == [50]


@pytest.mark.parametrize("own", [(2, 2), VARIANT, (12, MUCH - 1)])
def test_what_was_merged_and_is_a_variant_stays(own: tuple[int, int]) -> None:
    """Much in common, or nothing of its own in one of them."""
    sample = no_marks(two_templates(30, 20, places=False, own=own))
    assert sizes(sample, 50, range(30), range(30, 50)) == [50]


def test_parts_that_were_merged_must_be_large_enough_and_no_copies() -> None:
    few = no_marks(two_templates(40, SMALLEST - 1, places=False))
    assert sizes(few, 39 + SMALLEST, range(40)) == [39 + SMALLEST]
    copies = no_marks(two_templates(30, 20, places=False, copies=True))
    assert sizes(copies, 50, range(30)) == [50]


def test_a_little_more_in_one_part_needs_links_elsewhere_and_a_large_part() -> None:
    assert sizes(two_templates(30, 20, own=(3, 0)), 50) == [20, 30]
    assert sizes(two_templates(30, 20, own=(2, 0)), 50) == [50]
    assert sizes(two_templates(30, 20, own=(3, 0), places=False), 50) == [50]
    assert sizes(two_templates(300, 25, own=(3, 0)), 325) == [325]


def test_places_alone_do_not_take_a_cluster_apart() -> None:
    assert sizes(two_templates(30, 20, own=(0, 0)), 50) == [50]


def test_copies_of_few_pages_do_not_take_a_variant_apart() -> None:
    assert sizes(two_templates(30, 20, own=VARIANT, copies=True), 50) == [50]


def test_a_part_must_have_enough_pages_of_different_structure() -> None:
    """Copies do not count, however many they are."""
    for distinct, expected in ((DISTINCT, [20, 30]), (DISTINCT - 1, [50])):
        sample = two_templates(30, 20, own=VARIANT)
        for n in range(30, 50):
            sample.structure[n] = sample.structure[30 + n % distinct]
        assert sizes(sample, 50) == expected


@pytest.mark.parametrize(
    ("first", "second", "split"),
    [(SMALLEST, SMALLEST, True), (SMALLEST, SMALLEST - 1, False), (SMALLEST - 1, 40, False),
     (9, 40, True), (13, 120, False), (14, 120, True)],
)  # fmt: skip
def test_a_part_must_be_large_enough(first: int, second: int, split: bool) -> None:
    least = max(SMALLEST, SMALLEST_ROOT * (first + second) ** 0.5)
    assert (min(first, second) >= least) == split
    expected = sorted([first, second]) if split else [first + second]
    assert sizes(two_templates(first, second, own=VARIANT), first + second) == expected


def test_more_than_two_templates_are_taken_apart_one_by_one() -> None:
    sample = Sample()
    for n in range(80):
        kind = n % 4
        own = range(100 * kind, 100 * kind + 12)
        sample.add([*own, *range(500, 503), 2000 + n // 4 % 7], {kind}, {10 + kind}, {10 + kind})
    parts = refined([list(range(80))], sample.evidence())
    assert parts == [list(range(kind, 80, 4)) for kind in range(4)]


CLUSTERS = st.lists(st.integers(0, 3), min_size=1, max_size=60)


@settings(max_examples=60)
@given(CLUSTERS, SEEDS)
def test_what_comes_out_is_a_finer_partition_and_small_clusters_stay_whole(
    labels: list[int], seed: int
) -> None:
    chance = np.random.default_rng(seed)
    sample = Sample()
    for _ in labels:
        kind = int(chance.integers(0, 3))
        own = chance.choice(range(20 * kind, 20 * kind + 20), 12).tolist()
        sample.add(own, {kind, int(chance.integers(5, 9))}, {kind}, {int(chance.integers(0, 9))})
    clusters = [
        [i for i, one in enumerate(labels) if one == label] for label in sorted(set(labels))
    ]
    parts = refined(clusters, sample.evidence())
    assert sorted(page for part in parts for page in part) == list(range(len(labels)))
    assert parts == sorted(parts)
    assert all(part == sorted(part) for part in parts)
    for part in parts:
        (home,) = [cluster for cluster in clusters if set(part) <= set(cluster)]
        assert part == home or len(part) >= FEWEST
        if len(home) < 2 * FEWEST:
            assert part == home
    assert refined(clusters[::-1], sample.evidence()) == parts
