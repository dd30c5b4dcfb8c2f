from __future__ import annotations

from collections.abc import Callable

import pytest

from tplcrawl.reports.templates import template_rows, templates_json
from tplcrawl.store.store import Store

Write = Callable[..., int]

URL = "http://a.com/"


def test_templates_come_largest_first_with_what_their_pages_share(
    store: Store, write: Write
) -> None:
    write(store, URL, 3, links=[f"/post/{n}" for n in range(1, 8)], html="<p><a href=/x>x</a>")
    for n in range(1, 7):
        write(store, f"{URL}post/{n}", 5, confidence=n / 8, depth=1)
    write(store, URL + "post/7", 4, depth=1)
    write(store, URL + "x", None, depth=1)
    store.pages.set_aliases({9: 5, 1: 5, 2: 4})
    rows = template_rows(store, list(store.pages.rows()))
    assert [(one.id, one.number, one.pages, one.name) for one in rows] == [
        ("t5", 5, 6, "post"),
        ("t3", 3, 1, "home"),
        ("t4", 4, 1, "post-2"),
    ]
    assert templates_json(store, rows)["templates"][0] == {
        "id": "t5",
        "name": "post",
        "why": "its pages are alike in structure; unlike post-2: the places of links to it",
        "pages": 6,
        "share": round(6 / 9, 4),
        "url_pattern": "/post/{n}",
        "locations": ["/html/body/a"],
        "sample_urls": [f"{URL}post/{n}" for n in (1, 2, 3, 4, 5)],
        "cohesion": 1.0,
        "confidence": round(21 / 8 / 6, 3),
        "aliases": ["t1", "t9"],
        "nearest": "t4",
    }
    assert [one.docids for one in rows] == [[2, 3, 4, 5, 6, 7], [1], [8]]
    assert rows[1].locations == []
    assert rows[2].aliases == ["t2"]
    head = templates_json(store, rows)
    assert (head["site"], head["method"]) == ("a.com", "by the test")


def test_of_templates_of_one_name_the_smaller_says_what_it_has(store: Store, write: Write) -> None:
    """Catches names that only a number tells apart where the pages say what they are."""
    for n in range(4):
        write(store, f"{URL}issues/{n}", 1, depth=1)
    for n in range(3):
        write(store, f"{URL}files/issues/{n}", 2, depth=1)
    for template, name in enumerate(("files/all", "boards", "wiki", "login", "users", "tags"), 3):
        write(store, URL + name, template, depth=1)
    names = [row.name for row in template_rows(store, list(store.pages.rows()))]
    assert names[:3] == ["issues", "issues-files", "all"]


def test_the_locations_are_those_that_most_pages_were_first_linked_from(
    store: Store, write: Write
) -> None:
    """The paths by count, then by name; five of them."""
    tags = ["b", "i", "u", "s", "em", "q"]
    spots = {tag: 1 + (tag in "iu") for tag in tags}
    html, names = "", []
    for tag, count in spots.items():
        for n in range(count):
            names.append(f"{tag}{n}")
            html += f"<{tag}><a href=/{tag}{n}>x</a></{tag}>"
    write(store, URL, 1, html=html)
    for name in names:
        write(store, URL + name, 2, depth=1)
    (large, _) = template_rows(store, list(store.pages.rows()))
    assert large.locations == [f"/html/body/{tag}/a" for tag in ("i", "u", "b", "em", "q")]


def test_cohesion_is_how_alike_two_pages_are_in_the_mean(store: Store, write: Write) -> None:
    """Three pages with the paths 0 1 2, 0 1 and 0 1 3 below html and body."""
    for n, html in enumerate(("<p>x</p><b>y</b>", "<p>x</p>", "<p>x</p><i>z</i>")):
        write(store, f"{URL}{n}", 1, html=html)
    (row,) = template_rows(store, list(store.pages.rows()))
    assert row.cohesion == pytest.approx((3 / 4 + 3 / 4 + 3 / 5) / 3, abs=1e-3)


def test_a_page_is_alike_to_itself_and_no_pages_are_no_templates(
    store: Store, write: Write
) -> None:
    assert template_rows(store, list(store.pages.rows())) == []
    write(store, URL, 1)
    (row,) = template_rows(store, list(store.pages.rows()))
    assert (row.cohesion, row.share) == (1.0, 1.0)


def test_the_first_sample_is_the_typical_page(store: Store, write: Write) -> None:
    """Catches that an index, the first page that a crawl met, stands for what it leads to."""
    write(store, URL, 1, html="<ul><li>x</ul>", links=["/a", "/b"])
    for name in "ab":
        write(store, URL + name, 1, html="<h1>x</h1><p>y")
    (row,) = template_rows(store, list(store.pages.rows()))
    assert row.sample_urls == [f"{URL}a", URL, f"{URL}b"]
    assert row.typical == 2


def test_samples_are_spread_over_the_whole_crawl(store: Store, write: Write) -> None:
    for n in range(300):
        write(store, f"{URL}{'p' if n < 250 else 'other'}/{n}", 1, keep=False)
    (row,) = template_rows(store, list(store.pages.rows()))
    assert row.sample_urls == [f"{URL}p/{n}" for n in (0, 1, 75, 150, 225)]
    assert row.url_pattern == "/*/{n}"
    assert len(row.docids) == 300
