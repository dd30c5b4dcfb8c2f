from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import scrapy
from scrapy.http import HtmlResponse

from tplcrawl.crawl.items import ItemEncoder, PageItem
from tplcrawl.crawl.visit import Visit
from tplcrawl.store.pages import Item


@dataclass
class Thing:
    name: str
    when: date = date(2024, 5, 6)


class Priced(scrapy.Item):
    price = scrapy.Field(serializer=lambda value: f"{value} EUR")
    parts = scrapy.Field()


@pytest.mark.parametrize(
    ("item", "kind", "data"),
    [
        ({"a": [1, {"b": None}], "\u00e9": "\u4e16"}, "dict", {"a": [1, {"b": None}], "é": "世"}),
        (Thing("x"), "Thing", {"name": "x", "when": "2024-05-06"}),
        (Priced(price=3), "Priced", {"price": "3 EUR"}),
        (Priced(parts=[Thing("y"), {"z": Decimal("1.50")}]), "Priced",
         {"parts": [{"name": "y", "when": "2024-05-06"}, {"z": "1.50"}]}),
        (PageItem(url="u", json_ld=[]), "PageItem", {"url": "u", "json_ld": []}),
        ({"set": {1}}, "dict", {"set": [1]}),
        ({"bytes": b"text"}, "dict", {"bytes": "text"}),
    ],
)  # fmt: skip
def test_items_of_every_kind_become_json(item: Any, kind: str, data: dict[str, Any]) -> None:
    kept = ItemEncoder()(item)
    assert (kept.kind, json.loads(kept.data)) == (kind, data)


def visit() -> tuple[Visit, list[list[Item]]]:
    written: list[list[Item]] = []
    response = HtmlResponse("http://a.test/")
    return Visit(response, lambda done: written.append(list(done.items))), written


def test_a_page_is_written_when_its_last_item_is_out() -> None:
    page, written = visit()
    item = Item("dict", "{}")
    page.item_in()
    page.item_in()
    page.complete()
    page.item_out(item)
    assert written == []
    page.item_out(None)
    assert written == [[item]]


def test_a_page_is_not_written_before_its_callback_is_done() -> None:
    page, written = visit()
    page.item_in()
    page.item_out(Item("dict", "{}"))
    assert written == []
    page.complete()
    assert len(written) == 1


def test_a_page_without_items_is_written_at_once() -> None:
    page, written = visit()
    page.complete()
    assert written == [[]]
