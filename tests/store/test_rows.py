from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.store.rows import NOWHERE, numbered_rows

PLACES = st.lists(
    st.integers(0, 3).flatmap(
        lambda depth: st.lists(st.tuples(*[st.integers(1, 9)] * depth), min_size=1, max_size=12)
    ),
    max_size=4,
)
"""The positions of the links of each place; those of one have as many steps."""


def by_hand(links: list[tuple[int, ...]]) -> int:
    extents = [max(column) - min(column) + 1 for column in zip(*links, strict=True)]
    for step, longest in enumerate(extents):
        others = extents[:step] + extents[step + 1 :]
        if max(others, default=1) > 1 and longest >= 2 * max(others):
            return step
    return NOWHERE


@given(PLACES, st.randoms(use_true_random=False))
def test_rows_are_where_positions_go_furthest(
    places: list[list[tuple[int, ...]]], chance: Random
) -> None:
    """Whatever the order of the links of several places."""
    links = [(place, own) for place, members in enumerate(places) for own in members]
    chance.shuffle(links)
    lengths = np.array([len(own) for _, own in links], np.int64)
    found = numbered_rows(
        np.array([place for place, _ in links], np.int64),
        np.array([position for _, own in links for position in own], np.uint32),
        np.cumsum(lengths) - lengths,
        lengths,
    )
    expected = [by_hand(places[place]) for place, _ in links]
    assert found.tolist() == expected
