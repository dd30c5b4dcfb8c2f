"""Whose a page is that several URLs show, and which pages are built otherwise."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from tplcrawl.clustering.faces import faces_of
from tplcrawl.clustering.likes import Seen
from tplcrawl.clustering.mismatches import (
    BLOCK,
    LOGIN,
    REDIRECT,
    SOFT_404,
    Arrivals,
    Denial,
    Shown,
    classify,
    or_walls,
)
from tplcrawl.clustering.rebuilt import REDESIGN, VARIANT, rebuilt
from tplcrawl.clustering.waves import waves_of

PRODUCT, LIST, NEW = 1, 2, 3


def products(count: int, first: int = 100, given: int = PRODUCT) -> list[Seen]:
    """Pages of products, each with a content of its own."""
    return [
        Seen(n, n, n, 0, 0, given, PRODUCT, f"/p/{n}", n // 5, ["/p/#", (LIST, "a")])
        for n in range(first, first + count)
    ]


def own_links(docids: Sequence[int]) -> dict[int, set[int]]:
    """Every page of a list links to the same products."""
    return {docid: {1, 2, 3, 4} for docid in docids}


def test_a_list_under_urls_of_products_is_a_redirect_to_where_it_stands() -> None:
    """Catches taking the list itself for an excuse, or for one of those that are redirected."""
    lists = [
        Seen(n, n, n, 0, 0, LIST, LIST, f"/l/{n}", 0, ["/l/#", (9, "nav a")]) for n in range(2, 8)
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
        Seen(n, n, 77, 0, 0, NEW, NEW, f"/{n}", 0, [f"/{n}", (n, "a")]) for n in range(1, 1 + early)
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
        Seen(n, n, n, 0, 0, 10 + n if menu and n > 3 else LIST, LIST, f"/{n}", 0, [(9, "nav a")])
        for n in range(1, 7)
    ]
    first = replace(others[0], docid=8, arrival=8, content=77, given=NEW, place="/8")
    guests = [replace(one, content=77, given=NEW) for one in products(6, 50)]
    faces = faces_of([*others, first, *guests, *products(40)], own_links)
    found = {one.docid for one in guests}
    assert (faces.moved, faces.stray) == ((found, set()) if menu else (set(), {8, *found}))


def test_a_page_that_every_page_links_to_is_one_of_the_site() -> None:
    """Catches taking it for an excuse, since other pages of the menu are of another template and
    all that it links to is in the menu."""
    menu = [Seen(n, n, n, 0, 0, LIST, LIST, f"/{n}", 0, [(9, "nav a")]) for n in range(1, 7)]
    shop = Seen(8, 8, 77, 0, 0, NEW, LIST, "/shop", 0, ["/#", (9, "nav a")], everywhere=True)
    guests = [replace(one, content=77, given=NEW) for one in products(6, 50)]
    faces = faces_of([*menu, shop, *guests, *products(40)], lambda some: {n: set() for n in some})
    assert faces.moved == {one.docid for one in guests}
    assert not faces.stray


@pytest.mark.parametrize(
    ("clues", "sure"),
    [
        (["/l/#", (9, "nav a")], True),
        (["/l/#", (300, "p a")], True),
        (["/p/#", (9, "nav a")], True),
        (["/300", (300, "p a")], False),
    ],
)
def test_a_page_that_comes_first_under_a_strange_url_is_moved_if_its_own_is_sure(
    clues: list[Hashable], sure: bool
) -> None:
    """Catches missing every redirect to a page that is found later, also where its URL is like
    those of products; and calling the first of two names of one page a redirect where the other one
    tells as little."""
    lists = [
        Seen(n, n, n, 0, 0, LIST, LIST, f"/l/{n}", 0, ["/l/#", (9, "nav a")])
        for n in range(200, 206)
    ]
    guest = replace(products(1, 50)[0], content=77, given=LIST)
    own = replace(lists[0], docid=300, arrival=300, content=77, place="/300", clues=clues)
    faces = faces_of([guest, *products(40), *lists, own], own_links)
    assert faces.moved == ({50} if sure else set())


def test_a_list_that_goes_on_is_one_page_with_parameters() -> None:
    """Catches missing redirects to a list of which more than three pages look alike."""
    clues = ["/l/#", (9, "nav a")]
    others = [Seen(n, n, n, 0, 0, LIST, LIST, f"/l/{n}", 0, clues) for n in range(2, 8)]
    pages = [Seen(n, n, 77, 0, 0, LIST, LIST, "/l/1", 0, clues) for n in range(10, 16)]
    guests = [replace(one, content=77, given=LIST) for one in products(3, 50)]
    faces = faces_of([*others, *pages, *guests, *products(40)], own_links)
    assert faces.moved == {50, 51, 52}


@pytest.mark.parametrize(("shared", "digest", "moved"), [(0, 0, 0), (0, 5, 3), (12, 0, 3)])
def test_one_page_is_known_by_its_bytes_where_its_links_lead_elsewhere(
    shared: int, digest: int, moved: int
) -> None:
    """Links may be relative to the URL that a page is shown under: all of them, or those to the
    rest of a list. Catches looking at links alone."""
    clues = ["/l/#", (9, "nav a")]
    others = [Seen(n, n, n, 0, 0, LIST, LIST, f"/l/{n}", 0, clues) for n in range(2, 8)]
    host = replace(others[0], docid=8, arrival=8, content=77, place="/l/8", digest=digest)
    guests = [replace(one, content=77, given=LIST, digest=digest) for one in products(3, 50)]

    def links(docids: Sequence[int]) -> dict[int, set[int]]:
        return {n: {*range(1000, 1000 + shared), n * 5, n * 5 + 1, n * 5 + 2} for n in docids}

    faces = faces_of([*others, host, *guests, *products(40)], links)
    assert len(faces.moved) == moved


def test_a_page_is_its_own_where_its_url_is_in_its_title() -> None:
    """Catches missing redirects among pages of one template, of which nothing else tells: here of
    the last two products to the third, and to the fourth, whose title no URL is in."""
    pages = [replace(one, named=2) for one in products(40)]
    pages[38] = replace(pages[38], content=pages[2].content, named=0)
    pages[39] = replace(pages[39], content=pages[3].content, named=0)
    pages[3] = replace(pages[3], named=0)
    faces = faces_of(pages, own_links)
    assert (faces.moved, faces.stray) == ({138}, set())


def test_parameters_make_no_other_page_whatever_they_name() -> None:
    """Catches calling the frame of a manual, which shows the class that its query says, a redirect
    to that of the classes that are in its title."""
    frames = [
        replace(one, content=77, given=NEW, expected=NEW, place="/m", named=n % 2)
        for n, one in enumerate(products(8, 50))
    ]
    faces = faces_of([*frames, *products(40)], own_links)
    assert not faces.moved


@pytest.mark.parametrize("found", [0, 3])
def test_a_page_on_which_others_were_found_is_no_excuse(found: int) -> None:
    """Catches calling an index an excuse that stands between pages of other kinds."""
    index = replace(products(1, 50)[0], content=77, given=NEW, expected=NEW, source=9)
    copies = [replace(one, content=77, given=NEW) for one in products(4, 51)]
    others = [replace(one, source=50 if n < found else 9) for n, one in enumerate(products(40))]
    faces = faces_of([index, *copies, *others], own_links)
    expected = ({51, 52, 53, 54}, set()) if found else (set(), {50, 51, 52, 53, 54})
    assert (faces.moved, faces.stray) == expected


def test_one_page_with_two_names_is_no_redirect() -> None:
    """Catches false alarms where a page is linked with and without a file name."""
    twins = [replace(one, content=77) for one in products(2, 50)]
    faces = faces_of([*twins, *products(40)], own_links)
    assert not faces.moved
    assert not faces.stray


@pytest.mark.parametrize("copied", [True, False])
def test_an_excuse_that_is_much_like_what_it_stands_for_is_told_by_its_copies(copied: bool) -> None:
    """Nothing was noted of them when they came: they were taken for what was expected. Catches
    missing them, since their template has many pages as they should be."""
    same = [Denial(n, n, PRODUCT, 77, "/p/#", copied=copied) for n in range(5, 200, 20)]
    proper = [n for n in range(200) if n % 20 != 5]
    found = classify(same, Arrivals({PRODUCT: proper}, {}, {"/p/#": {PRODUCT}}))
    assert found == (dict.fromkeys(range(5, 200, 20), SOFT_404) if copied else {})


@pytest.mark.parametrize("shown", [1, 4])
def test_several_pages_that_are_shown_in_many_places_are_at_home_somewhere(shown: int) -> None:
    """Pages of a template in the place of others of it. Catches calling each an excuse: that is one
    page; and not knowing which place is their own."""
    copies = [
        replace(one, content=70 + n % shown, excuse=70 + n % shown, digest=70 + n % shown)
        for n, one in enumerate(products(24, 300))
    ]
    if shown > 1:
        copies[9] = replace(copies[9], everywhere=True)
    faces = faces_of([*products(60), *copies], own_links)
    if shown == 1:
        assert faces.stray == {one.docid for one in copies}
    else:
        home = {300, 309, 302, 303}
        assert faces.moved == {one.docid for one in copies} - home
        assert not faces.stray


def shown_twice(count: int, first: int, host: int) -> list[Seen]:
    """A page of a menu, and what shows it at *count* URLs besides, whose likes lead to pages of its
    template or to this and that."""
    menu = Seen(host, host, 7000 + host, 0, 0, LIST, LIST, f"/l/{host}", 0, [], everywhere=True)
    clues = ["/x/#", (LIST, "a")]
    return [
        menu,
        *(
            replace(one, content=menu.content, given=LIST, expected=LIST, clues=clues)
            for one in products(count, first)
        ),
    ]


USUAL = [
    *(replace(one, given=LIST, clues=["/q/#", (LIST, "a")]) for one in products(20, 800)),
    *(replace(one, given=one.docid, clues=["/x/#", (8, "b")]) for one in products(20, 900)),
]


def test_of_many_places_the_sure_one_is_a_pages_own() -> None:
    """Catches taking all URLs for its own because some of those that show it have likes of which
    half lead there, too: they were shown it themselves."""
    faces = faces_of([*shown_twice(6, 10, 5), *USUAL], own_links)
    assert faces.moved == set(range(10, 16))


def test_where_many_urls_are_second_names_of_pages_that_is_how_the_site_is_made() -> None:
    """Catches calling the URLs of posts, each of which shows its thread, redirects to threads."""
    seconds = [page for n in range(4) for page in shown_twice(5, 10 + 5 * n, n)]
    assert not faces_of([*seconds, *USUAL], own_links).moved
    # They are half of what stands there, and what stands there most often.
    various = [replace(one, given=one.docid, clues=[(LIST, "a")]) for one in products(40, 1000)]
    assert not faces_of([*seconds, *USUAL, *various], own_links).moved


@pytest.mark.parametrize(("digest", "links", "moved"), [(0, 0, 6), (6, 0, 0), (6, 4, 6)])
def test_what_was_expected_is_another_page_only_if_bytes_or_links_say_so(
    digest: int, links: int, moved: int
) -> None:
    """Catches calling a short page a redirect to another one whose title has other numbers."""
    menu, *others = shown_twice(6, 10, 5)
    others = [replace(one, digest=digest) for one in others]
    menu = replace(menu, digest=0)
    faces = faces_of(
        [menu, *others, *USUAL], lambda docids: {n: set(range(1, 1 + links)) for n in docids}
    )
    assert len(faces.moved) == moved


def test_an_excuse_is_one_where_it_came_before_anything_was_expected() -> None:
    """Catches leaving out the first of them, of which nothing was noted."""
    denials = [Denial(n, n, NEW, 7, "/p/#", bytes(8)) for n in range(30, 90, 5)]
    pages = Arrivals({}, {7: [Shown(3, 3, "/p/#")]}, {"/p/#": {PRODUCT}})
    assert classify(denials, pages) == dict.fromkeys((3, *range(30, 90, 5)), SOFT_404)


@pytest.mark.parametrize("framed", [False, True])
def test_a_wall_asks_for_a_password_where_others_do_not(framed: bool) -> None:
    """Catches calling excuses walls where every page asks, in a box of its frame."""
    noted = [Denial(n, n, PRODUCT, 7, "/p/#", bytes(8), True) for n in range(0, 30, 10)]
    silent = [Denial(n, n, PRODUCT, 7, "/p/#", b"", True, copied=True) for n in range(35, 90, 5)]
    asking = dict.fromkeys(range(100, 300), framed) | dict.fromkeys(range(90), True)
    pages = Arrivals({}, {}, {"/p/#": {PRODUCT, LIST}}, asking)
    kind = SOFT_404 if framed else LOGIN
    found = classify([*noted, *silent], pages)
    assert found == {one.docid: kind for one in (*noted, *silent)}


@pytest.mark.parametrize("framed", [False, True])
def test_a_redirect_to_what_asks_for_a_password_is_a_wall(framed: bool) -> None:
    """Catches walls where a shop leads to its home page, which has the box that all pages have."""
    asking = dict.fromkeys(range(100), framed) | dict.fromkeys(range(5), True)
    kind = REDIRECT if framed else LOGIN
    told = or_walls(REDIRECT, set(range(5)), dict.fromkeys(range(5), 7), asking)
    assert told == dict.fromkeys(range(5), kind)


@pytest.mark.parametrize("first", [60, 5])
def test_a_wave_that_is_most_of_what_is_known_is_one(first: int) -> None:
    """A wave so long that its page is expected in the end, the first of which denied nothing.
    Catches taking that for a page of the site; but what came long before any wave is one."""
    denials = [
        Denial(n, n, NEW, 7, form="/p/#", text=bytes(256), stands=True) for n in range(61, 67)
    ]
    rest = [Shown(n, n, "/p/#") for n in (first, *range(67, 120))]
    pages = Arrivals({NEW: range(67, 70)}, {7: rest}, {"/p/#": {PRODUCT, NEW}})
    found = dict.fromkeys(range(60, 120), BLOCK) if first == 60 else {}
    assert classify(denials, pages) == found


@pytest.mark.parametrize(("other", "kind"), [(0, SOFT_404), (1, None)])
def test_an_excuse_below_the_name_of_what_it_was_is_one(other: int, kind: str | None) -> None:
    """Catches missing "no longer available" since each page has a title of its own; short pages
    have, too, but say a little else each."""
    words = range(100, 131)
    denials = [
        Denial(n, 9 * n, NEW, n, text=np.array([*words, n if other else 0], "<u4").tobytes())
        for n in range(6)
    ]
    assert classify(denials, Arrivals({}, {}, {})) == (
        dict.fromkeys(range(6), kind) if kind else {}
    )


def shows(count: int, first: int, excuse: int, given: int, form: str) -> list[Seen]:
    """Pages one after the other, of which nothing was expected that they are not."""
    return [
        Seen(n, n, n, excuse or n, 0, given, given, f"{form}{n}", 0, [form, (0, "a")])
        for n in range(first, first + count)
    ]


@pytest.mark.parametrize(
    ("second", "later", "wave"),
    [
        ("/l/#", 0, True),
        pytest.param("/p/#", 0, False, id="urls of one form: of another template"),
        pytest.param("/n/#", 0, False, id="urls of a form of their own"),
        pytest.param("/l/#", 1, False, id="it comes again"),
    ],
)
def test_a_wave_is_told_by_its_urls_even_if_it_was_expected_soon(
    second: str, later: int, wave: bool
) -> None:
    """Catches missing a wave whose page was a template of its own from its second page on; and
    calling a page type a wave of which all pages look alike and come together."""
    shown = [*shows(20, 100, 7, NEW, "/p/#"), *shows(20, 120, 7, NEW, second)]
    usual = [*shows(30, 10, 0, PRODUCT, "/p/#"), *shows(30, 200, 0, LIST, "/l/#")]
    again = shows(later, 300, 7, NEW, "/p/#")
    told = waves_of([*usual, *shown, *again])
    assert told == (shown if wave else [])


@pytest.mark.parametrize(("every", "kind"), [(5, VARIANT), (0, None)])
def test_a_variant_comes_as_if_by_lot(every: int, kind: str | None) -> None:
    """Catches calling the rest of an ordered list a variant: the same pages, one after another."""
    pages = products(100)
    chosen = {n for n in range(100) if n % every == 0} if every else set(range(40, 60))
    mixed = [replace(one, given=NEW) if n in chosen else one for n, one in enumerate(pages)]
    kinds = rebuilt(mixed)
    assert kinds == ({mixed[n].docid: kind for n in sorted(chosen)} if kind else {})


@pytest.mark.parametrize("kinds", [2, 3])
def test_many_variants_are_page_types_that_urls_do_not_tell_apart(kinds: int) -> None:
    """Catches calling the videos, galleries and reports of a site with bare numbers in its URLs
    an experiment."""
    pages = products(200)
    mixed = [
        replace(one, given=NEW + n * 7 % 20) if n * 7 % 20 < kinds else one
        for n, one in enumerate(pages)
    ]
    found = {one.docid: VARIANT for one in mixed if one.given != PRODUCT}
    assert rebuilt(mixed) == (found if kinds == 2 else {})


def test_page_types_are_none_even_if_two_of_them_look_like_variants() -> None:
    """Catches taking two of three page types for variants since the third came in its own order:
    83 pages of a site of which some went wrong."""
    pages = products(300)
    mixed = [
        replace(one, given=NEW + n * 7 % 20) if n * 7 % 20 < 2 else one
        for n, one in enumerate(pages)
    ]
    assert set(rebuilt(mixed).values()) == {VARIANT}
    mixed[80:95] = [replace(one, given=NEW + 2) for one in mixed[80:95]]
    assert not rebuilt(mixed)


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
