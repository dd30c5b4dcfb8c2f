from __future__ import annotations

import json
from typing import Any

import pytest

from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import Page, learn
from tplcrawl.wrappers.library import page_of
from tplcrawl.wrappers.structured import names_of, same

pytest.importorskip("extruct")


def page(number: int) -> Page:
    data = {
        "@type": "Product",
        "productID": f"id-{number}",
        "brand": {"@type": "Brand", "name": f"Brand {number}"},
        "offers": {"price": f"{number}.00", "priceCurrency": "USD"},
    }
    body = f"""<html><head><script type=application/ld+json>{json.dumps(data)}</script></head><body>
    <p class=a>id-{number}</p><p class=b>Brand {number}</p><p class=c>${number}</p></body></html>"""
    return page_of("http://a/", body.encode(), "utf-8")


def test_what_pages_say_of_themselves_names_their_fields() -> None:
    wrapper = learn("t1", [page(number) for number in range(10, 16)])
    assert {one.name: one.examples[0] for one in wrapper.shown} == {
        "productID": "id-10",
        "brand": "Brand 10",
        "price": "$10",
    }
    assert wrapper.structured["json-ld"]["agreement"]["price"] == 1.0


def test_open_graph_is_told_once() -> None:
    """Its attributes are those of RDFa, whose parser tells the same as a second source."""
    head = '<html><head><meta property="og:title" content="T {0}"></head><body><p>T {0}</p>'
    pages = [page_of(f"http://a/{n}", head.format(n).encode(), "utf-8") for n in range(4)]
    assert list(learn("t1", pages).structured) == ["opengraph"]


@pytest.mark.parametrize(
    ("field", "told", "expected"),
    [("May 1, 2020", "2020-05-01", True), ("$5", "5.00", True), ("1,200", "1200", True),
     ("a", "a", True), ("a", "b", False), ("$5", "6", False)],
)  # fmt: skip
def test_values_are_compared_by_what_they_mean(field: str, told: str, expected: Any) -> None:
    assert same(field, told) is expected


def test_a_property_that_disagrees_names_nothing() -> None:
    names, summary = names_of([["a", "b", "c"]], {("json-ld", "x"): [["a"], ["q"], ["r"]]})
    assert names == {}
    assert summary["json-ld"] == {"properties": 1, "found": 0, "agreement": {}}


def test_an_element_that_microdata_calls_a_value_is_one_whatever_is_in_it() -> None:
    def made(number: int) -> Page:
        rows = "".join(f"<div><table><tr><td>Cell {number} {i}</table></div>" for i in range(9))
        body = (
            f"<div itemscope itemtype=http://schema.org/Product><h1>{number}</h1>"
            f"<span itemprop=price><b>$</b>{number}.50</span>"
            f"<div itemprop=description>{rows}<p>{'Words. ' * 40}</div></div>"
        )
        return page_of(f"http://a/{number}", body.encode(), "utf-8")

    wrapper = learn("t1", [made(number) for number in range(10, 18)])
    record = Extractor(wrapper)(made(42).root, "http://a/42")
    assert record.values["price"] == "$42.50"
    assert record.typed["price"] == {"amount": 42.5, "currency": "USD"}
    assert record.values["description"].startswith("Cell 42 0")
    assert record.typed["description"].startswith("<div><table>")
    assert {one.name: one.type for one in wrapper.shown}["description"] == "html"
    assert wrapper.structured["microdata"]["agreement"] == {"price": 1.0, "description": 1.0}


def test_no_field_takes_the_name_of_the_address_of_the_page() -> None:
    def made(number: int) -> Page:
        body = f"<div itemscope><h1>{number}</h1><a itemprop=url href=/x/{number}>x</a></div>"
        return page_of(f"http://a/{number}", body.encode(), "utf-8")

    wrapper = learn("t1", [made(number) for number in range(8)])
    names = [one.name for one in wrapper.fields]
    assert "url" not in names
    assert "url_2" in names
