from __future__ import annotations

from collections.abc import Callable

from tplcrawl.reports.coverage import coverage
from tplcrawl.reports.templates import template_rows
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State

Write = Callable[..., int]

URL = "http://a.com/"


def test_every_url_is_counted_once_wherever_it_ended(store: Store, write: Write) -> None:
    links = [f"/{n}" for n in range(1, 10)]
    write(store, URL, 1, links=links, items=[Item("A", "{}")] * 3)
    for n in (1, 2, 3):
        write(store, f"{URL}{n}", 2, depth=1, html=f"<i class='{'x ' * 400}'></i>")
    write(store, URL + "4", None, depth=2)
    store.urls.settle(6, State.SKIPPED, reason="robots.txt")
    store.urls.settle(7, State.SKIPPED, reason="depth")
    store.urls.settle(8, State.FAILED, reason="robots.txt")
    store.urls.settle(9, State.REDIRECTED, target=1)
    numbers = coverage(store, template_rows(store), "max-pages")
    assert numbers == {
        "site": "a.com",
        "method": "by the test",
        "stopped": "max-pages",
        "funnel": {"discovered": 10, "fetched": 5, "pages": 5, "assigned": 4},
        "states": {
            "queued": 1,
            "fetched": 5,
            "skipped": 2,
            "failed": 1,
            "redirected": 1,
            "held": 0,
        },
        "reasons": {"robots.txt": 2, "depth": 1},
        "unassigned": 1,
        "templates": [
            {
                "id": "t2",
                "name": "pages",
                "fetched": 3,
                "queued": 1,
                "left_out": {"depth": 1, "robots.txt": 2},
            },
            {"id": "t1", "name": "home", "fetched": 1, "queued": 0, "left_out": {}},
        ],
        "depths": [
            {"depth": 0, "pages": 1, "templates": {"t1": 1}},
            {"depth": 1, "pages": 4, "templates": {"t2": 3, "unassigned": 1}},
        ],
        "predictions": {"made": 0, "right": None, "calibration": []},
        "mismatches": {},
        "traps": [],
        "saturation": None,
        "cuts": {"classes": 3},
        "items": 3,
    }


def test_a_crawl_without_a_page_has_numbers_too(store: Store) -> None:
    store.pages.add_items(0, [Item("A", "{}")])
    numbers = coverage(store, [], "finished")
    assert numbers["funnel"] == {"discovered": 0, "fetched": 0, "pages": 0, "assigned": 0}
    assert numbers["items"] == 1
    assert numbers["templates"] == numbers["depths"] == []
