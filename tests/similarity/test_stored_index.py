from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.fingerprints.branches import Branches
from tplcrawl.similarity import stored_index
from tplcrawl.similarity.branch_index import BranchTable, cosine
from tplcrawl.similarity.stored_index import StoredIndex, open_index, write_index

Counts = Mapping[int, int]

COUNTS = st.dictionaries(st.integers(0, 12), st.integers(1, 60), max_size=8)
SITES = st.lists(COUNTS, max_size=12)


def page(counts: Counts) -> Branches:
    hashes = sorted(counts)
    numbers = [counts[one] for one in hashes]
    return Branches(np.array(hashes, np.uint32), np.array(numbers, np.int64))


def written(folder: Path, *parts: list[tuple[int, Branches]]) -> StoredIndex:
    """An index of all *parts*, one added after the other."""
    known = None
    for number, part in enumerate(parts):
        target = folder / str(number)
        target.mkdir()
        write_index(target, part, known)
        known = open_index(target)
    assert known is not None
    return known


@given(query=COUNTS, site=SITES, most=st.integers(0, 6))
def test_what_is_found_is_ranked_by_cosine_and_docid(
    query: Counts, site: list[Counts], most: int
) -> None:
    pages = [(2 * number + 5, page(counts)) for number, counts in enumerate(site)]
    with TemporaryDirectory() as folder:
        index = written(Path(folder), pages)
        every = index.nearest(page(query), len(pages))
        scores = {docid: cosine(page(query), one) for docid, one in pages}
        assert every == sorted(
            ((docid, scores[docid]) for docid, _ in every), key=lambda row: (-row[1], row[0])
        )
        assert index.nearest(page(query), most) == every[:most]
        # Whoever has the very same branches agrees in every band.
        twins = {
            docid for docid, one in pages if one.hashes.tobytes() == page(query).hashes.tobytes()
        }
        assert twins <= dict(every).keys()
        assert [index.branches(row).key for row in range(len(index))] == [p.key for _, p in pages]


@given(site=SITES, query=COUNTS, data=st.data())
def test_it_does_not_matter_in_which_order_and_portions_pages_came(
    site: list[Counts], query: Counts, data: st.DataObject
) -> None:
    pages = list(enumerate(map(page, site), 1))
    mixed = data.draw(st.permutations(pages))
    cut = data.draw(st.integers(0, len(mixed)))
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored_index, "_BLOCK", 3)
        # So few that which of equals are compared depends on their order.
        patch.setattr(stored_index, "NEAR", 1)
        (Path(folder) / "a").mkdir()
        (Path(folder) / "b").mkdir()
        once = written(Path(folder, "a"), pages)
        grown = written(Path(folder, "b"), mixed[:cut], mixed[cut:])
        assert grown.nearest(page(query), 20) == once.nearest(page(query), 20)


def test_nearly_all_of_the_nearest_are_found_in_a_large_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two thousand pages that agree in all bands, with six lists of any length each: the sketches
    must tell which of them are near."""
    monkeypatch.setattr(stored_index, "NEAR", 30)
    random = np.random.default_rng(3)
    hashes = np.unique(random.integers(0, 1 << 32, 60, np.uint32))
    lists = random.integers(0, 6, len(hashes))
    pages = [
        (number, Branches(hashes, 1 + random.integers(0, 40, 6)[lists])) for number in range(2000)
    ]
    index = written(tmp_path, pages)
    table, everything = BranchTable.of([one for _, one in pages]), np.arange(len(pages))
    shares, compared = [], []
    for number in range(0, 2000, 41):
        cosines = table.cosines(pages[number][1], everything)
        exhaustive = np.lexsort((everything, -cosines))[:10].tolist()
        found = [docid for docid, _ in index.nearest(pages[number][1])]
        assert found[0] == number
        shares.append(len({*found} & {*exhaustive}) / 10)
        compared.append(len(index._candidates(pages[number][1])) / len(pages))
    # Neighbours by chance would be found as often as pages are compared.
    assert np.mean(compared) < 0.3
    assert np.mean(shares) > 0.9


def test_an_index_that_was_made_in_another_way_is_none(tmp_path: Path) -> None:
    written(tmp_path, [(1, page({1: 1}))])
    assert open_index(tmp_path / "0") is not None
    file = tmp_path / "0" / "index.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "hashes": "legacy"}))
    assert open_index(tmp_path / "0") is None
    file.write_text("{")
    assert open_index(tmp_path / "0") is None
    assert open_index(tmp_path / "nothing") is None


def test_a_sketch_differs_as_the_angle_does() -> None:
    random = np.random.default_rng(7)
    one = {int(h): 5 for h in random.integers(0, 1 << 32, 80, np.uint32)}
    other = dict(list(one.items())[:40]) | {
        int(h): 5 for h in random.integers(0, 1 << 32, 40, np.uint32)
    }
    sketches = stored_index._sketches([page(one), page(other), page({})])
    bits = np.unpackbits(sketches.view(np.uint8).reshape(3, 8), axis=1).astype(int)
    # cosine 0.5: a third of a half-turn
    assert abs(np.abs(bits[0] - bits[1]).mean() - 1 / 3) < 0.15
    assert sketches[2] == 0
