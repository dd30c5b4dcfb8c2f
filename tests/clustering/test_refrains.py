"""What is said under many URLs, of which the likes say something else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tplcrawl.clustering.likes import Seen
from tplcrawl.clustering.refrains import called_alike, refrains
from tplcrawl.clustering.waves import waves_of

PRODUCT, LIST, NEW = 1, 2, 3
SORRY = 77


def page(n: int, *, given: int = PRODUCT, expected: int | None = PRODUCT) -> Seen:
    """A product, named and built like no other."""
    return Seen(
        n, n, n, n, n, given, expected, f"/p/{n}", 999, [f"/p{n % 2}/#", (LIST, "a")],
        title=n + 1, structure=n, words=n,
    )  # fmt: skip


def excuse(n: int, *, structure: int = SORRY, **others: int) -> Seen:
    """An excuse in the place of a product, named after what was asked for."""
    return replace(page(n, **others), structure=structure, words=SORRY)


def found(pages: list[Seen], judged: frozenset[int] = frozenset()) -> list[list[int]]:
    said = refrains(called_alike(pages), pages, judged)
    return [[one.docid for one in some] for some in said]


SITE = [page(n) for n in range(100, 160)]


def test_an_excuse_that_is_taken_for_real_pages_half_of_the_time_is_one() -> None:
    """Catches excuses that clustering joins with short pages: only some of them were denied."""
    some = [excuse(n) for n in range(3)] + [excuse(n, given=NEW) for n in range(3, 6)]
    assert found([*SITE, *some]) == [[0, 1, 2, 3, 4, 5]]


def test_an_excuse_with_changing_links_is_one() -> None:
    """Catches telling excuses by one structure: each suggests two to five other pages."""
    some = [excuse(n, structure=SORRY + n % 3, given=NEW) for n in range(6)]
    assert found([*SITE, *some]) == [[0, 1, 2, 3, 4, 5]]


def test_excuses_come_under_urls_of_several_templates() -> None:
    """Catches missing excuses that are of the template that is expected, by whatever is."""
    some = [excuse(n) for n in range(3)] + [
        excuse(n, given=LIST, expected=LIST) for n in range(3, 6)
    ]
    assert found([*SITE, *some]) == [[0, 1, 2, 3, 4, 5]]


def test_an_excuse_in_place_of_lists_that_have_one_title_is_one() -> None:
    """Catches missing an excuse half of which stands where pages are all called "Questions", and
    is taken for one of these."""
    clues = ["/q/#", (NEW, "a")]
    lists = [
        replace(page(n, given=LIST, expected=LIST), title=8, words=8, clues=clues)
        for n in range(200, 230)
    ]
    some = [excuse(n, given=LIST) for n in range(3)] + [
        replace(excuse(n, given=LIST, expected=LIST), clues=clues) for n in range(3, 6)
    ]
    assert found([*SITE, *lists, *some]) == [[0, 1, 2, 3, 4, 5]]


def test_what_was_expected_is_no_part_of_an_excuse() -> None:
    """Catches calling letters of an index an excuse since their titles are in their URLs, as those
    of excuses are that repeat what was asked for."""
    letters = [
        replace(excuse(n, structure=88), clues=[f"/p{n % 2}/#", (NEW, "a")]) for n in range(6, 10)
    ]
    some = [excuse(n, given=NEW) for n in range(6)]
    assert found([*SITE, *letters, *some]) == [[0, 1, 2, 3, 4, 5]]


def test_what_varies_in_one_template_alone_is_no_excuse() -> None:
    """Catches calling all lists with eight rows an excuse: they are expected, and are so."""
    assert found([*SITE, *(excuse(n) for n in range(6))]) == []


@pytest.mark.parametrize("names", [1, 3])
def test_pages_that_are_called_the_same_but_built_otherwise_are_none(names: int) -> None:
    """Catches introductions of several manuals, and empty pages that are built like others."""
    written = [excuse(n, structure=200 + n, given=NEW) for n in range(6)]
    assert found([*SITE, *written]) == []
    empty = [replace(excuse(n, given=NEW), words=n % names) for n in range(6)]
    assert bool(found([*SITE, *empty])) == (names == 1)


def test_a_site_whose_titles_are_its_urls_says_nothing() -> None:
    """Catches calling six pages of one structure an excuse where no page is called otherwise."""
    site = [replace(one, words=SORRY) for one in SITE]
    assert found([*site, *(excuse(n, given=NEW) for n in range(6))]) == []


def test_whose_one_page_is_others_judge() -> None:
    """Catches calling a silent redirect to a page an excuse, and the page itself with it."""
    some = [replace(excuse(n, given=NEW), title=SORRY) for n in range(6)]
    assert found([*SITE, *some]) == [[0, 1, 2, 3, 4, 5]]
    assert found([*SITE, *some], frozenset({0})) == []
    discovered = [replace(one, source=0) for one in SITE[:3]]
    assert found([*SITE[3:], *discovered, *some]) == []


def test_what_has_no_title_is_called_nothing() -> None:
    """Catches calling posts an excuse on a site without titles, where more was expected of them."""
    assert found([*SITE, *(replace(excuse(n, given=NEW), title=0) for n in range(6))]) == []


def test_a_menu_names_what_the_site_has() -> None:
    some = [excuse(n, given=NEW) for n in range(6)]
    some[0] = replace(some[0], everywhere=True)
    assert found([*SITE, *some]) == []


@pytest.mark.parametrize(("title", "waves"), [(SORRY, 10), (None, 0)])
def test_block_pages_of_any_length_are_one_wave(title: int | None, waves: int) -> None:
    """Catches block pages that tell of an incident each time, in more or fewer lines; and calling
    most of a site a wave, where pages are called what their URLs say."""
    lists = [
        replace(page(n, given=LIST, expected=LIST), clues=[f"/l{n % 2}/#", (PRODUCT, "a")])
        for n in range(160, 200)
    ]
    some = []
    for n in range(10):
        like = (SITE if n % 2 else lists)[n]
        some.append(
            replace(
                excuse(n, structure=SORRY + n % 3), arrival=300 + n, given=NEW, clues=like.clues,
                title=n if title is None else title, excuse=SORRY + n,
            )
        )  # fmt: skip
    pages = [*SITE, *lists, *some]
    assert len(waves_of(pages, called_alike(pages))) == waves
