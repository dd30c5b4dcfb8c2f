"""How many more pages there may be of each template."""

from __future__ import annotations

from collections import Counter

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.budgets import Budgets
from tplcrawl.planning.stock import LEVEL, SPARE, Stock


def stock_of(fetched: dict[int | None, int], budget: int = 20) -> Stock:
    stock = Stock(Aims(budgets=Budgets.parse(budget)))
    stock.renew(Counter(fetched), {})
    return stock


def test_levels_begin_again_when_templates_are_found_anew() -> None:
    """What was one template may be two by then, of which one has hardly been looked at; or one may
    have been taken for five, each of which would be given its whole budget at once."""
    stock = stock_of({1: LEVEL})
    assert stock.rise([1])
    assert stock.room(1)
    stock.renew(Counter({1: LEVEL, 2: 1}), {})
    assert not stock.room(1)
    assert stock.room(2)
    assert stock.room_at_last(1)


def test_levels_rise_to_the_budget_and_no_further() -> None:
    stock = stock_of({1: LEVEL})
    while stock.rise([1]):
        assert stock.room(1)
        stock.fetched[1] += 1
    assert stock.fetched[1] == 20
    assert not stock.room_at_last(1)
    assert not stock.room(NO_PAGE)


def test_what_was_spent_beyond_budgets_is_spare_to_a_limit() -> None:
    assert stock_of({1: 20 + 2}).spare({})
    assert not stock_of({1: 20 + 3}).spare({})
    many: dict[int | None, int] = dict.fromkeys(range(1, 21), 20)
    most = int(SPARE * 400)
    assert stock_of({**many, 1: 20 + most - 1}).spare({})
    assert not stock_of({**many, 1: 20 + most}).spare({})


def test_who_wants_samples_of_all_templates_spends_more_on_learning_which_there_are() -> None:
    """Catches ending with two templates of a site that has eleven, as few pages of each look."""
    samples, kept = Stock(Aims(samples=5)), Stock(Aims(samples=5, budgets=Budgets.parse(5)))
    for stock in (samples, kept):
        stock.renew(Counter({1: 5 + 29}), {})
    assert samples.spare({})
    assert not kept.spare({})
    samples.fetched[1] += 1
    assert not samples.spare({})


def test_pages_that_were_drawn_are_not_spent_on_doubts() -> None:
    assert stock_of({1: 50}).spare({1: 30})
    assert not stock_of({1: 50}).spare({2: 30})
