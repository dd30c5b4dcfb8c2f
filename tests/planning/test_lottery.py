from __future__ import annotations

from collections import Counter

from tplcrawl.planning.lottery import draw


def test_draws_are_spread_evenly_and_the_same_in_every_process() -> None:
    counts = Counter(draw(3, number, 10) for number in range(20_000))
    assert set(counts) == set(range(1, 11))
    assert max(counts.values()) < 1.15 * min(counts.values())
    assert [draw(0, number, 1000) for number in (1, 2, 3)] == [draw(0, n, 1000) for n in (1, 2, 3)]
    assert [draw(0, n, 1000) for n in range(50)] != [draw(1, n, 1000) for n in range(50)]
