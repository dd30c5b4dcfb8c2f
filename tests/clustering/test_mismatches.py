"""Whose a page is that several URLs show, and which pages are built otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tplcrawl.clustering.faces import Seen, faces_of
from tplcrawl.clustering.rebuilt import REDESIGN, VARIANT, rebuilt

PRODUCT, LIST, NEW = 1, 2, 3


def products(count: int, first: int = 100, given: int = PRODUCT) -> list[Seen]:
    """Pages of products, each with a content of its own."""
    return [
        Seen(n, n, n, 0, given, PRODUCT, f"/p/{n}", n // 5, ["/p/#", (LIST, "a")])
        for n in range(first, first + count)
    ]


def own_links(docids: Sequence[int]) -> dict[int, set[int]]:
    """Every page of a list links to the same products."""
    return {docid: {1, 2, 3, 4} for docid in docids}


def test_a_list_under_urls_of_products_is_a_redirect_to_where_it_stands() -> None:
    """Catches taking the list itself for an excuse, or for one of those that are redirected."""
    lists = [
        Seen(n, n, n, 0, LIST, LIST, f"/l/{n}", 0, ["/l/#", (9, "nav a")]) for n in range(2, 8)
    ]
    host = replace(lists[0], docid=8, arrival=8, content=77, place="/l/8")
    guests = [replace(one, content=77, given=LIST) for one in products(3, 50)]
    faces = faces_of([*lists, host, *guests, *products(40)], own_links)
    assert faces.moved == {50, 51, 52}
    assert not faces.stray


def test_an_excuse_stands_rightly_nowhere_even_if_it_came_first() -> None:
    """Catches an excuse that came before anything was expected being taken for a page's own."""
    excuses = [replace(one, content=77, given=NEW) for one in products(4, 50)]
    excuses[0] = replace(excuses[0], expected=NEW)
    faces = faces_of([*excuses, *products(40)], lambda docids: {docid: set() for docid in docids})
    assert faces.stray == {50, 51, 52, 53}
    assert not faces.moved


@pytest.mark.parametrize("early", [1, 3])
def test_of_several_places_of_which_nothing_tells_none_is_an_excuses_own(early: int) -> None:
    """Catches excuses being named after the first of them, as if that were a page of the site."""
    first = [
        Seen(n, n, 77, 0, NEW, NEW, f"/{n}", 0, [f"/{n}", (n, "a")]) for n in range(1, 1 + early)
    ]
    later = [replace(one, content=77, given=NEW) for one in products(6, 50)]
    faces = faces_of([*first, *later, *products(40)], own_links)
    found = {one.docid for one in later}
    assert (faces.moved, faces.stray) == (
        (found, set()) if early == 1 else (set(), {1, 2, 3, *found})
    )


@pytest.mark.parametrize("menu", [True, False])
def test_what_stands_in_a_menu_of_many_kinds_of_pages_is_one_of_them(menu: bool) -> None:
    """Catches calling it an excuse, since hardly any other page is of its template; and calling the
    first of many excuses a page, since it stands where lists do."""
    others = [
        Seen(n, n, n, 0, 10 + n if menu and n > 3 else LIST, LIST, f"/{n}", 0, [(9, "nav a")])
        for n in range(1, 7)
    ]
    first = replace(others[0], docid=8, arrival=8, content=77, given=NEW, place="/8")
    guests = [replace(one, content=77, given=NEW) for one in products(6, 50)]
    faces = faces_of([*others, first, *guests, *products(40)], own_links)
    found = {one.docid for one in guests}
    assert (faces.moved, faces.stray) == ((found, set()) if menu else (set(), {8, *found}))


def test_one_page_with_two_names_is_no_redirect() -> None:
    """Catches false alarms where a page is linked with and without a file name."""
    twins = [replace(one, content=77) for one in products(2, 50)]
    faces = faces_of([*twins, *products(40)], own_links)
    assert not faces.moved
    assert not faces.stray


@pytest.mark.parametrize(("every", "kind"), [(5, VARIANT), (0, None)])
def test_a_variant_comes_as_if_by_lot(every: int, kind: str | None) -> None:
    """Catches calling the rest of an ordered list a variant: the same pages, one after another."""
    pages = products(100)
    chosen = {n for n in range(100) if n % every == 0} if every else set(range(40, 60))
    mixed = [replace(one, given=NEW) if n in chosen else one for n, one in enumerate(pages)]
    kinds = rebuilt(mixed)
    assert kinds == ({mixed[n].docid: kind for n in sorted(chosen)} if kind else {})


@pytest.mark.parametrize(("sources", "kind"), [(5, REDESIGN), (1000, None)])
def test_a_redesign_is_seen_from_many_pages(sources: int, kind: str | None) -> None:
    """Catches calling the two parts of one long list a redesign."""
    old, new = products(40), products(40, 200, NEW)
    pages = [replace(one, source=one.docid // sources, expected=one.given) for one in (*old, *new)]
    assert rebuilt(pages) == ({one.docid: kind for one in new} if kind else {})


@pytest.mark.parametrize(("elsewhere", "kind"), [(20, REDESIGN), (60, None)])
def test_what_comes_late_and_mostly_elsewhere_is_no_redesign(
    elsewhere: int, kind: str | None
) -> None:
    """Catches another page type, which comes when the first has come to its end."""
    old, new = products(40), products(12 + elsewhere, 200, NEW)
    own = [replace(one, clues=[one.clues[0], "of its own"]) for one in new[12:]]
    pages = [
        replace(one, source=one.docid // 5, expected=one.given) for one in (*old, *new[:12], *own)
    ]
    assert rebuilt(pages) == ({one.docid: kind for one in new} if kind else {})
