from __future__ import annotations

import pytest

from tplcrawl.clustering.traps import LEAST, Corner, is_trap


@pytest.mark.parametrize(
    ("corner", "trap"),
    [
        (Corner(LEAST, 3 * LEAST, LEAST, LEAST), True),
        (Corner(LEAST - 1, 99, LEAST, LEAST), False),
        (Corner(40, 400), False),
        (Corner(30, 30, 29, 29), False),
        (Corner(30, 31, 27, 27), True),
        (Corner(30, 31, 27, 20), False),
        (Corner(30, 60, 18, 16), True),
        (Corner(30, 60, 18, 10), False),
    ],
)
def test_copies_lead_to_copies_without_end(corner: Corner, trap: bool) -> None:
    assert is_trap(corner) is trap


def test_copies_that_honest_pages_lead_to_are_no_trap() -> None:
    """Every article links to the same excuse."""
    assert not is_trap(Corner(100, 400, copies=99, of_copies=3))


@pytest.mark.parametrize(
    ("pages", "ends", "met", "trap"),
    [(60, 0, 0.0, True), (60, 2, 0.01, True), (40, 0, 0.0, False), (60, 9, 0.0, False),
     (60, 0, 0.1, False)],
)  # fmt: skip
def test_what_never_ends_and_never_meets_is_a_maze(
    pages: int, ends: int, met: float, trap: bool
) -> None:
    """A directory has leaves, and what people write has threads that meet again."""
    corner = Corner(pages, 400, barren=pages, given=300, words=900, ends=ends, met=met)
    assert is_trap(corner) is trap


@pytest.mark.parametrize(
    ("barren", "given", "words", "trap"),
    [(39, 300, 20, True), (20, 300, 20, False), (39, 40, 20, False), (39, 300, 350, False)],
)
def test_combinations_of_few_words_that_lead_to_nothing_else(
    barren: int, given: int, words: int, trap: bool
) -> None:
    """Lists lead to what they list, a pager to one more page, and pages with a name of their own
    say something of their own."""
    assert is_trap(Corner(40, 400, barren=barren, given=given, words=words)) is trap
