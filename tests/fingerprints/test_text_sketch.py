from __future__ import annotations

from lxml import html

from tplcrawl.fingerprints.text_sketch import likeness, text_sketch

EXCUSE = "Nichts gefunden unter dieser Adresse bitte suchen Sie auf der Startseite"


def sketch(text: str, url: str = "") -> bytes:
    return text_sketch(html.fromstring(f"<body><p>{text}</p></body>"), url)


def test_one_text_is_known_again_whatever_number_or_word_it_names() -> None:
    one, other = sketch(f"{EXCUSE} lampe-17"), sketch(f"{EXCUSE} tisch 4711 8:15")
    assert likeness(one, other) > 0.8
    assert likeness(one, one) == 1.0


def test_a_short_excuse_is_known_again_whatever_it_was_asked_for() -> None:
    """Catches missing "No blue hat here": most words of it are of its URL."""
    one = sketch("Nothing here about «Blue-Hat, (grün)»", "http://a.test/blue-hat-gr%C3%BCn")
    other = sketch("Nothing here about red shoes", "http://a.test/p?name=red+shoes")
    assert likeness(one, other) == 1.0
    assert likeness(one, sketch("Nothing here about red shoes")) < 0.7


def test_words_end_where_elements_do() -> None:
    """Catches "blue-hatNothing" as a word of its own, and code as text."""
    page = "<h1>blue-hat</h1><p>Nothing here</p><script>var user = 'anna'</script>"
    one = text_sketch(html.fromstring(f"<body>{page}</body>"), "http://a.test/blue-hat")
    assert one == sketch("Nothing here")


def test_other_texts_are_unlike() -> None:
    assert likeness(sketch(EXCUSE), sketch("A lamp of blue glass, made by hand in Venice")) < 0.1


def test_any_text_has_a_sketch() -> None:
    for text in ("", "…", "&#55296; é", "x" * 100_000):
        assert likeness(sketch(text), sketch(text)) == 1.0


def test_what_the_title_says_is_no_part_of_an_excuse() -> None:
    """Catches missing "no longer available" below the name of what it was."""
    one, other = (
        text_sketch(html.fromstring(f"<title>{name}</title><body><h1>{name}</h1>{EXCUSE}</body>"))
        for name in ("Blue hat with a feather", "Red shoes")
    )
    assert one == other
