from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.made_clusters import spread_out
from tplcrawl.clustering.looks import unlike
from tplcrawl.clustering.pairs import Pairs
from tplcrawl.similarity.sets import Matrix

Sets = Sequence[frozenset[int]]
SEEDS = st.integers(0, 10_000)


def common_of(sets: Sets) -> Pairs:
    """How many members every two pages have in common; equal pages share a row."""
    distinct = sorted(set(sets), key=sorted)
    values = np.array([[len(a & b) for b in distinct] for a in distinct], np.float32)
    return Pairs(values, np.array([distinct.index(one) for one in sets], np.int64))


def naive_unlike(common: Matrix, one: Sequence[int], other: Sequence[int]) -> float:
    """The same with loops over pairs of different pages."""

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    a = mean([common[i, j] for i in one for j in one if i != j])
    b = mean([common[i, j] for i in other for j in other if i != j])
    c = mean([common[i, j] for i in one for j in other])
    if a + b < 1e-6:
        return 0.0
    whole = a + b - c
    return 1 - min(max(c / whole if whole > 1e-9 else 1.0, 0.0), 1.0)


def halves(flags: Sequence[bool]) -> tuple[list[int], list[int]]:
    return [i for i, f in enumerate(flags) if f], [i for i, f in enumerate(flags) if not f]


@given(
    st.lists(
        st.tuples(st.frozensets(st.integers(0, 9), max_size=7), st.lists(st.booleans(), min_size=3,
                                                                         max_size=3)),
        min_size=1, max_size=12,
    )
)  # fmt: skip
def test_how_unlike_two_sets_of_pages_are_is_what_loops_say(
    pages: list[tuple[frozenset[int], list[bool]]],
) -> None:
    common = common_of([sets for sets, _ in pages])
    flags = np.array([row for _, row in pages]).T
    found = unlike(common, flags, ~flags)
    expected = [naive_unlike(spread_out(common), *halves(row)) for row in flags.tolist()]
    assert found == pytest.approx(expected, abs=1e-4)
    assert unlike(common, ~flags, flags) == pytest.approx(found, abs=1e-6)


@settings(max_examples=40)
@given(SEEDS, st.floats(0.05, 0.95))
def test_halves_of_one_varied_kind_are_not_unlike(seed: int, presence: float) -> None:
    """However seldom two pages show the same: no more than chance makes them, five times over."""
    chance = np.random.default_rng(seed)
    table = chance.random((240, 300)) < presence
    flags = (chance.random(240) < 0.5)[None, :]
    common = Pairs.of_all(table.astype(np.float32) @ table.T.astype(np.float32))
    one = int(flags.sum())
    # The squared distance of the halves' means: 300 squares of a normal variable.
    spread = np.sqrt(2 * 300) * presence * (1 - presence) * (1 / one + 1 / (240 - one))
    noise = 5 * spread / (300 * presence**2)
    assert unlike(common, flags, ~flags)[0] == pytest.approx(0, abs=noise + 1e-4)


@settings(max_examples=40)
@given(SEEDS, st.integers(2, 20), st.integers(2, 20))
def test_kinds_that_share_nothing_are_wholly_unlike(seed: int, first: int, second: int) -> None:
    chance = np.random.default_rng(seed)
    sets = [frozenset({0, *chance.integers(1, 9, 5).tolist()}) for _ in range(first)]
    sets += [frozenset({10, *chance.integers(11, 19, 5).tolist()}) for _ in range(second)]
    flags = np.array([[i < first for i in range(first + second)]])
    assert unlike(common_of(sets), flags, ~flags)[0] == pytest.approx(1)
