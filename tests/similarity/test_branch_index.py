from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from operator import eq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.branches import Branches
from tplcrawl.similarity import branch_index
from tplcrawl.similarity.branch_index import BranchIndex, BranchTable, cosine
from tplcrawl.similarity.minhash import signatures

Counts = Mapping[int, int]

COUNTS = st.dictionaries(st.integers(0, 12), st.integers(1, 60), max_size=8)
SITES = st.lists(COUNTS, max_size=15)


def page(counts: Counts) -> Branches:
    hashes = sorted(counts)
    numbers = [counts[one] for one in hashes]
    return Branches(np.array(hashes, np.uint32), np.array(numbers, np.int64))


def slow_cosine(a: Counts, b: Counts) -> float:
    if not a or not b:
        return float(not a and not b)
    dot = sum(count * b.get(one, 0) for one, count in a.items())
    lengths = [sqrt(sum(n * n for n in counts.values())) for counts in (a, b)]
    return dot / lengths[0] / lengths[1]


@given(a=COUNTS, b=COUNTS)
def test_a_cosine_is_one(a: Counts, b: Counts) -> None:
    found = cosine(page(a), page(b))
    assert found == pytest.approx(slow_cosine(a, b))
    assert 0 <= found <= 1
    assert found == cosine(page(b), page(a))
    assert cosine(page(a), page(a)) == 1


@given(a=COUNTS.filter(bool), times=st.integers(1, 9))
def test_the_length_of_a_list_does_not_matter(a: Counts, times: int) -> None:
    longer = {one: count * times for one, count in a.items()}
    assert cosine(page(a), page(longer)) == pytest.approx(1)


@given(query=COUNTS, site=SITES, data=st.data())
def test_a_table_gives_the_same_cosines(
    query: Counts, site: list[Counts], data: st.DataObject
) -> None:
    pages = [page(counts) for counts in site]
    chosen = data.draw(st.lists(st.sampled_from(range(len(site))))) if site else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branch_index, "_BLOCK", 4)
        found = BranchTable.of(pages).cosines(page(query), np.array(chosen, np.int64))
    assert found.tolist() == [cosine(page(query), pages[i]) for i in chosen]


@given(query=COUNTS, site=SITES, threshold=st.sampled_from([0, 0.5, 0.9]))
def test_candidates_agree_in_a_band(query: Counts, site: list[Counts], threshold: float) -> None:
    pages = [page(counts) for counts in site]
    index = BranchIndex(pages, threshold=threshold, permutations=12)
    width = index.rows
    rows = signatures([one.hashes for one in (*pages, page(query))], 12)[:, : index.bands * width]
    bands = [
        [tuple(row[i : i + width]) for i in range(0, len(row), width)] for row in rows.tolist()
    ]
    own = bands.pop()
    expected = [i for i, band in enumerate(bands) if any(map(eq, own, band))]
    assert index.candidates(page(query)).tolist() == expected
    pairs = {(a, b) for bucket in index.buckets() for a in bucket.tolist() for b in bucket.tolist()}
    for a, one in enumerate(bands):
        for b, other in enumerate(bands):
            if a != b:
                assert ((a, b) in pairs) == any(map(eq, one, other))


@given(query=COUNTS, site=SITES, most=st.integers(0, 6))
def test_the_nearest_are_the_best_candidates(query: Counts, site: list[Counts], most: int) -> None:
    index = BranchIndex([page(counts) for counts in site], permutations=32)
    ranked = sorted(
        ((i, cosine(page(query), page(site[i]))) for i in index.candidates(page(query)).tolist()),
        key=lambda row: (-row[1], row[0]),
    )
    assert index.nearest(page(query), most) == ranked[:most]


@given(site=SITES.filter(bool), data=st.data())
def test_a_page_is_found_again(site: list[Counts], data: st.DataObject) -> None:
    query = data.draw(st.sampled_from(site))
    found = BranchIndex([page(counts) for counts in site]).nearest(page(query))
    first = site.index(query)
    assert max(found, key=lambda row: row[1])[1] == 1
    assert (first, 1.0) in found or len(found) == 10


def test_what_is_alike_is_found_among_many() -> None:
    """A site of ten templates, each page with branches of its own: the nearest to a page are of its
    template, and nearly all that an exhaustive search finds."""
    random = np.random.default_rng(11)
    shared = [random.integers(0, 1 << 32, 60, np.uint32) for _ in range(10)]
    pages = []
    for number in range(1000):
        own = random.integers(0, 1 << 32, 6, np.uint32)
        counts = {one: 1 + int(random.integers(9)) for one in [*shared[number % 10], *own]}
        pages.append(page({int(one): count for one, count in counts.items()}))
    index = BranchIndex(pages)
    everything = np.arange(len(pages))
    for number in range(0, 1000, 97):
        found = [i for i, _ in index.nearest(pages[number])]
        assert found[0] == number
        assert {i % 10 for i in found} == {number % 10}
        cosines = index.table.cosines(pages[number], everything)
        exhaustive = np.lexsort((everything, -cosines))[:10]
        assert len({*found} & {*exhaustive.tolist()}) >= 9
        assert len(index.candidates(pages[number])) < 150


def test_an_index_of_nothing_finds_nothing() -> None:
    assert BranchIndex([]).nearest(page({1: 1})) == []


@pytest.mark.parametrize("wrong", [{"threshold": 1.5}, {"threshold": -0.1}, {"permutations": 0}])
def test_parameters_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="must be"):
        BranchIndex([], **wrong)  # type: ignore[arg-type]
