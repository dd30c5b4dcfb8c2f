"""The oracle against every set of hubs that there is."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.evaluation.oracle import oracle

PAGES = range(8)
GRAPHS = st.dictionaries(st.sampled_from(PAGES), st.lists(st.sampled_from(PAGES), max_size=4))


def reach(links: dict[int, list[int]], among: set[int]) -> set[int]:
    """The pages of *among* that can be walked to from page 0 over pages of *among*."""
    seen, waiting = {0}, [0]
    while waiting:
        for page in links.get(waiting.pop(), ()):
            if page in among and page not in seen:
                seen.add(page)
                waiting.append(page)
    return seen


@given(GRAPHS, st.sets(st.sampled_from(PAGES)))
def test_it_has_all_that_can_be_reached_and_walks_from_link_to_link(
    links: dict[int, list[int]], wanted: set[int]
) -> None:
    fetched = oracle(links, [0], wanted)
    assert reach(links, fetched) == fetched
    assert fetched & wanted == reach(links, set(PAGES)) & wanted


@given(GRAPHS, st.sets(st.sampled_from(PAGES)))
def test_it_is_at_most_twice_as_many_hubs_as_the_fewest(
    links: dict[int, list[int]], wanted: set[int]
) -> None:
    possible = reach(links, set(PAGES)) & wanted
    others = [page for page in PAGES if page not in wanted]
    fewest = next(
        size
        for size in range(len(others) + 1)
        for hubs in combinations(others, size)
        if possible <= reach(links, {0, *wanted, *hubs})
    )
    spent = len(oracle(links, [0], wanted) - wanted - {0})
    assert spent <= 2 * fewest + 1
