from __future__ import annotations

import pytest

from tplcrawl.clustering.traps import LEAST, Corner, is_trap


@pytest.mark.parametrize(
    ("texts", "urls", "trap"),
    [
        ([1] * LEAST, 3 * LEAST, True),
        ([1] * (LEAST - 1), 99, False),
        (list(range(40)), 400, False),
        ([1, 2, 3] * 10, 30, False),
        ([1, 2, 3] * 10, 60, True),
    ],
)
def test_a_trap_says_the_same_again_and_gives_more_of_it(
    texts: list[int], urls: int, trap: bool
) -> None:
    assert is_trap(Corner(texts, urls)) is trap
