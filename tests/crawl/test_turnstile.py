from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.crawl.turnstile import Turnstile


def ask(turnstile: Turnstile, id_: int, passed: list[int]) -> None:
    turnstile.turn(id_).addCallback(lambda _: passed.append(id_))


def test_the_first_passes_at_once_and_the_second_when_it_has_left() -> None:
    turnstile, passed = Turnstile(), list[int]()
    turnstile.enter(7)
    turnstile.enter(3)
    ask(turnstile, 3, passed)
    assert passed == []
    ask(turnstile, 7, passed)
    assert passed == [7]
    turnstile.leave(7)
    assert passed == [7, 3]


def test_who_never_comes_holds_up_nobody_once_it_has_left() -> None:
    turnstile, passed = Turnstile(), list[int]()
    for id_ in (1, 2, 3, 4):
        turnstile.enter(id_)
    ask(turnstile, 4, passed)
    turnstile.leave(2)
    turnstile.leave(1)
    assert passed == []
    turnstile.leave(3)
    assert passed == [4]


def test_leaving_twice_or_without_having_entered_does_nothing() -> None:
    turnstile, passed = Turnstile(), list[int]()
    turnstile.enter(1)
    turnstile.enter(2)
    ask(turnstile, 2, passed)
    turnstile.leave(9)
    assert len(turnstile) == 2
    turnstile.leave(1)
    turnstile.leave(1)
    assert passed == [2]
    assert len(turnstile) == 1


def test_it_knows_who_is_inside_and_who_of_them_does_not_wait() -> None:
    turnstile, passed = Turnstile(), list[int]()
    for id_ in (5, 6, 7):
        turnstile.enter(id_)
    ask(turnstile, 6, passed)
    assert [id_ in turnstile for id_ in (5, 6, 7, 8)] == [True, True, True, False]
    assert turnstile.abandoned() == [5, 7]
    turnstile.leave(5)
    assert 5 not in turnstile
    assert turnstile.abandoned() == [6, 7], "6 has had its turn and does not wait any more"


def test_an_id_may_enter_again_after_it_has_left() -> None:
    turnstile, passed = Turnstile(), list[int]()
    turnstile.enter(1)
    turnstile.leave(1)
    turnstile.enter(2)
    turnstile.enter(1)
    ask(turnstile, 1, passed)
    assert passed == []
    turnstile.leave(2)
    assert passed == [1]


def test_leaving_inside_of_a_turn_lets_all_that_wait_through_in_order() -> None:
    turnstile, passed = Turnstile(), list[int]()
    for id_ in range(5):
        turnstile.enter(id_)

    def through(_: Any, id_: int) -> None:
        passed.append(id_)
        turnstile.leave(id_)

    for id_ in (4, 2, 3, 1, 0):
        turnstile.turn(id_).addCallback(through, id_)
    assert passed == [0, 1, 2, 3, 4]
    assert len(turnstile) == 0


def test_a_place_is_given_to_another_who_goes_before_all_that_wait() -> None:
    turnstile, passed = Turnstile(), list[int]()
    for id_ in (1, 2, 3):
        turnstile.enter(id_)
    for id_ in (2, 3, 1):
        ask(turnstile, id_, passed)
    turnstile.give_place(1, 9)
    assert passed == [1]
    assert [id_ in turnstile for id_ in (1, 9)] == [False, True]
    ask(turnstile, 9, passed)
    turnstile.leave(9)
    assert passed == [1, 9, 2]
    turnstile.give_place(2, 2)
    assert 2 in turnstile
    turnstile.leave(2)
    assert passed == [1, 9, 2, 3]


def test_what_is_done_meanwhile_is_done_before_the_next_one_has_its_turn() -> None:
    turnstile, passed = Turnstile(), list[int]()
    turnstile.enter(1)
    turnstile.enter(2)
    ask(turnstile, 2, passed)

    def meanwhile() -> None:
        assert len(turnstile) == 1
        passed.append(0)

    turnstile.leave(1, meanwhile)
    assert passed == [0, 2]


@given(
    st.lists(st.tuples(st.sampled_from(["enter", "ask", "leave"]), st.integers(0, 30)), max_size=90)
)
def test_the_order_of_passing_is_the_order_of_entering(steps: list[tuple[str, int]]) -> None:
    turnstile, passed = Turnstile(), list[int]()
    entered: list[int] = []
    asked: set[int] = set()
    left: set[int] = set()

    def check() -> None:
        inside = [id_ for id_ in entered if id_ not in left]
        assert len(turnstile) == len(inside)
        # Whoever asked has passed as soon as nobody before it is inside, and no sooner.
        first = inside[:1]
        assert passed == sorted(passed, key=entered.index)
        assert all(id_ in left or [id_] == first for id_ in passed)
        assert all(id_ in passed for id_ in first if id_ in asked)

    for step, number in steps:
        inside = [id_ for id_ in entered if id_ not in left]
        if step == "enter" and number not in entered:
            entered.append(number)
            turnstile.enter(number)
        elif step == "ask" and (free := [id_ for id_ in inside if id_ not in asked]):
            id_ = free[number % len(free)]
            asked.add(id_)
            ask(turnstile, id_, passed)
        elif step == "leave" and inside:
            id_ = inside[number % len(inside)]
            left.add(id_)
            turnstile.leave(id_)
        check()
    for id_ in reversed([id_ for id_ in entered if id_ not in left | asked]):
        asked.add(id_)
        ask(turnstile, id_, passed)
        check()
    for id_ in [id_ for id_ in entered if id_ not in left]:
        assert passed[-1] == id_
        left.add(id_)
        turnstile.leave(id_)
        check()
    assert len(turnstile) == 0
    assert set(passed) >= asked - left
