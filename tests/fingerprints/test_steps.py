from __future__ import annotations

from zlib import crc32

import pytest

from tplcrawl.fingerprints.steps import _remembered, step_parts


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
    before = _remembered.cache_info().currsize
    for number in range(100):
        assert len(step_parts(f"p {number} " + "a " * 200).classes) > 200
    assert _remembered.cache_info().currsize == before
