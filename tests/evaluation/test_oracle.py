"""The oracle against every set of hubs that there is."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.evaluation.oracle import informed, oracle

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


@given(GRAPHS, st.sets(st.sampled_from(PAGES)), st.lists(st.sampled_from("abc"), min_size=8))
def test_one_that_knows_no_links_has_the_same_pages_and_walks_from_link_to_link(
    links: dict[int, list[int]], wanted: set[int], kinds: list[str]
) -> None:
    fetched = informed(links, [0], wanted, dict(zip(PAGES, kinds, strict=False)))
    assert len(fetched) == len(set(fetched))
    assert not fetched or reach(links, set(fetched)) == set(fetched)
    assert set(fetched) & wanted == reach(links, set(PAGES)) & wanted
    assert not fetched or fetched[-1] in wanted


def test_one_that_knows_no_links_cannot_tell_the_lists_that_show_something() -> None:
    lists = list(range(1, 11))
    links = {0: lists, 10: [11]}
    kinds = {0: "home", **dict.fromkeys(lists, "list"), 11: "page"}
    assert oracle(links, [0], [11]) == {0, 10, 11}
    assert informed(links, [0], [11], kinds) == [0, *lists, 11]


def test_one_that_knows_templates_walks_the_lists_of_lists_before_what_shows_nothing() -> None:
    links = {0: [1, 2, 3, 4], 4: [5], 5: [6]}
    kinds = {0: "home", 1: "other", 2: "other", 3: "other", 4: "lists", 5: "list", 6: "page"}
    assert informed(links, [0], [6], kinds) == [0, 4, 5, 6]
