from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.sampling import spread, stratified

STRATA = st.lists(st.sampled_from([None, "a", "b", ("c", 1), 4, 5]), max_size=40)


def names_of(strata: list[Hashable]) -> list[str]:
    return [f"http://a.com/{number}\ud800" for number in range(len(strata))]


def level(sizes: list[int], most: int) -> list[int]:
    """How many of each of *sizes* are taken when they are handed out one by one, in turns."""
    taken = [0] * len(sizes)
    while sum(taken) < most:
        open_ = [i for i, size in enumerate(sizes) if taken[i] < size]
        if not open_:
            break
        taken[min(open_, key=lambda i: taken[i])] += 1
    return taken


@settings(deadline=None, max_examples=200)
@given(STRATA, st.integers(0, 30))
def test_every_stratum_is_seen_and_large_ones_alike(strata: list[Hashable], most: int) -> None:
    chosen = stratified(strata, names_of(strata), most)
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(most, len(strata))
    assert all(0 <= index < len(strata) for index in chosen)
    sizes = Counter(strata)
    found = Counter(strata[index] for index in chosen)
    if most >= len(sizes):
        assert set(found) == set(sizes)
    assert sorted(found.values()) == sorted(t for t in level(list(sizes.values()), most) if t)
    assert stratified(strata, names_of(strata), most) == chosen


@settings(deadline=None, max_examples=100)
@given(STRATA, st.integers(0, 30), st.data())
def test_what_is_chosen_of_a_large_stratum_goes_by_its_name(
    strata: list[Hashable], most: int, data: st.DataObject
) -> None:
    """As many in any order; and of each stratum the same ones, where its share is the same."""
    names = names_of(strata)
    order = data.draw(st.permutations(range(len(strata))))
    chosen = {names[i] for i in stratified(strata, names, most)}
    again = stratified([strata[i] for i in order], [names[i] for i in order], most)
    others = {names[order[i]] for i in again}
    for stratum in set(strata):
        own = {names[i] for i, one in enumerate(strata) if one == stratum}
        one, other = chosen & own, others & own
        assert one <= other or other <= one


@given(st.lists(st.integers(), unique=True, max_size=60), st.integers(1, 20))
def test_a_spread_keeps_order_begins_with_the_first_and_leaves_even_gaps(
    members: list[int], most: int
) -> None:
    chosen = spread(members, most)
    places = [members.index(one) for one in chosen]
    assert places == sorted(set(places))
    assert len(chosen) == min(most, len(members))
    if members:
        assert places[0] == 0
        gaps = {b - a for a, b in zip(places, [*places[1:], len(members)], strict=True)}
        assert max(gaps) - min(gaps) <= 1
