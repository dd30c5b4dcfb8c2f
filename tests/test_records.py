from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.outline import Outline
from tplcrawl.page.profile import parse, profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.records import Links, Profile

URL = "http://example.com/"

TAGS = st.sampled_from(
    [
        "div",
        "o:p",
        "x-y",
        "h1",
        "a.b",
        "d_e",
        "and",
        "text",
        "node",
        "comment",
        "or",
        "div2",
        "b'c",
        'b"c',
        "b'c\"d'",
        "b\\n",
        "bé",
        "b\xad",
        "b[1]",
        "b{c}",
        "b*",
        "b|c",
        "b(1)",
        "b@c",
    ]
)
TOKENS = st.one_of(
    TAGS.map(lambda tag: f"<{tag}>"),
    TAGS.map(lambda tag: f"</{tag}>"),
    st.sampled_from(["<a href=/{}>x</a>", "<a href=/{}>", "text", "<br>", "<!-- x -->"]),
)


def numbered(tokens: list[str]) -> bytes:
    return "".join(
        token.replace("=/{}", f"=/{number}") for number, token in enumerate(tokens)
    ).encode()


@given(st.lists(TOKENS, max_size=25))
@settings(max_examples=200)
def test_the_xpath_of_a_sighting_leads_to_its_link_alone(tokens: list[str]) -> None:
    body = numbered(tokens)
    profile = profile_of(URL, body, Cleaner(Site([URL])))
    root = parse(body, "utf-8")
    for sighting in profile.links.sightings(7):
        found = root.xpath(sighting.xpath)
        assert [URL + element.get("href")[1:] for element in found] == [sighting.url]


def test_sightings_are_the_rows_of_the_columns() -> None:
    links = Links(("u", "v"), ("/html/a", "/html/p/a"), ((1, 2), (1, 1, 3)), (True, False))
    first, second = links.sightings(7)
    assert len(links) == 2
    assert (first.url, first.location, first.positions, first.prose) == (
        "u",
        "/html/a",
        (1, 2),
        True,
    )
    assert first.xpath == "/html[1]/a[2]"
    assert second.xpath == "/html[1]/p[1]/a[3]"
    assert first.docid == second.docid == 7


@pytest.mark.parametrize(
    "links",
    [
        Links(("u",), (), ((1,),), (True,)),
        Links(("u",), ("/a",), (), (True,)),
        Links(("u",), ("/a",), ((1,),), ()),
        Links(("u",), ("/a",), ((1, 2),), (False,)),
    ],
)
def test_columns_that_do_not_fit_are_no_sightings(links: Links) -> None:
    with pytest.raises(ValueError, match="zip"):
        assert [sighting.xpath for sighting in links.sightings(1)]


def test_a_summary_says_nothing_rather_than_an_empty_text() -> None:
    outline = Outline((), (), (), ())
    assert Profile(URL, outline, b"").summary() == {
        "url": URL,
        "title": "",
        "template": None,
        "canonical": None,
        "lang": None,
        "json_ld": [],
    }
    full = Profile(URL, outline, b"", Links(), "T", "/c", "de", ("A", "B")).summary("t1")
    assert full == {
        "url": URL,
        "title": "T",
        "template": "t1",
        "canonical": "/c",
        "lang": "de",
        "json_ld": ["A", "B"],
    }
