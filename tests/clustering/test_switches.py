from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.made_clusters import Sample
from tplcrawl.clustering.evidence import STRUCTURE
from tplcrawl.clustering.switches import switched

PAGES = st.lists(st.frozensets(st.integers(0, 7)), min_size=1, max_size=14)


def by_hand(pages: list[frozenset[int]], least: int) -> set[tuple[bool, ...]]:
    """The pages that have one element, where all others, and only they, have another."""
    found = set()
    for one in range(8):
        has = [one in page for page in pages]
        for other in range(8):
            either = all((other in page) != mine for page, mine in zip(pages, has, strict=True))
            if either and has[0] and least <= sum(has) <= len(pages) - least:
                found.add(tuple(has))
    return found


@given(PAGES, PAGES, st.integers(1, 4))
def test_two_elements_part_pages_of_which_each_has_one(
    pages: list[frozenset[int]], others: list[frozenset[int]], least: int
) -> None:
    """What other pages have does not matter. (Everything is there twice, as what one page alone
    has is not looked at.)"""
    sample = Sample()
    for page in [*pages, *others] * 2:
        sample.add(page)
    members = [*range(len(pages)), *range(len(pages) + len(others), 2 * len(pages) + len(others))]
    found = switched(np.array(members), sample.evidence()[STRUCTURE], 2 * least)
    assert {tuple(row) for row in found.tolist()} == {2 * one for one in by_hand(pages, least)}
    assert len(found) == len(by_hand(pages, least))


def test_an_element_that_the_others_lack_is_no_switch() -> None:
    sample = Sample()
    for n in range(20):
        sample.add({1, 2} if n < 10 else {2})
    assert switched(np.arange(20), sample.evidence()[STRUCTURE], 1).shape == (0, 20)
