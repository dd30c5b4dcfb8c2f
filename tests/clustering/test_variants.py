from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.made_clusters import Sample, two_templates
from tplcrawl.clustering.evidence import Evidence
from tplcrawl.clustering.looks import DISTINCT
from tplcrawl.clustering.variants import EACH, FEWEST, SHARE, TOLD, reunited, told
from tplcrawl.fingerprints.tag_paths import hash_set

LIST = "list"


def parts(
    sample: Sample, sizes: Sequence[int], places: Sequence[str | None] | None = None
) -> list[int]:
    """The sizes of what becomes of clusters of so many pages, one after the other; all pages stand
    in one place unless *places* are given."""
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    clusters = [list(range(end - size, end)) for end, size in zip(ends, sizes, strict=True)]
    found = reunited(clusters, places or [LIST] * sum(sizes), sample.evidence())
    assert sorted(row for members in found for row in members) == list(range(sum(sizes)))
    assert found == sorted(map(sorted, found))
    return [len(members) for members in found]


def lists(
    short: int, long: int, *, url: bool = False, body: bool = False, places: bool = False
) -> Sample:
    """Pages of lists, of which the *long* ones have a pager; their URLs or the ``body`` may say
    so, or the
    entry of a menu that leads to them."""
    sample = two_templates(short, long, own=(0, 6), places=places)
    if not url:
        sample.url = [frozenset({n % 3}) for n in range(len(sample.url))]
    if body:
        sample.body = [frozenset({8 + (short <= n)}) for n in range(len(sample.url))]
    return sample


def test_lists_with_and_without_a_pager_that_one_menu_leads_to_are_one_template() -> None:
    assert parts(lists(20, 10), [20, 10]) == [30]


def test_each_with_something_of_its_own_is_no_variant() -> None:
    """A wiki's articles and categories stand in the same lists, under the same URLs."""
    sample = two_templates(20, 10, own=(4, 6))
    sample.url = [frozenset({n % 3}) for n in range(len(sample.url))]
    assert parts(sample, [20, 10]) == [20, 10]


def test_what_urls_or_the_body_tell_apart_stays_apart() -> None:
    """Topics and posts of a user, macros and primitive types of a library."""
    assert parts(lists(20, 10, url=True), [20, 10]) == [20, 10]
    assert parts(lists(20, 10, body=True), [20, 10]) == [20, 10]
    assert parts(lists(20, 10, places=True), [20, 10]) == [20, 10], "entries of a menu"


@pytest.mark.parametrize(
    ("here", "joined"),
    [(FEWEST, True), (FEWEST - 1, False)],
)
def test_pages_of_both_must_stand_in_one_place(here: int, joined: bool) -> None:
    """The rest of the larger one may stand where it likes, as pages 2, 3, … of lists do."""
    places = [LIST] * here + ["pager"] * (20 - here) + [LIST] * 10
    assert parts(lists(20, 10), [20, 10], places) == ([30] if joined else [20, 10])


@pytest.mark.parametrize(("share", "joined"), [(SHARE, True), (SHARE - 0.1, False)])
def test_one_of_them_must_stand_there_with_most_of_its_pages(share: float, joined: bool) -> None:
    here = round(20 * share)
    places = [LIST] * 10 + ["menu"] * 10 + [LIST] * here + ["other"] * (20 - here)
    assert parts(lists(20, 20), [20, 20], places) == ([40] if joined else [20, 20])


def test_saved_pages_stand_nowhere() -> None:
    assert parts(lists(20, 10), [20, 10], [None] * 30) == [20, 10]


def test_a_page_here_and_there_shows_no_common_place() -> None:
    places = [f"row {n // 2}" for n in range(20)] * 2
    assert EACH > 2
    assert parts(lists(20, 20), [20, 20], places) == [20, 20]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(2 * DISTINCT, 16), min_size=2, max_size=4), st.integers(0, 2))
def test_the_order_of_clusters_says_nothing(sizes: list[int], shift: int) -> None:
    """Variants of variants are joined, whichever comes first."""
    sample = Sample()
    for number, size in enumerate(sizes):
        for n in range(size):
            extra = range(100, 100 + 6 * (number + shift))
            sample.add([*range(500, 512), *extra, 1000 + 50 * number + n // 2], {n % 3}, {1}, {1})
    for n in range(40):
        sample.add([*range(900, 912), 3000 + n], {7}, {77}, {77})
    assert parts(sample, sizes) == [sum(sizes)]


@settings(deadline=None)
@given(st.lists(st.tuples(st.frozensets(st.integers(0, 5)), st.booleans()), min_size=3))
def test_a_mark_tells_as_far_as_it_correlates(pages: list[tuple[frozenset[int], bool]]) -> None:
    """Held against NumPy's coefficient, mark by mark."""
    evidence = Evidence.of([hash_set(marks) for marks, _ in pages])
    flags = np.array([flag for _, flag in pages])
    best = 0.0
    for mark in range(6):
        has = np.array([mark in marks for marks, _ in pages])
        # A single page's are no evidence.
        if has.sum() > 1 and len({*has}) == len({*flags}) == 2:
            best = max(best, abs(np.corrcoef(has, flags)[0, 1]))
    if abs(best - TOLD) > 1e-9:
        assert told(np.arange(len(pages)), flags, evidence) == (best >= TOLD)


@pytest.mark.parametrize("copies", [True, False])
def test_copies_of_a_page_are_an_excuse(copies: bool) -> None:
    """Catches block pages and soft 404s that were taken for articles without pictures, so that
    nobody was told; short articles are built otherwise each."""
    sample = Sample()
    for n in range(20):
        sample.add([1, 2, *range(100, 130), 1000 + n, 2000 + n % 7], {n % 3}, {5}, {5})
    for n in range(12):
        sample.add([1, 2] if copies else [1, 2, 500, 3000 + n // 2], {n % 3}, {5}, {5})
    for n in range(32):
        sample.add([1, *range(900, 912), 4000 + n], {7}, {77}, {77})
    assert parts(sample, [20, 12]) == ([20, 12] if copies else [32])
