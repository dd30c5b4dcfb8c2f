from __future__ import annotations

import pytest

from tests.made_clusters import Sample, two_templates
from tplcrawl.clustering.evidence import STRUCTURE
from tplcrawl.clustering.refinement import refined
from tplcrawl.clustering.unmerging import FEW, MUCH, PART, SOME, Merges

Merge = tuple[range, range]


def no_marks(sample: Sample) -> Sample:
    """The same pages, which nothing but their looks tells apart."""
    sample.url = [frozenset() for _ in sample.url]
    sample.location = sample.position = [frozenset({10}) for _ in sample.url]
    return sample


def parts(sample: Sample, members: int, *merged: Merge) -> list[list[int]]:
    """The parts of a cluster of the first pages, which were *merged* so."""
    evidence = sample.evidence()
    clusters = [list(range(members)), list(range(members, len(sample.structure)))]
    found = refined(clusters, evidence, Merges(merged, evidence[STRUCTURE].similarities()))
    assert sorted(page for part in found for page in part) == list(range(len(sample.structure)))
    return [part for part in found if part[0] < members]


def sizes(sample: Sample, members: int, *merged: Merge) -> list[int]:
    return sorted(map(len, parts(sample, members, *merged)))


def test_what_was_merged_and_has_little_in_common_is_taken_apart_without_a_mark() -> None:
    """Jobs and cars, all at ``/ad/1234-words``, in the same lists."""
    sample = no_marks(two_templates(30, 20, places=False))
    assert sizes(sample, 50, (range(30), range(30, 50))) == [20, 30]
    assert sizes(sample, 50) == [50]
    assert sizes(sample, 50, (range(20), range(20, 50))) == [50]


@pytest.mark.parametrize("own", [(12, SOME), (12, MUCH - 1)])
def test_where_half_of_all_differs_a_few_parts_of_its_own_make_a_template(
    own: tuple[int, int],
) -> None:
    """A story of a picture and text, and a recipe of many parts, at the root of a site. Catches
    that the one with less decides alone."""
    sample = no_marks(two_templates(30, 20, places=False, own=own))
    assert sizes(sample, 50, (range(30), range(30, 50))) == [20, 30]


VARIANTS = [(2, 2), (12, 0), (12, SOME - 1), (MUCH, SOME), (MUCH - 1, MUCH - 1)]


@pytest.mark.parametrize("own", VARIANTS)
def test_what_was_merged_and_is_a_variant_stays(own: tuple[int, int]) -> None:
    """Much in common, or nothing of its own in one of them."""
    sample = no_marks(two_templates(30, 20, places=False, own=own))
    assert sizes(sample, 50, (range(30), range(30, 50))) == [50]


@pytest.mark.parametrize(
    ("one", "other", "split"),
    [(FEW, FEW, True), (FEW, FEW - 1, False), (40, PART - 1, False), (200, PART, True)],
)
def test_the_oddest_few_of_many_are_no_template(one: int, other: int, split: bool) -> None:
    sample = no_marks(two_templates(one, other, places=False))
    found = sizes(sample, one + other, (range(one), range(one, one + other)))
    assert found == (sorted([one, other]) if split else [one + other])


def test_copies_of_a_page_are_no_template() -> None:
    sample = no_marks(two_templates(30, 20, places=False, copies=True))
    assert sizes(sample, 50, (range(30), range(30, 50))) == [50]


def three_templates() -> Sample:
    """Articles, videos and galleries at ``/a/1234``: 20 pages each, then what is no such page."""
    sample = Sample()
    for n in range(60):
        kind = n // 20
        sample.add([*range(100 * kind, 100 * kind + 12), *range(500, 506), 1000 + n, 2000 + n % 7])
    for n in range(60):
        sample.add([*range(900, 912), 3000 + n])
    return no_marks(sample)


def test_each_part_is_held_against_the_one_that_it_was_merged_with() -> None:
    """None of three has what neither of the others has not."""
    whole = (range(40), range(40, 60))
    assert sizes(three_templates(), 60, whole) == [60]
    assert sizes(three_templates(), 60, (range(20), range(20, 40)), whole) == [20, 20, 20]


def test_what_was_merged_later_goes_with_what_it_is_more_like() -> None:
    sample = no_marks(two_templates(34, 23, places=False))
    one, other = [*range(30)], [*range(34, 54)]
    evidence = sample.evidence()
    steps = [(one, other), (sorted(one + other), [*range(30, 34)])]
    steps.append(([*range(54, 57)], sorted([*steps[1][0], *steps[1][1]])))
    merges = Merges(steps, evidence[STRUCTURE].similarities())
    clusters = [list(range(57)), list(range(57, len(sample.structure)))]
    found = refined(clusters, evidence, merges)
    assert found[:2] == [list(range(34)), list(range(34, 57))]
