from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.names import common_words, template_title, unique_names
from tplcrawl.clustering.url_patterns import url_pattern


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(["tag", "tag-2", "tag-3", "tag-2-2", "post"]), max_size=8))
@example(["tag", "tag", "tag-2"])
def test_no_two_templates_have_one_name(names: list[str]) -> None:
    unique = unique_names(names)
    assert len(set(unique)) == len(names) == len(unique)
    for number, (name, new) in enumerate(zip(names, unique, strict=True)):
        assert new.startswith(name)
        if name not in names[:number] and name not in unique[:number]:
            assert new == name


@pytest.mark.parametrize(
    ("pattern", "word", "pages", "name"),
    [
        ("/", None, 1, "home"),
        ("/index.html", "x", 1, "home"),
        ("/", None, 2, "pages"),
        ("/*", None, 9, "pages"),
        ("", None, 0, "pages"),
        ("/index.php?topic={n}", None, 9, "topic"),
        ("/git/?a=*;p=*.git", None, 9, "git"),
        ("/?a=*;p=*.git", None, 9, "pages"),
        ("/?p={n}&topic={n}", None, 9, "topic"),
        ("/Shop/Products/{n}.html", None, 9, "products"),
        ("/{n}/{n}/*", None, 9, "pages"),
        ("/x/*", "product", 4, "product"),
        ("/x-ray/*", None, 3, "ray"),
        ("/list/*@lists.example.org/", None, 3, "list"),
        ("/shop/product-*.html", None, 3, "product"),
        ("/*-review/", None, 3, "review"),
        ("/日本/{n}", None, 3, "日本"),
    ],
)
def test_a_name_is_the_word_that_tells_most(
    pattern: str, word: str | None, pages: int, name: str
) -> None:
    assert template_title(pattern, word, None, pages) == name


def test_where_neither_marks_nor_urls_tell_a_part_of_the_page_names_it() -> None:
    assert template_title("/*", None, "story", 9) == "story"
    assert template_title("/news/*", None, "story", 9) == "news"
    assert template_title("/*", "article", "story", 9) == "article"
    assert template_title("/?a=*;p=*", None, "story", 9) == "story", "a parameter, no word"


HOSTILE = st.text(st.characters(codec="utf-8"), max_size=12)


@settings(deadline=None, max_examples=300)
@given(st.lists(HOSTILE, max_size=4), st.lists(HOSTILE, max_size=3))
@example(["/?\x1b]0;gone\x07={n}"], [])
@example(["/*"], ["\x1b[2J", "\x1b[2J"])
@example(["/?a\nb=*"], [])
@example(["/?\u202egnp.exe=*"], [])
def test_a_name_is_short_and_does_nothing_to_a_terminal(
    pattern: list[str], json_ld: list[str]
) -> None:
    """A site writes into its URLs and its JSON-LD whatever it likes."""
    word = "".join(json_ld) or None
    name = template_title("".join(pattern), word, word, 2)
    assert name
    assert name.isprintable(), ascii(name)
    assert len(name) <= 40


def test_an_escaped_control_character_in_a_url_does_not_reach_the_name() -> None:
    pattern = url_pattern([f"http://a.com/?%1B%5B31m={n}" for n in range(3)])
    assert template_title(pattern, None, None, 3).isprintable()


def test_what_most_urls_say_names_a_template_only_where_nothing_else_does() -> None:
    """Catches a reference in ``/docs/`` whose templates are ``docs``, ``docs-2``, ``docs-3``, and a
    shop whose product and its reviews are ``catalogue``, beside a page of offers elsewhere."""
    common = common_words(["/docs/*", "/docs/{n}.html", "/docs/tag/*", "/offers/", "/"])
    assert template_title("/docs/*", None, "chapter", 9, common) == "chapter"
    assert template_title("/docs/*", None, None, 9, common) == "docs"
    assert template_title("/docs/tag/*", None, "chapter", 9, common) == "tag"
    assert common_words(["/docs/*", "/docs/tag/*", "/"]) == set(), "of two it may be one's own"
    assert common_words(["/docs/*", "/tag/*", "/doc/*", "/docs/"]) == set(), "half is not most"
