from __future__ import annotations

from zlib import crc32

import pytest

from tplcrawl.fingerprints import steps
from tplcrawl.fingerprints.steps import step_parts


@pytest.mark.parametrize(
    ("step", "tag", "classes"),
    [
        ("p", b"/p", ()),
        ("p a b", b"/p", (b".a", b".b")),
        ("h1 h1", b"/h1", (b".h#",)),
        ("li 7 a12b3 x-00", b"/li", (b".#", b".a#b#", b".x-#")),
        ("é é٣", "/é".encode(), (".é٣".encode(),)),
        ("p \ud800", b"/p", (b".\xed\xa0\x80",)),
    ],
)
def test_a_step_is_taken_apart_and_its_classes_digits_are_folded(
    step: str, tag: bytes, classes: tuple[bytes, ...]
) -> None:
    parts = step_parts(step)
    assert parts.tag == tag
    assert parts.classes == classes
    assert parts.class_hashes == tuple(crc32(name) for name in classes)


def test_steps_with_hundreds_of_classes_are_not_remembered() -> None:
    """A site of nothing but such would have held a gigabyte."""
    before = len(steps._known)
    for number in range(100):
        assert len(step_parts(f"p {number} " + "a " * 200).classes) > 200
    assert len(steps._known) == before


def test_not_more_steps_are_remembered_than_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl of years would have held every class that it ever met."""
    monkeypatch.setattr(steps, "_MOST", 10)
    monkeypatch.setattr(steps, "_known", steps._Steps())
    for number in range(35):
        assert steps._known[f"p c{number}"] == step_parts(f"p c{number}")
        assert len(steps._known) <= 10
