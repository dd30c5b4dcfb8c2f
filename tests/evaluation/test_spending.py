from __future__ import annotations

import pytest

from tplcrawl.evaluation.simulation import Fetch
from tplcrawl.evaluation.spending import overshoot, quality
from tplcrawl.records import Prediction


def test_overshoot_is_what_comes_after_a_template_has_its_budget() -> None:
    pages = [n % 2 for n in range(20)]
    assert overshoot(pages, 10, 0) == 0
    assert overshoot(pages, 8, 0) == 4 / 16
    assert overshoot(pages, 8, 1) == 3 / 16
    assert overshoot(pages, 8, 5) == 0
    assert overshoot([*pages, None], 8, 0) == 4 / 16
    assert overshoot([], 8, 0) == 0


def test_predictions_count_after_the_first_fifth_and_silence_is_no_right_one() -> None:
    wrong, right = Prediction(2, 0.9), Prediction(1, 0.9)
    pages = [
        *[Fetch("needed", n, expected=wrong, found=1) for n in range(2)],
        *[Fetch("needed", n, expected=right, found=1) for n in range(4)],
        *[Fetch("needed", n, expected=wrong, found=1) for n in range(2)],
        *[Fetch("needed", n, found=1) for n in range(2)],
    ]
    share, off = quality(pages)
    assert share == 4 / 8
    assert off == pytest.approx(abs(4 - 6 * 0.9) / 6)
