from __future__ import annotations

import pytest

from tplcrawl.planning.budgets import Budgets


@pytest.mark.parametrize(
    ("given", "template", "name", "limit"),
    [
        (20, 4, "x", 20),
        (" 20 ", None, None, 20),
        ("t4=5,x=7,*=9", 4, "x", 5),
        ("x=7,*=9", 4, "x", 7),
        ("x=7", 4, "y", None),
        ("x=7,*=9", None, None, 9),
        ('{"a=b,c": 3}', 1, "a=b,c", 3),
        ({"x": "0"}, 1, "x", 0),
    ],
)
def test_the_id_counts_before_the_name_and_that_before_all_others(
    given: object, template: int | None, name: str | None, limit: int | None
) -> None:
    assert Budgets.parse(given).limit(template, name) == limit


@pytest.mark.parametrize(("given", "needed"), [("20", False), ("t4=5,*=1", False), ("tea=2", True)])
def test_names_are_needed_only_where_there_are_some(given: str, needed: bool) -> None:
    assert Budgets.parse(given).need_names is needed
