from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tplcrawl.records import Prediction
from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.pages import page_lines, skipped_lines
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, Place, State

Write = Callable[..., int]

URL = "http://a.com/"


def test_a_line_tells_all_of_a_page(store: Store, write: Write) -> None:
    write(store, URL, 1, links=["/b"])
    write(store, URL + "b", 2, html="<title>B</title>", confidence=0.75, depth=1)
    first, second = page_lines(Crawl.read(store, "finished"))
    assert first == {
        "url": URL,
        "docid": 1,
        "status": 200,
        "template": "t1",
        "confidence": 0.5,
        "reason": "by the test",
        "predicted": None,
        "location": None,
        "mismatch": None,
        "depth": 0,
        "redirected_from": None,
        "title": "",
    }
    assert second["docid"] == 2
    assert (second["depth"], second["location"]) == (1, "/html/body/a")
    assert second["title"] == "B"


def test_a_prediction_of_a_merged_template_is_one_of_its_heir(store: Store, write: Write) -> None:
    store.pages.set_aliases({3: 1})
    docid = write(store, URL, 2, predicted=Prediction(3, 0.9))
    crawl = replace(Crawl.read(store, "finished"), mismatches={docid: "redirect"})
    (line,) = page_lines(crawl)
    assert (line["predicted"], line["template"], line["mismatch"]) == ("t1", "t2", "redirect")


def test_a_page_tells_the_first_url_that_led_to_it(store: Store, write: Write) -> None:
    write(store, URL, 1)
    for name in ("x", "y"):
        (id_,) = store.urls.discover([Discovery(URL + name, 1)])
        store.urls.settle(id_, State.REDIRECTED, status=301, target=1)
    (line,) = page_lines(Crawl.read(store, "finished"))
    assert line["redirected_from"] == URL + "x"
    assert list(skipped_lines(Crawl.read(store, "finished"))) == []


def test_every_url_without_a_page_has_a_reason_and_a_prediction(store: Store, write: Write) -> None:
    """Two pages linked from one place were of template 2, one of 1, as what looks so is."""
    write(store, URL, 1, links=["/1", "/2", "/3", "/4", "/5", "/6"], html="<p><a href=/7>7</a>")
    for name, template in (("1", 2), ("2", 1), ("3", 2)):
        write(store, URL + name, template, depth=1)
    store.urls.settle(5, State.SKIPPED, reason="robots.txt")
    store.urls.settle(6, State.FAILED, reason="status 404", status=404)
    store.urls.discover([Discovery(URL + "start", 0, place=Place())])
    lines: list[dict[str, Any]] = list(skipped_lines(Crawl.read(store, "max-pages")))
    assert lines == [
        {"url": URL + "4", "predicted": "t2", "reason": "robots.txt", "depth": 1},
        {"url": URL + "5", "predicted": "t2", "reason": "status 404", "depth": 1},
        {"url": URL + "6", "predicted": "t2", "reason": "max-pages", "depth": 1},
        {"url": URL + "7", "predicted": "t2", "reason": "max-pages", "depth": 1},
        {"url": URL + "start", "predicted": None, "reason": "max-pages", "depth": 0},
    ]
