"""The targets of the fuzzer under Hypothesis, and on every input that ever broke one of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import TARGETS

CRASHES = sorted(Path(__file__).with_name("crashes").glob("*-*"))


@pytest.mark.parametrize("path", CRASHES, ids=lambda path: path.name)
def test_what_broke_a_target_once_breaks_it_no_more(path: Path) -> None:
    TARGETS[path.name.partition("-")[0]](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_sound_inputs_are_sound(name: str) -> None:
    for seed in SEEDS[name]():
        TARGETS[name](seed)


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=60)
@given(st.data())
def test_any_damage_to_a_sound_input_does_no_harm(name: str, data: st.DataObject) -> None:
    """Bytes are taken out, put in, and doubled."""
    found = data.draw(st.sampled_from(SEEDS[name]()))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(found)))
        end = data.draw(st.integers(at, min(at + 40, len(found))))
        piece = data.draw(st.binary(max_size=12) | st.just(found[at:end] * 3))
        found = found[:at] + piece + found[end:]
    TARGETS[name](found)
