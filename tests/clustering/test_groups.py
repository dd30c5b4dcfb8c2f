from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.groups import effective_cutoff, groups_by_location


@given(st.lists(st.none() | st.sampled_from(["a", "b", ("a", "1.2"), 0])))
def test_a_group_is_all_the_pages_of_a_location(locations: list[object]) -> None:
    groups = groups_by_location(locations)
    assert sorted(page for group in groups for page in group) == [
        page for page, location in enumerate(locations) if location is not None
    ]
    assert groups == sorted(groups)
    kinds = [{locations[page] for page in group} for group in groups]
    assert all(len(kind) == 1 for kind in kinds)
    assert len({kind.pop() for kind in kinds}) == len(groups)


def test_a_cutoff_that_was_given_counts_whatever_the_size() -> None:
    assert effective_cutoff(1, 10**6) == 1
    assert effective_cutoff(100, 5) == 100


@pytest.mark.parametrize(
    ("pages", "cutoff"), [(0, 3), (1, 3), (2677, 3), (2678, 4), (76_503, 100), (765_030, 1000)]
)
def test_the_papers_cutoff_grows_with_the_site(pages: int, cutoff: int) -> None:
    """100 of 76,503 pages (section 4.2), and never less than 3."""
    assert effective_cutoff(None, pages) == cutoff


@given(st.integers(0, 10**7))
def test_the_cutoff_never_falls_as_the_crawl_grows(pages: int) -> None:
    assert effective_cutoff(None, pages) <= effective_cutoff(None, pages + 1)
