from __future__ import annotations

from typing import Any

from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import learn
from tplcrawl.wrappers.library import page_of


def other(number: int) -> Any:
    body = (
        f"<section><article><h2>Note {number}</h2><em>by someone {number}</em></article></section>"
    )
    return page_of(f"http://shop.test/note/{number}", body.encode(), "utf-8")


def test_two_templates_in_one_are_told(pages: Any) -> None:
    notes = [other(number) for number in range(4)]
    wrapper = learn("t1", [*notes, *pages(range(6))])
    (warning,) = wrapper.warnings
    assert warning.startswith("two skeletons: 4 of 10 samples")
    assert "/note/" in warning
    extract = Extractor(wrapper)
    assert extract(other(9).root).misfit is not None
    (page,) = pages(range(20, 21))
    assert extract(page.root).values["price"] == "$20.50"


def test_optional_parts_are_no_second_template(pages: Any) -> None:
    assert learn("t1", pages(range(10))).warnings == ()
