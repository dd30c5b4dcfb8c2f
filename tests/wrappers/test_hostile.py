"""Pages made to hurt: each ends soon, in records or in words that say why there are none."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from tplcrawl.wrappers.extraction import Extractor, Record
from tplcrawl.wrappers.learning import Lesson, Page, study
from tplcrawl.wrappers.library import page_of


def made(number: int, more: str) -> Page:
    body = f"<html><body><h1>Name {number}</h1><b class=price>${number}.00</b>{more}</body></html>"
    return page_of(f"http://a/{number}", body.encode(), "utf-8")


def learnt(more: str, *, pages: int = 4) -> tuple[Lesson, Record]:
    """What comes of some pages with *more* on them, and of one that was not learnt from."""
    lesson = study(
        "t1", [made(number, more.replace("{0}", str(number))) for number in range(pages)]
    )
    page = made(77, more.replace("{0}", "77"))
    return lesson, Extractor(lesson.wrapper)(page.root, page.url)


def is_read(record: Record) -> None:
    assert record.misfit is None
    assert record.values["title"] == "Name 77"
    assert record.typed["price"] == {"amount": 77.0, "currency": "USD"}


def test_fifty_thousand_rows_are_all_extracted() -> None:
    rows = "".join(f"<tr><td>row{i} of {{0}}<td>{i}.50</tr>" for i in range(50_000))
    lesson, record = learnt(f"<table class=rows>{rows}</table>", pages=3)
    is_read(record)
    assert "a sample is too large: its children were cut" in lesson.wrapper.warnings
    (found,) = [value for value in record.values.values() if isinstance(value, list)]
    assert len(found) == 50_000
    assert list(found[49_999].values()) == ["row49999 of 77", "49999.50"]


def test_what_is_nested_too_deep_is_cut_and_said() -> None:
    lesson, record = learnt("<div>" * 5000 + "deep {0}")
    is_read(record)
    assert "a sample is too large: its depth were cut" in lesson.wrapper.warnings
    assert max(len(node["xpath"].split("/")) for node in lesson.skeletons[0].nodes) < 260


@pytest.mark.parametrize(
    "more",
    [
        "<p class='" + "c{0}x " * 50_000 + "' title='" + "t" * 1_000_000 + "'>{0}</p>",
        "<p " + " ".join(f"a{i}=1" for i in range(3000)) + ">{0}</p>",
        "<p itemprop='" + "{0}" * 10_000 + "'>{0}</p>",
        "<p id='" + "x" * 100_000 + "'>{0}</p>",
    ],
    ids=["classes", "attributes", "itemprop", "id"],
)
def test_huge_attributes_are_no_names(more: str) -> None:
    lesson, record = learnt(more)
    is_read(record)
    for one in lesson.wrapper.fields:
        assert len(one.name) < 100
        assert len(one.rule.xpath()) < 2000


def test_control_characters_are_no_part_of_selectors() -> None:
    more = "<dl><dt>La\x01bel:</dt><dd>\x1b[31m{0}\x0b</dd><dt>\x7fx\x1f:</dt><dd>y{0}</dd></dl>"
    more += "<p class='a\x01b'>{0}</p><p id='i\x02'>i{0}</p><p class=b>{0}</p>"
    lesson, record = learnt(more)
    is_read(record)
    for one in lesson.wrapper.fields:
        rules: list[Any] = [one.rule, *one.alternatives]
        for rule in rules:
            assert not any(unicodedata.category(c) == "Cc" for c in rule.xpath())
            made(1, "").root.getroottree().xpath(rule.xpath())


def test_one_page_is_said_to_teach_nothing() -> None:
    lesson, record = learnt("", pages=1)
    assert lesson.wrapper.warnings[0].startswith("one page")
    assert lesson.wrapper.fields == ()
    assert record.values == {}


def test_pages_that_are_all_the_same_teach_nothing() -> None:
    page = made(1, "")
    lesson = study("t1", [page] * 5)
    assert lesson.wrapper.fields == ()
    assert len(lesson.skeletons) == 1


@pytest.mark.parametrize("name", ["", " ", ":", "og:", "og: ", "\u00a0"])
def test_a_property_without_a_name_names_nothing(name: str) -> None:
    _, record = learnt(f"<i itemprop='{name}'>Made {{0}}</i><u property='{name}'>By {{0}}</u>")
    is_read(record)
    assert {"Made 77", "By 77"} <= set(map(str, record.values.values()))
