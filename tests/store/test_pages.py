from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tplcrawl.fingerprints.features import Features, features_of
from tplcrawl.records import Assignment, Prediction, Profile
from tplcrawl.store.pages import Item, PageRow
from tplcrawl.store.placing import first_sightings
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, Place

Write = Callable[..., int]
Page = Callable[..., Profile]

URL = "http://a.com/"
JSON_LD = (
    '<script type="application/ld+json">{"@type": "Product", "x": {"@type": "Offer"}}</script>'
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_a_page_comes_back_with_all_that_was_written(
    store: Store, write: Write, page: Page
) -> None:
    write(store, URL, ["/b", "/c?x=1", "/b"], status=203)
    docid = write(
        store,
        URL + "b",
        head=f"<title>It's &lt;b&gt; ☃ %</title>{JSON_LD}",
        template=4,
        predicted=Prediction(3, 0.625),
        depth=1,
    )
    assert docid == 2
    assert list(store.pages.rows()) == [
        PageRow(1, URL, 203, 0, None, "", "", None, Assignment(None, 0.0, "by the test")),
        PageRow(
            2,
            URL + "b",
            200,
            1,
            "/html/body/ul/li/a",
            "It's <b> ☃ %",
            "Product Offer",
            Prediction(3, 0.625),
            Assignment(4, 0.75, "by the test"),
        ),
    ]
    assert list(store.pages.rows([2])) == list(store.pages.rows())[1:]
    assert list(store.pages.rows([])) == []
    assert list(store.pages.briefs()) == [
        (1, URL, Place(), Assignment(None, 0.0, "by the test")),
        (2, URL + "b", Place(1, "1.1.1.1.1", 1), Assignment(4, 0.75, "by the test")),
    ]
    assert store.pages.docids() == [1, 2]
    assert len(store.pages) == 2
    assert [store.pages.has(docid) for docid in (1, 2, 3)] == [True, True, False]
    profile = page(URL, ["/b", "/c?x=1", "/b"])
    assert store.pages.outline(1) == profile.outline
    features = Features.decode(store.pages.features(1))
    assert features.encode() == features_of(URL, profile.outline, profile.lzw).encode()
    store.close()


def test_sightings_are_ids_in_document_order(store: Store, write: Write) -> None:
    write(store, URL, ["/b", "/c?x=1&y=2", "/b", "/", "/c?y=2&x=1"])
    ((docid, seen),) = store.pages.sightings()
    assert docid == 1
    assert seen.targets.tolist() == [2, 3, 2, 1, 3]
    assert [store.locations.paths()[n] for n in seen.locations] == ["/html/body/ul/li/a"] * 5
    assert seen.positions[2:4] == ((1, 1, 1, 3, 1), (1, 1, 1, 4, 1))
    assert [row.place.positions for row in store.urls.waiting(0, 9)] == ["1.1.1.1.1", "1.1.1.2.1"]
    store.close()


def test_the_first_link_to_a_url_is_its_place(store: Store, write: Write) -> None:
    write(store, URL, ["/b"])
    write(store, URL + "b", ["/", "/b", "/new"])
    places = {url: place for url, _, place, _, _ in store.urls.unfetched()}
    assert places == {URL + "new": Place(1, "1.1.1.3.1", 2)}
    store.close()


def test_the_first_sighting_is_that_of_the_earliest_other_page(store: Store, write: Write) -> None:
    """Also where the pages came before the links to them; without links, there is none."""
    names = ["", "b", "c", "d"]
    for name in names:
        store.urls.discover([Discovery(URL + name, 0)])
    write(store, URL + "c", ["/c", "/x", "/b", "/d", "/b"])
    assert first_sightings(store) == {}
    for name in ("b", ""):
        write(store, URL + name, ["/b", "/c", "/x"])
    assert first_sightings(store) == {
        2: (1, 1, "1.1.1.1.1"),
        3: (1, 1, "1.1.1.2.1"),
    }
    assert not store.pages.any_inbound()
    store.urls.adopt(first_sightings(store))
    assert store.pages.any_inbound()
    store.close()


def test_cuts_are_counted_one_by_one(store: Store, write: Write) -> None:
    long = "x " * 600
    many = "".join(f"<i class='{long}'></i>" for _ in range(2))
    for n in range(3):
        write(store, f"{URL}{n}", head=many if n else "")
    assert store.pages.cuts() == {"classes": 2}
    store.close()


def test_an_assignment_is_written_over_an_earlier_one(store: Store, write: Write) -> None:
    for n in range(4):
        write(store, f"{URL}{n}", template=1)
    store.pages.assign(2, Assignment(None, 0.0, "like no other"))
    store.pages.assign_many([(3, Assignment(2, 0.5, "new")), (1, Assignment(2, 0.25, "new"))])
    assert store.pages.templates() == [2, None, 2, 1]
    assert [row.assignment.confidence for row in store.pages.rows()] == [0.25, 0.0, 0.5, 0.75]
    store.close()


def test_aliases_are_those_that_were_set_last(store: Store) -> None:
    for aliases in ({2: 1, 3: 1}, {2: 5}, {}):
        store.pages.set_aliases(aliases)
        assert store.pages.aliases() == aliases
    store.close()


def test_bodies_are_kept_byte_by_byte_until_they_are_dropped(store: Store) -> None:
    bodies = {1: bytes(range(256)) * 50, 2: b"", 3: b"<html>" * 10_000}
    for docid, body in bodies.items():
        store.pages.keep_body(docid, b"before", "ascii")
        store.pages.keep_body(docid, body, "cp1252")
    assert store.pages.bodies() == [1, 2, 3]
    assert {docid: store.pages.body(docid) for docid in bodies} == {
        docid: (body, "cp1252") for docid, body in bodies.items()
    }
    store.pages.drop_bodies([2, 1, 9])
    assert store.pages.bodies() == [3]
    assert store.pages.body(1) is None
    store.close()


def test_items_come_template_by_template_and_those_without_one_last(
    store: Store, write: Write
) -> None:
    items = [Item("A", json.dumps({"n": n, "é": "\u2028"})) for n in range(5)]
    write(store, URL + "1", template=2, items=items[:2])
    write(store, URL + "2", template=1, items=items[2:3])
    write(store, URL + "3", items=items[3:4])
    store.pages.add_items(0, [Item("B", '{"of": null, "n": 9}')])
    store.pages.add_items(1, items[4:], start=2)
    found = list(store.pages.items())
    assert [(template, data["n"], kind) for template, data, kind in found] == [
        (1, 2, "A"),
        (2, 0, "A"),
        (2, 1, "A"),
        (2, 4, "A"),
        (None, 9, "B"),
        (None, 3, "A"),
    ]
    assert found[0][1] == {"n": 2, "é": "\u2028"}
    assert store.pages.item_fields(None) == ["of", "n", "é"]
    assert store.pages.item_fields(2) == ["n", "é"]
    assert [store.pages.item_count(docid) for docid in (None, 0, 1, 2, 3, 4)] == [6, 1, 3, 1, 1, 0]
    store.pages.drop_items(1)
    assert store.pages.item_count() == 3
    assert store.pages.item_fields(2) == []
    store.close()
