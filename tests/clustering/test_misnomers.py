from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import pytest

from tplcrawl.clustering.likes import Likes, Seen
from tplcrawl.clustering.misnomers import Called, misnomers
from tplcrawl.words import words_of


def unmet(pages: Sequence[tuple[str, str]], kinds: Sequence[str] = ()) -> Mapping[int, Set[int]]:
    """Which of *pages*, each what it was asked for by and what it shows, are misnamed."""
    called = [
        Called(docid, set(words_of(asked)), set(words_of(shown)))
        for docid, (asked, shown) in enumerate(pages)
    ]
    clues = dict(enumerate([[kind] for kind in kinds] or [["one"] for _ in pages]))
    return misnomers(lambda: called, clues)


def told(pages: Sequence[tuple[str, str]], kinds: Sequence[str] = ()) -> set[int]:
    return set(unmet(pages, kinds))


NAMED = [(f"name{n} item", f"Name{n} - Shop") for n in range(40)]


def test_a_page_without_a_word_of_its_link_is_misnamed_where_others_have_them() -> None:
    assert told([*NAMED, ("blue item", "Red - Shop")]) == {40}
    assert told([*NAMED, ("red item", "Red - Shop")]) == set()


def test_words_that_all_pages_share_say_nothing() -> None:
    """Catches "item" and "shop" taken for names: of links that say nothing else ("read more"), of
    pages that have one title, and of a page called by what all pages are called by."""
    assert told([*NAMED, ("item", "Red - Shop"), ("blue", "Shop")]) == set()
    assert told([*NAMED, ("item blue", "Item Red - Shop")]) == {40}
    assert told([(f"name{n}", "Shop") for n in range(40)]) == set()


def test_nothing_is_told_where_links_and_titles_have_little_to_do_with_each_other() -> None:
    """Page 2, 3 and 4 of lists, and texts of links that tell what a page says."""
    odd = [(f"next{n}", f"List{n} - Shop") for n in range(20)]
    assert told([*NAMED, *odd]) == set()
    kinds = ["named"] * 40 + ["odd"] * 20
    assert told([*NAMED, *odd], kinds) == set()
    assert told([*NAMED, *odd], ["named"] * 41 + ["odd"] * 19) == {40}


def test_few_pages_are_no_rule() -> None:
    page = ("blue", "Red")
    for others, found in ((7, set()), (8, {40})):
        kinds = ["one"] * others + [f"other{n}" for n in range(40 - others)] + ["one"]
        assert told([*NAMED, page], kinds) == found


def test_what_a_page_was_asked_for_by_is_told_of_it() -> None:
    assert unmet([*NAMED, ("blue item", "Red - Shop")]) == {40: set(words_of("blue"))}


@pytest.mark.parametrize(
    ("own", "expected", "lost"),
    [("/red", 1, True), ("/red", 2, True), ("/old/blue-1", 1, False), ("/old/blue-1", 2, True)],
)
def test_a_page_under_the_words_of_another_is_no_owner_but_may_be_a_second_name(
    own: str, expected: int, lost: bool
) -> None:
    """Both show one page, of template 1. Catches a page called a redirect because one of the links
    to its two names says something else, as "printable" does, where nothing else speaks against
    it."""
    site = "http://a.test"
    words = frozenset(words_of("blue"))
    face = [
        Seen(1, 1, 7, 7, 7, 1, 1, site + own, None, ["form"]),
        Seen(2, 2, 7, 7, 7, 1, expected, f"{site}/blue", None, ["form"], unmet=words),
    ]
    assert Likes(face).witnesses(face)[1].named is (False if lost else None)
