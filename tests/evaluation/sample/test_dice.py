from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.evaluation.sample.dice import Dice


@given(st.integers(), st.integers(1, 1000), st.integers(0, 1000))
def test_rolls_stay_in_their_bounds_and_come_again(seed: int, sides: int, low: int) -> None:
    dice, again = Dice(seed, "a", 1), Dice(seed, "a", 1)
    for _ in range(20):
        roll = dice.roll(sides)
        assert 0 <= roll < sides
        assert again.roll(sides) == roll
        between = dice.between(low, low + sides)
        assert low <= between <= low + sides
        assert again.between(low, low + sides) == between


def test_all_sides_come_about_equally_often() -> None:
    dice = Dice(1)
    counts = Counter(dice.roll(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())
    assert {Dice(n).between(3, 4) for n in range(30)} == {3, 4}
    assert 200 < sum(Dice(2, n).chance(30) for n in range(1000)) < 400


def test_each_thing_has_dice_of_its_own() -> None:
    names: list[tuple[object, ...]] = [("a",), ("b",), ("a", 1), ("a", "1"), ()]
    rolls = {tuple(Dice(1, *name).roll(1000) for _ in range(3)) for name in names}
    assert len(rolls) == len(names)
    dice = Dice(1)
    assert len({dice.roll(2**60) for _ in range(300)}) == 300


def test_texts_are_as_long_as_asked_for() -> None:
    dice = Dice(7)
    for count in range(1, 10):
        assert len(dice.words(count).split()) == count
        title = dice.title(count)
        assert title == title.title()
    for paragraphs in (dice.paragraphs(2, 4) for _ in range(20)):
        assert 2 <= len(paragraphs) <= 4
        assert all(one[0].isupper() and one.endswith(".") for one in paragraphs)
