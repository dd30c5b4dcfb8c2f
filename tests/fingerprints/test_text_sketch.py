from __future__ import annotations

from lxml import html

from tplcrawl.fingerprints.text_sketch import likeness, text_sketch

EXCUSE = "Nichts gefunden unter dieser Adresse bitte suchen Sie auf der Startseite"


def sketch(text: str) -> bytes:
    return text_sketch(html.fromstring(f"<body><p>{text}</p></body>"))


def test_one_text_is_known_again_whatever_number_or_word_it_names() -> None:
    one, other = sketch(f"{EXCUSE} lampe-17"), sketch(f"{EXCUSE} tisch 4711 8:15")
    assert likeness(one, other) > 0.8
    assert likeness(one, one) == 1.0


def test_other_texts_are_unlike() -> None:
    assert likeness(sketch(EXCUSE), sketch("A lamp of blue glass, made by hand in Venice")) < 0.1


def test_any_text_has_a_sketch() -> None:
    for text in ("", "…", "&#55296; é", "x" * 100_000):
        assert likeness(sketch(text), sketch(text)) == 1.0
