from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.store.database import Database
from tplcrawl.store.locations import OTHER, Locations

PATHS = st.text("abc", min_size=1, max_size=2).map("/html/{}".format)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(PATHS, max_size=6), max_size=6), st.integers(0, 8), st.booleans())
def test_a_path_keeps_its_number_over_runs_and_late_ones_share_one(
    batches: list[list[str]], most: int, reopen: bool
) -> None:
    """The oracle: a dict that takes new paths until it is full."""
    model: dict[str, int] = {}
    spilt = False
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder))
        locations = Locations(database, most=most)
        for batch in batches:
            expected = []
            for path in batch:
                if path not in model and len(model) < most:
                    model[path] = len(model) + 1
                spilt = spilt or path not in model
                expected.append(model.get(path, most + 1))
            assert locations.ids(batch) == expected
            if reopen:
                database.close()
                database = Database(Path(folder))
                locations = Locations(database, most=most)
        assert {path: locations.known(path) for path in model} == model
        assert locations.overflowed == spilt
        named = {number: path for path, number in model.items()}
        assert locations.paths() == named | ({most + 1: OTHER} if spilt else {})
        database.close()


@pytest.mark.parametrize("reopen", [False, True])
def test_long_paths_share_a_number_when_there_are_too_many(tmp_path: Path, reopen: bool) -> None:
    database = Database(tmp_path)
    locations = Locations(database, characters=100)
    assert locations.ids(["a" * 60, "b" * 60]) == [1, 2]
    if reopen:
        locations = Locations(database, characters=100)
    assert locations.ids(["c", "b" * 60, "d"]) == [3, 2, 3]
    assert locations.path(3) == OTHER
    database.close()
