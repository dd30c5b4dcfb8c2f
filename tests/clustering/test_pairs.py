from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made_clusters import spread_out
from tplcrawl.clustering.pairs import Pairs, counted

ROWS = st.lists(st.integers(0, 4), max_size=12)


def table(which: list[int], seed: int) -> Pairs:
    """Pages of which those of one number are copies."""
    used, rows = np.unique(np.array(which, np.int64), return_inverse=True)
    raw = np.random.default_rng(seed).random((len(used), len(used)))
    return Pairs(((raw + raw.T) / 2).astype(np.float32), rows)


@given(ROWS, st.integers(0, 999), st.data())
def test_what_copies_share_is_spread_out_as_if_each_had_a_row(
    which: list[int], seed: int, data: st.DataObject
) -> None:
    """Against loops over all pages."""
    pairs = table(which, seed)
    pages = range(len(which))
    whole = spread_out(pairs).astype(float)
    assert whole.tolist() == [[pairs.values[pairs.rows[a], pairs.rows[b]] for b in pages]
                              for a in pages]  # fmt: skip
    labels = data.draw(st.lists(st.integers(0, 3), min_size=len(which), max_size=len(which)))
    groups = [[p for p in pages if labels[p] == one] for one in range(max(labels, default=-1) + 1)]
    sums = [[sum(whole[p, q] for q in group) for group in groups] for p in pages]
    found = pairs.sums(np.array(labels, np.int64))
    np.testing.assert_allclose(found, np.array(sums).reshape(found.shape))
    totals = [[sum(sums[p][b] for p in group) for b in range(len(groups))] for group in groups]
    found = pairs.totals(np.array(labels, np.int64))
    assert found.shape == (len(groups), len(groups))
    np.testing.assert_allclose(found, np.array(totals).reshape(found.shape))
    for group in groups:
        if len(group) > 1:
            means = [whole[p, q] for p in group for q in group if p != q]
            assert pairs.average(group) == pytest.approx(np.mean(means))


@given(ROWS, st.data())
def test_flagged_pages_are_counted_by_their_rows(which: list[int], data: st.DataObject) -> None:
    _, rows = np.unique(np.array(which, np.int64), return_inverse=True)
    one = st.lists(st.booleans(), min_size=len(which), max_size=len(which))
    flags = data.draw(st.lists(one, min_size=1, max_size=3))
    found = counted(np.array(flags, bool).reshape(len(flags), -1), rows)
    assert found.tolist() == [
        [sum(f for f, r in zip(row, rows, strict=True) if r == one) for one in range(max(rows) + 1)]
        if which else [] for row in flags
    ]  # fmt: skip
