"""Bunches against lists that are looked through from the first URL to the last."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.planning.bunches import Bunches

PLACES = st.tuples(st.integers(1, 3), st.integers(1, 3), st.sampled_from("ab"))
"""The location, source and build of a URL."""


def bunches_of(
    places: list[tuple[int, int, str]], expect: Callable[[int], int | None], doubt: float = 0.1
) -> tuple[Bunches, dict[int, int]]:
    templates = {1: 7, 2: 7, 3: 8}
    bunches = Bunches(lambda source: templates.get(source or 0), lambda id_: (expect(id_), doubt))
    for id_, (location, source, shape) in enumerate(places, 1):
        bunches.add(id_, location, source, shape)
    return bunches, templates


@given(st.lists(PLACES, min_size=1), st.lists(st.booleans(), max_size=10))
def test_every_url_comes_out_once_and_in_order_where_all_are_of_one_kind(
    places: list[tuple[int, int, str]], renewals: list[bool]
) -> None:
    bunches, templates = bunches_of(places, lambda _: 1)
    renewals = [*renewals, *[False] * len(places)]
    taken = []
    for renew in renewals[: len(places)]:
        if renew:
            templates[2] = 15 - templates[2]
            bunches.renew()
        assert list(bunches.kinds()) == [1]
        found = bunches.first(1)
        assert found is not None
        taken.append(bunches.pop(found)[0])
    assert sorted(taken) == list(range(1, len(places) + 1))
    assert not list(bunches.kinds())
    if not any(renewals):
        assert taken == sorted(taken)


@given(st.lists(PLACES, min_size=1, max_size=60), st.integers(0, 59))
def test_what_is_put_aside_waits_for_another_kind(
    places: list[tuple[int, int, str]], number: int
) -> None:
    bunches, _ = bunches_of(places, lambda _: 1)
    list(bunches.kinds())
    for _ in range(min(number, len(places) - 1)):
        one = bunches.first(1)
        assert one is not None
        bunches.pop(one)
    found = bunches.first(1)
    assert found is not None
    id_, source = bunches.pop(found)
    bunches.aside(found, id_, source, (2, 0.1))
    assert 2 in list(bunches.kinds())
    other = bunches.first(2)
    assert other is not None
    assert bunches.pop(other) == (id_, source)


def test_many_that_are_unlike_their_bunch_make_all_unlike() -> None:
    bunches, _ = bunches_of([(1, 1, "a")] * 100, lambda _: 1)
    list(bunches.kinds())
    asked = 0
    while (found := bunches.first(1)) is not None:
        id_, source = bunches.pop(found)
        bunches.aside(found, id_, source, (2, 0.1))
        asked += 1
    assert asked < 50
    assert sorted(bunches.waiting()) == [(id_, 2) for id_ in range(1, 101)]


def test_what_nothing_was_expected_of_is_asked_again_when_its_corner_is_explored() -> None:
    answers: list[int | None] = [None]
    bunches, _ = bunches_of([(1, 1, "a"), (1, 1, "b"), (2, 1, "a")], lambda _: answers[-1])
    assert list(bunches.kinds()) == [None]
    answers.append(4)
    bunches.explored((1, 7))
    assert set(bunches.kinds()) == {None, 4}
    assert sorted(bunches.waiting()) == [(1, 4), (2, 4), (3, None)]


def test_what_is_least_known_is_tried_first_and_less_after_each_try() -> None:
    """Else one bunch that is never sure would take all tries."""
    doubts = {1: 0.5, 2: 0.5, 3: 0.4, 4: 0.02}
    bunches = Bunches(lambda source: source, lambda id_: (1, doubts[(id_ - 1) % 4 + 1]))
    for id_ in range(1, 17):
        bunches.add(id_, (id_ - 1) % 4 + 1, None, ("form",))
    list(bunches.kinds())
    tried = []
    while (found := bunches.doubtful(0.05, [1], lambda _: True)) is not None and len(tried) < 20:
        tried.append(bunches.pop(found)[0])
        bunches.tried(found)
    assert tried[:3] == [1, 2, 3]
    assert sorted(tried[3:6]) == [5, 6, 7]
    assert len(tried) == 12, "all but those that are known"


def test_a_doubt_that_others_have_answered_is_none_any_more() -> None:
    doubts = {1: 0.6, 2: 0.5, 3: 0.4}
    bunches = Bunches(lambda source: source, lambda id_: (1, doubts[id_]))
    for id_ in doubts:
        bunches.add(id_, id_, None, ("form",))
    list(bunches.kinds())
    doubts.update({1: 0.01, 2: 0.01})
    found = bunches.doubtful(0.05, [1], lambda _: True)
    assert found is not None
    assert found.first == 3
    assert bunches.doubtful(0.05, [1], lambda bunch: bunch.first != 3) is None
