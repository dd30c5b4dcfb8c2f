from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.made_clusters import Sample, two_templates
from tplcrawl.clustering.evidence import STRUCTURE
from tplcrawl.clustering.looks import DISTINCT
from tplcrawl.clustering.refinement import FEWEST, SMALLEST, SMALLEST_ROOT, refined
from tplcrawl.clustering.unmerging import Merges

SEEDS = st.integers(0, 10_000)


def apart(clusters: Sequence[Sequence[int]], sample: Sample) -> list[list[int]]:
    """The parts of *clusters* that nothing is known to have been merged from."""
    evidence = sample.evidence()
    return refined(clusters, evidence, Merges((), evidence[STRUCTURE].similarities()))


def sizes(sample: Sample, members: int) -> list[int]:
    """The sizes of the parts of a cluster of the first pages."""
    clusters = [list(range(members)), list(range(members, len(sample.structure)))]
    parts = apart(clusters, sample)
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


def with_headings(first: int, second: int, *, apart: bool, own: int = 12) -> Sample:
    """Two page types without any mark. Each page is linked from two of three lists, of which two
    lead to either type: other ones, where the types are *apart* in this."""
    sample = two_templates(first, second, own=(own, own))
    for n in range(first + second):
        lists = 10 + (n >= first) * apart + np.array([n % 2, n // 2 % 2 + 3])
        sample.url[n] = frozenset()
        sample.location[n] = sample.position[n] = frozenset(lists.tolist())
    return sample


def test_headings_of_which_each_page_has_one_take_pages_apart_that_stand_elsewhere() -> None:
    """Catches that the modules and the classes of a reference are one template: nothing but a
    heading and a table of its own tells each, and both are linked from the same lists now and
    then."""
    assert sizes(with_headings(30, 20, apart=True), 50) == [20, 30]
    assert sizes(with_headings(30, 20, apart=False), 50) == [50]
    assert sizes(with_headings(30, 20, apart=True, own=2), 50) == [50]
    assert sizes(with_headings(30, SMALLEST - 1, apart=True), 30 + SMALLEST - 1) == [37]


def test_a_little_more_in_one_part_needs_links_elsewhere_and_a_large_part() -> None:
    assert sizes(two_templates(30, 20, own=(3, 0)), 50) == [20, 30]
    assert sizes(two_templates(30, 20, own=(2, 0)), 50) == [50]
    assert sizes(two_templates(30, 20, own=(3, 0), places=False), 50) == [50]
    assert sizes(two_templates(300, 25, own=(3, 0)), 325) == [325]


def test_a_variant_stays_one_where_links_to_it_stand_elsewhere() -> None:
    """Catches that a list of what has a tag is taken apart from the list of all: a few elements of
    each stand in the place of the other's, and only lists of tags lead there."""
    for own, expected in (((3, 2), [50]), ((3, 0), [20, 30])):
        sample = two_templates(30, 20, own=own, rows=True)
        sample.structure[:50] = [one | set(range(600, 620)) for one in sample.structure[:50]]
        assert sizes(sample, 50) == expected


def test_a_place_is_no_witness_of_its_own() -> None:
    """Pages that one list leads to have something that others lack, and no mark but that list."""
    sample = two_templates(30, 20, own=(3, 0))
    sample.url = [frozenset() for _ in sample.url]
    assert sizes(sample, 50) == [50]


def test_a_class_of_the_body_and_a_word_of_urls_that_go_together_are_two_witnesses() -> None:
    """As ``struct`` is in a reference; not quite the same pages have both."""
    sample = two_templates(30, 20, own=(2, 1))
    classes = [frozenset({int(n < 28)}) for n in range(100)]
    assert sizes(sample, 50) == [50]
    sample.body = classes
    assert sizes(sample, 50) in ([20, 30], [22, 28])
    sample.url = [frozenset() for _ in sample.url]
    assert sizes(sample, 50) == [50]


def test_places_alone_do_not_take_a_cluster_apart() -> None:
    assert sizes(two_templates(30, 20, own=(0, 0)), 50) == [50]


def test_copies_of_few_pages_do_not_take_a_variant_apart() -> None:
    assert sizes(two_templates(30, 20, own=VARIANT, copies=True, rows=True), 50) == [50]


@pytest.mark.parametrize(("own", "split"), [(12, False), (40, True)])
def test_pages_of_next_to_no_markup_are_no_copies_where_most_of_them_differs(
    own: int, split: bool
) -> None:
    """Catches that the mails of an archive and its threads, which share a heading, are one page
    type since nearly all mails show the same five elements."""
    sample = two_templates(30, 20, own=(own, 0), copies=True)
    sample.position = [frozenset({1000 + n}) for n in range(len(sample.position))]
    for page in range(0, 50, 2):
        sample.structure[page] |= {4000}
    assert sizes(sample, 50) == ([20, 30] if split else [50])


def test_copies_that_entries_of_a_menu_lead_to_are_two_templates() -> None:
    """Catches that forms to log in and to sign up, one of each for every page that leads there, are
    taken for copies of one page with and without a few fields."""
    assert sizes(two_templates(30, 20, own=(0, 3), copies=True), 50) == [20, 30]
    assert sizes(two_templates(30, 20, own=(0, 2), copies=True), 50) == [50]


def test_tabs_of_a_page_need_little_of_their_own() -> None:
    """Catches that the source of a page and what is known of it are taken for variants, since both
    are the same but for a table in the place of another."""
    assert sizes(two_templates(30, 20, own=(2, 2), copies=True), 50) == [20, 30]
    assert sizes(two_templates(30, 20, own=(2, 2), copies=True, rows=True), 50) == [50]
    assert sizes(two_templates(30, 20, own=(2, 1), copies=True), 50) == [50]


def test_a_part_must_have_enough_pages_of_different_structure() -> None:
    """Copies do not count, however many they are."""
    for distinct, expected in ((DISTINCT, [20, 30]), (DISTINCT - 1, [50])):
        sample = two_templates(30, 20, own=VARIANT, rows=True)
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
    parts = apart([list(range(80))], sample)
    assert parts == [list(range(kind, 80, 4)) for kind in range(4)]


def test_entries_of_a_menu_are_held_against_each_other() -> None:
    """Catches that three tabs of one page stay together: what two of them have, the third has."""
    sample = Sample()
    for n in range(60):
        kind = n % 3
        own = [100 * one + part for one in (kind, (kind + 1) % 3) for part in range(3)]
        sample.add([*own, *range(500, 530)], {kind}, {10}, {20 + kind})
    for _ in range(60):
        sample.add([*range(900, 912)], {7}, {77}, {77})
    parts = apart([list(range(60)), list(range(60, 120))], sample)
    assert parts == [*(list(range(kind, 60, 3)) for kind in range(3)), list(range(60, 120))]


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
    parts = apart(clusters, sample)
    assert sorted(page for part in parts for page in part) == list(range(len(labels)))
    assert parts == sorted(parts)
    assert all(part == sorted(part) for part in parts)
    for part in parts:
        (home,) = [cluster for cluster in clusters if set(part) <= set(cluster)]
        assert part == home or len(part) >= FEWEST
        if len(home) < 2 * FEWEST:
            assert part == home
    assert apart(clusters[::-1], sample) == parts
