from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.words import MOST, packed, unpacked, words_of


@given(st.text())
def test_what_is_kept_of_a_text_are_its_first_words(text: str) -> None:
    every = list(dict.fromkeys(words_of(text)))
    if len(list(words_of(text))) <= 4 * MOST:
        assert unpacked(packed(text)) == set(every[:MOST])
    assert len(packed(text)) <= 4 * MOST


@given(st.binary(max_size=40))
def test_words_that_were_damaged_are_no_error(words: bytes) -> None:
    assert len(unpacked(words)) <= len(words) // 4


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Blue lamp", "LAMPS & more: the blue one"),
        ("blue_lamp-7", "Shop | Blue"),
        ("Größe", "GRÖSSE größe"),
        ("創用電子報", "台灣的電子報 2024"),
        ("素材CC0", "CC0"),
        ("Синяя лампа", "ЛАМПА"),
    ],
)
def test_a_link_and_a_title_have_words_in_common_in_any_script(said: str, title: str) -> None:
    assert unpacked(packed(said)) & set(words_of(title))


@pytest.mark.parametrize(("said", "title"), [("創用電子報", "台灣計畫"), ("lamp", "lamps")])
def test_others_have_none(said: str, title: str) -> None:
    """Catches single characters of a script without spaces taken for words: these come anywhere."""
    assert not unpacked(packed(said)) & set(words_of(title))
