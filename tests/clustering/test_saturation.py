from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.saturation import Saturation, at_most, chao1, good_turing

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


@given(st.lists(st.integers(1, 6), max_size=40), st.integers(0, 9), st.integers(0, 500))
def test_what_is_known_otherwise_counts(sample: list[int], known: int, urls: int) -> None:
    found = Saturation.of(sample, known, urls)
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
        found = Saturation.of(dice.choices(range(9), shares, k=30), 0, 1000)
        covered += found.low <= 9 <= found.high
    assert covered >= 180


@pytest.mark.parametrize("theta", [0.3, 1.0, 3.0])
def test_the_bound_holds_where_few_templates_have_most_pages(theta: float) -> None:
    """Sites by Ewens' model itself, of which thirty pages are seen."""
    dice = random.Random(3)
    covered = 0
    for _ in range(200):
        pages = [0]
        for size in range(1, 1000):
            new = dice.random() < theta / (theta + size)
            pages.append(max(pages) + 1 if new else dice.choice(pages))
        sample = dice.sample(pages, 30)
        covered += max(pages) + 1 <= at_most(len(set(sample)), 30, len(pages))
    assert covered >= 180


@given(st.integers(1, 25), st.integers(1, 25), st.integers(0, 2000))
def test_the_bound_is_that_of_the_largest_diversity_that_may_show_so_little(
    met: int, sample: int, more: int
) -> None:
    """By Ewens' formula itself: the chance of k species is s(n, k) θᵏ / θ(θ + 1)…(θ + n - 1)."""
    met = min(met, sample)
    found = at_most(met, sample, sample + more)
    assert met <= found <= met + more
    if met == sample:
        assert found == met + more
        return
    ways = _stirling(sample)

    def chance(theta: float) -> float:
        scale = math.prod(theta + i for i in range(sample))
        return sum(ways[k] * theta**k for k in range(met + 1)) / scale

    low, high = 1e-3, 1e6
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if chance(middle) >= 0.025 else (low, middle)
    expected = sum(low / (low + sample + i) for i in range(more))
    assert found == pytest.approx(met + min(expected, more), rel=0.025, abs=1.01)


def _stirling(count: int) -> list[int]:
    """In how many ways *count* things fall into 0, 1, 2 … cycles."""
    ways = [1]
    for i in range(count):
        ways = [i * a + b for a, b in zip([*ways, 0], [0, *ways], strict=True)]
    return ways
