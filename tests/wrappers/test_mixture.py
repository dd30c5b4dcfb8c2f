from __future__ import annotations

from typing import Any

from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import learn


def test_two_templates_in_one_are_told(pages: Any, notes: Any) -> None:
    wrapper = learn("t1", [*notes(4), *pages(range(6))])
    (warning,) = wrapper.warnings
    assert warning.startswith("two skeletons: 4 of 10 samples")
    assert "/note/" in warning
    extract = Extractor(wrapper)
    assert extract(notes(9)[8].root).misfit is not None
    (page,) = pages(range(20, 21))
    assert extract(page.root).values["price"] == "$20.50"


def test_optional_parts_are_no_second_template(pages: Any) -> None:
    assert learn("t1", pages(range(10))).warnings == ()
