from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.saturation import Saturation, chao1, good_turing

COUNTS = st.lists(st.integers(1, 40), min_size=1, max_size=30)


@given(COUNTS)
def test_an_interval_holds_its_estimate_and_never_less_than_what_was_met(counts: list[int]) -> None:
    guess = chao1(counts)
    assert len(counts) <= guess.low <= guess.high
    assert guess.low <= guess.estimate + 1e-9
    assert guess.estimate <= guess.high + 1e-9
    assert math.isfinite(guess.high)
    assert 0 <= good_turing(counts) <= 1


def test_estimates_by_hand() -> None:
    """Five species of one individual and two of two: 7 + (8/9)·5·4 / (2·3)."""
    assert chao1([1] * 5 + [2] * 2).estimate == pytest.approx(7 + (8 / 9) * 20 / 6)
    assert good_turing([1] * 5 + [2] * 2) == pytest.approx(5 / 9)
    assert good_turing([]) == 1.0
    assert chao1([]).high == math.inf


@pytest.mark.parametrize("shares", [[0.3, 0.3, 0.2, 0.1, 0.06, 0.04], [0.1] * 10, [0.05] * 20])
def test_the_interval_covers_the_truth_in_nine_of_ten_samples(shares: list[float]) -> None:
    dice = random.Random(1)
    covered = 0
    for _ in range(200):
        sample = dice.choices(range(len(shares)), shares, k=80)
        guess = chao1(Counter(sample).values())
        covered += guess.low <= len(shares) <= guess.high
    assert covered >= 180


@given(st.lists(st.integers(1, 6), max_size=40), st.integers(0, 9))
def test_what_is_known_otherwise_counts(sample: list[int], known: int) -> None:
    found = Saturation.of(sample, known)
    assert found.estimate >= known
    assert found.high >= max(found.estimate, known) >= found.low >= 0
    assert found.low >= min(len(set(sample)), known)
    assert found.curve == tuple(len(set(sample[: n + 1])) for n in range(len(sample)))
    assert found.fetches == len(sample)


@pytest.mark.parametrize("few", [0.02, 0.03])
def test_templates_too_rare_for_a_small_sample_are_held_to_be_possible(few: float) -> None:
    """Six common ones, and three that thirty pages hardly show."""
    shares = [(1 - 3 * few) / 6] * 6 + [few] * 3
    dice = random.Random(2)
    covered = 0
    for _ in range(200):
        found = Saturation.of(dice.choices(range(9), shares, k=30))
        covered += found.low <= 9 <= found.high
    assert covered >= 180
