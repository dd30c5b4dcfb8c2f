"""What a search makes of the answers that it gets."""

from __future__ import annotations

import pytest

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.fingerprints.url_shape import url_form
from tplcrawl.planning.leads import Leads
from tplcrawl.store.urls import Place

LIST, POST, OTHER = 1, 2, 3
NEXT, ENTRY, MENU = 11, 12, 13


def site() -> tuple[Leads, dict[int, int]]:
    """A list leads to the next one and to posts; a menu to other pages."""
    templates: dict[int, int] = {}
    return Leads(lambda docid: templates.get(docid or 0)), templates


def come(
    leads: Leads, templates: dict[int, int], docid: int, on: int, location: int, of: int
) -> None:
    templates[docid] = of
    leads.note(docid, f"http://a.test/{docid}/", Place(location, source=on), page=True)
    if of == POST:
        leads.found(docid)


def test_a_list_of_lists_is_worth_what_stands_behind_it() -> None:
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    come(leads, templates, 2, 1, NEXT, LIST)
    for docid in (3, 4, 5):
        come(leads, templates, docid, 2, ENTRY, POST)
    come(leads, templates, 6, 1, MENU, OTHER)
    form = ("2", "", "/", "")
    following = leads.value(LIST, (NEXT, LIST), form, 0.1)
    other = leads.value(OTHER, (MENU, LIST), form, 0.1)
    assert following > 1 > other
    assert leads.mixed == {(ENTRY, LIST)}


def test_what_has_led_nowhere_is_given_up_and_what_is_asked_for_counts_as_such() -> None:
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    corner, form = (MENU, LIST), ("2", "", "/", "")
    hope = leads.value(OTHER, corner, form, 0.1)
    leads.ask(77, OTHER, corner, form)
    assert leads.value(OTHER, corner, form, 0.1) < hope
    leads.leave(77)
    assert leads.value(OTHER, corner, form, 0.1) == hope > leads.least
    for docid in range(2, 100):
        come(leads, templates, docid, 1, MENU, OTHER)
    assert leads.value(OTHER, corner, form, 0.1) < 0.05 < leads.least


def test_a_search_that_took_other_pages_for_what_is_looked_for_goes_on_from_there() -> None:
    """Catches a search that ends when it comes out what is looked for: as long as pages of two
    templates were taken for one, nothing but these was asked for, and so no others were found."""
    leads, templates = site()
    leads.renew({POST})
    come(leads, templates, 1, 0, ENTRY, POST)
    for docid in range(2, 100):
        come(leads, templates, docid, 1, ENTRY, POST)
    for docid in range(2, 100):
        templates[docid] = OTHER
    leads.renew({POST})
    assert leads.drought == 0
    for docid in range(100, 200):
        come(leads, templates, docid, 1, ENTRY, OTHER)
    assert leads.drought == 1


def test_that_no_page_will_come_is_believed_when_it_was_tried() -> None:
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    untried, form = (ENTRY, LIST), ("3", "new", "", "")
    assert leads.value(NO_PAGE, untried, form, 0.4) > leads.least
    for n in range(6):
        leads.note(50 + n, f"http://a.test/new/{n}", Place(ENTRY, source=1), NO_PAGE, page=False)
    assert leads.value(NO_PAGE, untried, form, 0.4) < 0.01


def test_of_what_leads_to_no_page_only_so_many_are_tried_where_nothing_was_found() -> None:
    """Catches asking for a thousand of them one after the other, as they stand among others that
    seem worth a fetch; and believing that of a place where pages are found, or before it is known
    which these are."""
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    corner = ENTRY, LIST
    for n in range(24):
        leads.renew({POST})
        assert not leads.vainly(corner)
        leads.note(50 + n, f"http://a.test/new/{n}", Place(ENTRY, source=1), NO_PAGE, page=False)
    assert leads.vainly(corner)
    assert leads.value(NO_PAGE, corner, ("3", "new", "", ""), 0.4) == 0
    assert not leads.vainly((NEXT, LIST))
    leads.renew(set())
    assert not leads.vainly(corner)
    leads.renew({POST})
    come(leads, templates, 90, 1, ENTRY, POST)
    assert not leads.vainly(corner)


def test_where_others_were_found_a_wrong_expectation_hides_nothing() -> None:
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    for docid in range(2, 40):
        come(leads, templates, docid, 1, MENU, OTHER)
    corner, form = (ENTRY, LIST), ("3", "posts", "", "")
    assert leads.value(OTHER, corner, form, 0.1) < 0.03
    come(leads, templates, 60, 1, ENTRY, POST)
    assert leads.value(OTHER, corner, form, 0.1) > 0.09


def test_an_answer_tells_once_that_a_place_leads_nowhere() -> None:
    """Catches a single failure that counts twice where a place has URLs of one form, as it is what
    is known of the place and of the form there: a hundred profiles were given up after one."""
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    corner, form = (ENTRY, LIST), url_form("http://a.test/9/")
    hope = leads.value(OTHER, corner, form, 0.1)
    templates[2] = LIST
    leads.note(2, "http://a.test/2/", Place(ENTRY, source=1), expected=OTHER, page=True)
    once = leads.value(OTHER, corner, form, 0.1)
    assert once == hope / 2
    other = url_form("http://a.test/b/x.html")
    assert leads.value(OTHER, corner, other, 0.1) == once
    templates[3] = LIST
    leads.note(3, "http://a.test/b/x.html", Place(ENTRY, source=1), expected=OTHER, page=True)
    assert leads.value(OTHER, corner, form, 0.1) == hope / 3 / 2


def test_what_will_hardly_lead_to_a_page_is_hardly_worth_a_fetch() -> None:
    """Catches links that lead nowhere being tried like any place that nobody knows: a site has
    many such places."""
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    untried, form = (ENTRY, LIST), ("3", "new", "", "")
    unknown = leads.value(None, untried, form, 1.0)
    assert leads.value(NO_PAGE, untried, form, 0.25) == unknown / 4


def test_a_side_from_which_a_url_looks_like_a_given_one_is_given_up_when_it_has_failed() -> None:
    """Catches tries without an end, as many as there are URLs in a folder or of an ending; and an
    end although what was tried was looked for."""
    templates: dict[int, int] = {}
    leads = Leads(lambda docid: templates.get(docid or 0), ["http://a.test/x/frame.html"])
    likeness, place = leads.likeness, Place(ENTRY, source=9)
    leads.renew({POST})
    same_name = likeness.of("http://a.test/y/frame.html")
    same_folder = likeness.of("http://a.test/x/list.html")
    assert same_name - same_folder
    assert same_folder - same_name
    assert likeness.failures(likeness.of("http://a.test/")) is None
    for n in range(3):
        assert likeness.failures(same_name) == n
        leads.note(n, f"http://a.test/z{n}/frame.html", place, OTHER, page=True)
        templates[10 + n] = POST
        leads.note(10 + n, f"http://a.test/y{n}/frame.html", place, OTHER, page=True)
    assert likeness.failures(same_name) is None
    assert likeness.failures(same_folder) == 0
    leads.renew({LIST})
    assert likeness.failures(likeness.of("http://a.test/y0/frame.html")) is None


def test_all_that_changes_what_a_url_is_worth_is_told() -> None:
    """Catches an order that is kept although an answer, a request or a find would have changed
    it."""
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    url = POST, (ENTRY, LIST), url_form("http://a.test/9/")
    told = leads.told(*url)
    leads.news()
    assert leads.news() == []
    leads.ask(9, *url)
    assert set(told) <= set(leads.news())
    leads.leave(9)
    assert set(told) <= set(leads.news())
    place = Place(ENTRY, source=1)
    templates[9] = POST
    leads.note(9, "http://a.test/9/", place, expected=POST, page=True)
    assert set(told) <= set(leads.news())
    leads.found(9)
    assert set(told) <= set(leads.news())
    for docid in range(50, 75):
        come(leads, templates, docid, 1, MENU, OTHER)
    for docid in range(100, 250):
        come(leads, templates, docid, 9, NEXT, POST)
    barren = leads.told(None, (MENU, LIST), url[2])
    leads.news()
    for docid in range(250, 275):
        come(leads, templates, docid, 9, NEXT, POST)
    assert barren[1] in leads.news()
    other = leads.told(OTHER, (MENU, POST), url[2])
    leads.news()
    come(leads, templates, 300, 9, MENU, POST)
    assert other[1] in leads.news()
    leads.renew({OTHER})
    assert set(told) <= set(leads.news())


def test_new_templates_change_what_was_found() -> None:
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    for docid in range(2, 12):
        come(leads, templates, docid, 1, ENTRY, POST)
    corner, form = (ENTRY, LIST), ("2", "", "/", "")
    before = leads.value(None, corner, form, 0.1)
    leads.renew({POST})
    assert leads.value(None, corner, form, 0.1) == before > 0.5
    leads.renew({OTHER})
    assert leads.value(None, corner, form, 0.1) < 0.1
    assert not leads.mixed


def test_what_is_looked_for_is_as_likely_as_expected_until_it_was_tried() -> None:
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    corner, form = (ENTRY, LIST), url_form("http://a.test/99/")
    assert leads.value(POST, corner, form, 0.1, sought=True) == 0.9
    for docid in range(2, 6):
        templates[docid] = OTHER
        place = Place(ENTRY, source=1)
        leads.note(docid, f"http://a.test/{docid}/", place, expected=POST, page=True)
    assert leads.value(POST, corner, form, 0.1, sought=True) == pytest.approx(0.9 / 5)
    assert leads.value(POST, (NEXT, LIST), form, 0.1, sought=True) == 0.9


def test_what_came_true_is_sure_for_as_many_as_were_answered() -> None:
    """Catches taking those under way for failures (hubs would be asked for while pages wait), and
    believing a first answer of any number."""
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    corner, form = (ENTRY, LIST), url_form("http://a.test/2/")
    for docid in range(2, 7):
        templates[docid] = POST
        place = Place(ENTRY, source=1)
        leads.note(docid, f"http://a.test/{docid}/", place, expected=POST, page=True)
        leads.found(docid)
    for docid in range(7, 11):
        leads.ask(docid, POST, corner, form)
        assert leads.sure(POST, corner, form, 0.1)
    assert not leads.sure(POST, corner, form, 0.6)
    for docid in range(11, 15):
        leads.ask(docid, POST, corner, form)
    assert not leads.sure(POST, corner, form, 0.1)


def test_a_search_ends_when_nothing_has_come_for_long() -> None:
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    for docid in range(2, 1602):
        come(leads, templates, docid, 1, ENTRY, POST)
    for docid in range(1602, 1682):
        assert leads.drought < 1
        come(leads, templates, docid, 1, MENU, OTHER)
    assert leads.drought == 1
    come(leads, templates, 1682, 1, ENTRY, POST)
    assert leads.drought < 1


def test_a_search_is_dry_sooner_where_much_has_come_steadily() -> None:
    """Catches a fixed end: ninety answers for nothing after a list that is at its end, or as few
    as after that where hardly anything has come yet."""
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    for docid in range(2, 202):
        come(leads, templates, docid, 1, ENTRY, POST)
    for docid in range(202, 226):
        assert leads.drought < 1
        come(leads, templates, docid, 1, MENU, OTHER)
    assert leads.drought == 1
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, LIST)
    come(leads, templates, 2, 1, ENTRY, POST)
    for docid in range(3, 93):
        assert leads.drought < 1
        come(leads, templates, docid, 1, MENU, OTHER)
    assert leads.drought == 1


def test_what_has_led_nowhere_so_far_is_worth_a_fetch_until_the_search_is_rather_dry() -> None:
    """Catches giving up all lists of a site because the first twenty led nowhere: they were fetched
    before it was known what to follow, and nothing else leads on. Catches an end all at once, too,
    up to which everything is tried."""
    leads, templates = site()
    come(leads, templates, 1, 0, MENU, POST)
    least = []
    for docid in range(2, 92):
        come(leads, templates, docid, 1, MENU, LIST)
        least.append(leads.least)
    corner, form = (MENU, POST), url_form("http://a.test/99/")
    assert least == sorted(least)
    assert least[29] < leads.value(LIST, corner, form, 0.1) < least[39] < least[-1] == 0.2
