from __future__ import annotations

import numpy as np
import pytest
from datasketch import MinHash
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.similarity import minhash
from tplcrawl.similarity.minhash import band_keys, bands_and_rows, chance, signatures

SETS = st.lists(st.sets(st.integers(0, 0xFFFFFFFF), max_size=9).map(hash_set), max_size=12)


@given(sets=SETS, permutations=st.integers(1, 40))
def test_signatures_are_those_of_datasketch(sets: list[Hashes], permutations: int) -> None:
    members = [one.tolist() for one in sets]
    known = MinHash.bulk(members, num_perm=permutations, hashfunc=int, scheme="affine32")
    found = signatures(sets, permutations)
    assert found.shape == (len(sets), permutations)
    assert found.tolist() == [one.hashvalues.tolist() for one in known]


@given(sets=SETS)
def test_blocks_do_not_show(sets: list[Hashes]) -> None:
    whole = signatures(sets)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minhash, "_BLOCK", 5)
        assert (signatures(sets) == whole).all()


def test_rows_agree_as_often_as_members_do() -> None:
    numbers = np.random.default_rng(7).integers(0, 1 << 32, 300, np.uint32)
    rows = signatures([np.sort(numbers[:200]), np.sort(numbers[100:])], 2000)
    assert float((rows[0] == rows[1]).mean()) == pytest.approx(1 / 3, abs=0.04)


@given(
    rows=st.lists(st.lists(st.integers(0, 2), min_size=12, max_size=12), min_size=2, max_size=6),
    bands=st.integers(1, 4),
    width=st.integers(1, 3),
)
def test_keys_are_equal_where_bands_are(rows: list[list[int]], bands: int, width: int) -> None:
    keys = band_keys(np.array(rows, np.uint32), bands, width)
    assert keys.shape == (len(rows), bands)
    for band in range(bands):
        here = slice(band * width, (band + 1) * width)
        for one, a in zip(keys[:, band], rows, strict=True):
            for other, b in zip(keys[:, band], rows, strict=True):
                assert (one == other) == (a[here] == b[here])


@given(threshold=st.floats(0, 1), permutations=st.integers(1, 300))
def test_bands_fit_and_none_that_fit_are_nearer(threshold: float, permutations: int) -> None:
    bands, rows = bands_and_rows(threshold, permutations)
    assert 1 <= bands * rows <= permutations
    off = abs((1 / bands) ** (1 / rows) - threshold)
    for width in range(1, permutations + 1):
        assert off <= abs((1 / (permutations // width)) ** (1 / width) - threshold)


def test_the_cut_off_is_where_the_chance_rises() -> None:
    """Paper 003, section 3.4: 1 - (1 - s^r)^b is steepest at about (1/b)^(1/r)."""
    bands, rows = bands_and_rows(0.8, 128)
    assert chance(0.6, bands, rows) < 0.1 < 0.9 < chance(0.9, bands, rows)
    assert chance(1, bands, rows) == 1
    assert chance(0, bands, rows) == 0
