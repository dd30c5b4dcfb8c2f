from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tplcrawl.clustering import lzw_links
from tplcrawl.clustering.linked import components
from tplcrawl.clustering.lzw_index import (
    FingerprintIndex,
    NeighbourIndex,
    PrefixSuffixIndex,
    entropy,
    links,
    tuned_split,
)
from tplcrawl.clustering.lzw_links import one_edit_clusters
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.lzw import LENGTH

SHORT = st.lists(st.integers(0, 2), max_size=7).map(bytes)
"""So few values and entries that shifts, runs and shared parts are common."""


@st.composite
def edited(draw: st.DrawFn) -> bytes:
    """One of two full fingerprints after some edits, of full length or a little below."""
    entries = list(draw(st.sampled_from(BASES)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.sampled_from([0, 1, 15, 16, 17, 18, 23, 24]))
        kind = draw(st.sampled_from(["insert", "delete", "substitute"]))
        if kind != "insert":
            del entries[at : at + 1]
        if kind != "delete":
            entries.insert(at, draw(st.integers(0, 2)))
    return bytes(entries[:LENGTH])


BASES = [bytes([0, 0, 1, 0, 2] * 5), bytes([0] * 20 + [1, 2, 1, 2, 1])]
SETS = st.lists(SHORT, unique=True, max_size=14) | st.lists(edited(), unique=True, max_size=14)
SPLITS = st.sampled_from([1, 2, 3, 4, 6, 16, 17, 24])


def brute_force(fingerprints: Sequence[bytes], one: bytes) -> set[bytes]:
    return {other for other in fingerprints if Levenshtein.distance(one, other) <= 1}


def brute_clusters(fingerprints: Sequence[bytes]) -> list[int]:
    return components(
        len(fingerprints),
        (
            (i, j)
            for i, one in enumerate(fingerprints)
            for j, other in enumerate(fingerprints[:i])
            if Levenshtein.distance(one, other) <= 1
        ),
    )


@settings(max_examples=200)
@given(SETS, SHORT | edited(), SPLITS)
def test_each_index_finds_what_a_scan_finds(
    fingerprints: list[bytes], asked: bytes, split: int
) -> None:
    indexes: list[FingerprintIndex] = [PrefixSuffixIndex(split), NeighbourIndex()]
    for index in indexes:
        for one in fingerprints:
            index.add(one)
            index.add(one)
    indexes.append(NeighbourIndex(fingerprints))
    for one in (asked, *fingerprints):
        for index in indexes:
            found = index.similar(one)
            assert set(found) == brute_force(fingerprints, one)
            assert len(found) == len(set(found))


@settings(max_examples=120)
@given(SETS, SPLITS)
@example([b"", b"\0", b"\1\1"], 1)
@example([b"", b"\0\0", b"\1"], 17)
def test_all_ways_find_the_clusters_of_a_scan(fingerprints: list[bytes], split: int) -> None:
    expected = brute_clusters(fingerprints)
    assert one_edit_clusters(fingerprints) == expected
    for index in (PrefixSuffixIndex(split), NeighbourIndex()):
        assert components(len(fingerprints), links(index, fingerprints)) == expected


@pytest.mark.parametrize("mask", [0, 3 << 62, 0xFF << 56])
@settings(max_examples=50)
@given(SETS)
def test_hashes_may_collide(mask: int, fingerprints: list[bytes]) -> None:
    random = lzw_links._random

    def weak(length: int) -> lzw_links.Words:
        return random(length) & np.uint64(mask)

    with patch.object(lzw_links, "_random", weak):
        assert one_edit_clusters(fingerprints) == brute_clusters(fingerprints)


@settings(max_examples=50)
@given(SETS, st.data())
def test_the_order_does_not_change_the_clusters(
    fingerprints: list[bytes], data: st.DataObject
) -> None:
    def clusters(order: list[bytes]) -> set[frozenset[bytes]]:
        labels = one_edit_clusters(order)
        assert list(dict.fromkeys(labels)) == list(range(len(set(labels))))
        return {
            frozenset(one for one, own in zip(order, labels, strict=True) if own == label)
            for label in labels
        }

    assert clusters(fingerprints) == clusters(data.draw(st.permutations(fingerprints)))


def test_many_fingerprints_with_one_prefix_and_dense_links() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 6, (4000, 6)).astype(np.uint8)
    rest = [bytes(row) for row in np.unique(rows, axis=0)]
    fingerprints = [bytes(19) + one for one in rest] + [bytes(18) + one for one in rest[::3]]
    expected = components(len(fingerprints), links(NeighbourIndex(), fingerprints))
    assert one_edit_clusters(fingerprints) == expected
    sparse = [bytes(row) for row in np.unique(rng.integers(0, 25, (5000, 4)), axis=0).astype("u1")]
    expected = components(len(sparse), links(NeighbourIndex(), sparse))
    assert 1 < len(set(expected)) < len(sparse)
    assert one_edit_clusters(sparse) == expected


def test_the_lemma_as_printed_misses_a_shift() -> None:
    """Lemma 3.1: one edit apart, and yet neither the first 17 entries nor what follows is equal."""
    long = bytes([0, 0, 0, 0, 4, 3, 0, 3, 0, 9, 3, 0, 8, 0, 8, 0, 8, 0, 0, 19, 2, 0, 1, 5, 7])
    short = long[:5] + long[6:]
    assert Levenshtein.distance(long, short) == 1
    assert long[:17] != short[:17]
    assert long[17:] != short[17:]
    for kept, asked in ((long, short), (short, long)):
        index = PrefixSuffixIndex()
        index.add(kept)
        assert index.similar(asked) == [kept]


def slow_entropy(parts: list[bytes]) -> float:
    counts = Counter(parts)
    return -sum(n / len(parts) * log2(n / len(parts)) for n in counts.values())


@settings(max_examples=50)
@given(st.lists(edited(), min_size=1, max_size=20))
def test_the_split_is_where_the_entropies_meet(fingerprints: list[bytes]) -> None:
    before = [entropy(one[:split] for one in fingerprints) for split in range(1, LENGTH)]
    after = [entropy(one[split:] for one in fingerprints) for split in range(1, LENGTH)]
    for split, (prefix, suffix) in enumerate(zip(before, after, strict=True), 1):
        assert prefix == pytest.approx(slow_entropy([one[:split] for one in fingerprints]))
        assert suffix == pytest.approx(slow_entropy([one[split:] for one in fingerprints]))
    # As in figure 2, one rises and the other falls.
    assert np.all(np.diff(before) >= -1e-9)
    assert np.all(np.diff(after) <= 1e-9)
    gaps = [abs(prefix - suffix) for prefix, suffix in zip(before, after, strict=True)]
    assert gaps[tuned_split(fingerprints) - 1] == pytest.approx(min(gaps))


def test_a_shared_beginning_moves_the_split_to_the_right() -> None:
    varied = [bytes(20) + bytes([a, b, c, d, 0]) for a in (0, 1) for b in (0, 1)
              for c in (0, 1) for d in (0, 1)]  # fmt: skip
    assert tuned_split(varied) == 22


@pytest.mark.parametrize("split", [0, -1, 25, 2.5, "auto"])
def test_wrong_splits_are_refused(split: int) -> None:
    with pytest.raises(UsageError, match="split"):
        PrefixSuffixIndex(split)
