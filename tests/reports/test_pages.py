from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    ("predicted", "template", "mismatch"),
    [
        (None, 1, None),
        (Prediction(1, 0.9), None, None),
        (Prediction(1, 0.9), 1, False),
        (Prediction(1, 0.1), 1, False),
        (Prediction(1, 0.79), 2, False),
        (Prediction(1, 0.8), 2, True),
        (Prediction(3, 0.9), 1, False),
        (Prediction(3, 0.9), 2, True),
    ],
)
def test_a_mismatch_is_a_sure_prediction_that_the_page_denies(
    store: Store,
    write: Write,
    predicted: Prediction | None,
    template: int | None,
    mismatch: bool | None,
) -> None:
    """A prediction of a template that has been merged since (3 into 1) is one of its heir."""
    store.pages.set_aliases({3: 1})
    write(store, URL, template, predicted=predicted)
    (line,) = page_lines(Crawl.read(store, "finished"))
    assert line["mismatch"] is mismatch
    assert line["predicted"] == (None if predicted is None else "t1")
    assert line["template"] == (None if template is None else f"t{template}")


def test_a_page_tells_the_first_url_that_led_to_it(store: Store, write: Write) -> None:
    write(store, URL, 1)
    for name in ("x", "y"):
        (id_,) = store.urls.discover([Discovery(URL + name, 1)])
        store.urls.settle(id_, State.REDIRECTED, status=301, target=1)
    (line,) = page_lines(Crawl.read(store, "finished"))
    assert line["redirected_from"] == URL + "x"
    assert list(skipped_lines(Crawl.read(store, "finished"))) == []


def test_every_url_without_a_page_has_a_reason_and_a_prediction(store: Store, write: Write) -> None:
    """Two pages linked from one place were of template 2, one of 1; the rest are expected so."""
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
        {"url": URL + "7", "predicted": None, "reason": "max-pages", "depth": 1},
        {"url": URL + "start", "predicted": None, "reason": "max-pages", "depth": 0},
    ]
