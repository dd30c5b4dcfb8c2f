from __future__ import annotations

from dataclasses import replace
from typing import Any

from tplcrawl.wrappers.drift import Today, drift
from tplcrawl.wrappers.wrapper import Wrapper


def test_nothing_broke(shop: Wrapper, pages: Any) -> None:
    (told,) = drift({"t1": shop}, {"t4": Today("/p/{n}.html", pages(range(20, 28)))})
    assert told.now == "t4"
    assert told.broken == ()
    assert not told.changed


def test_a_field_that_moved_is_found_again(shop: Wrapper, pages: Any) -> None:
    now = pages(range(20, 28), changed=True)
    (told,) = drift({"t1": shop}, {"t4": Today("", now)})
    broken = {one.name: one for one in told.broken}
    assert list(broken) == ["price"]
    proposed = broken["price"].proposed
    # Nothing is called as before: if anything is proposed, it stands where the price is.
    assert proposed is None or "cost" in proposed


def test_the_template_that_fits_is_tried(shop: Wrapper, pages: Any) -> None:
    other = list(pages(range(2)))
    for page in other:
        page.root.find("body").clear()
    now = {"t1": Today("", other), "t2": Today("", pages(range(30, 35)))}
    (told,) = drift({"t1": shop}, now)
    assert told.now == "t2"


def test_a_template_may_be_gone(shop: Wrapper) -> None:
    (told,) = drift({"t1": shop}, {"t2": Today("", [])})
    assert told.now is None
    assert told.changed


def test_what_is_optional_may_be_missing_on_a_few_pages(shop: Wrapper, pages: Any) -> None:
    """Catches an alarm for a field that a quarter of the pages had, and one of ten has now."""
    price = next(one for one in shop.fields if one.name == "price")
    rare = replace(shop, fields=(replace(price, support=0.25),))
    now = [*pages(range(20, 21)), *pages(range(21, 30), changed=True)]
    (told,) = drift({"t1": rare}, {"t1": Today("", now)})
    assert told.broken == ()
    often = replace(shop, fields=(replace(price, support=0.9),))
    (told,) = drift({"t1": often}, {"t1": Today("", now)})
    assert [one.name for one in told.broken] == ["price"]


def test_a_wrapper_is_for_the_template_that_has_its_pages_now(shop: Wrapper, pages: Any) -> None:
    """Catches trying it on another one, where no HTML of its own was kept: all fields broke."""
    own, other = (
        Today("", (), frozenset(shop.learned_from)),
        Today("", pages(range(9), changed=True)),
    )
    (told,) = drift({"t1": shop}, {"t2": other, "t7": own})
    assert (told.now, told.pages, told.broken, told.changed) == ("t7", 0, (), False)
