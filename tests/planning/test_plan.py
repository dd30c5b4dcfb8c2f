"""What a plan makes of what is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.budgets import Budgets
from tplcrawl.planning.plan import DOUBTFUL, Plan
from tplcrawl.recording import Recording
from tplcrawl.store.urls import Discovery, Place, QueuedUrl, State

ADD, MENU = 1, 2
"""A place of links that lead nowhere, and another one."""


def test_that_nothing_comes_is_not_believed_of_a_corner_that_nobody_has_tried(
    tmp_path: Path,
) -> None:
    """A shop where ``/my/12/`` under every item is a 404, and ``/my/orders/`` in a menu is a page.
    Catches giving up all of an account unseen; a search has other things to do."""
    recording = Recording(tmp_path, "a.com", Hybrid())
    urls = recording.store.urls
    found = [Discovery(f"http://a.com/my/{n}/", 1, Place(ADD, "1", 1)) for n in range(30)]
    for id_, one in zip(urls.discover(found), found, strict=True):
        recording.fail(id_, one.url, one.place)
        urls.settle(id_, State.FAILED, reason="http 404", status=404)
    urls.discover([Discovery("http://a.com/my/orders/", 1, Place(MENU, "1", 1))])
    other = urls.get(urls.last)
    again = QueuedUrl(98, "http://a.com/my/77/", 1, Place(ADD, "1", 1), 0)
    plan = Plan(Aims(budgets=Budgets.parse("5")), recording, dict)
    assert plan.expect(again)[0] == NO_PAGE
    assert plan.expect(other) == (None, 1.0)
    assert plan.needs(None, 1.0, plan.corner(other.place))
    plan.take(other, None, "unknown")
    plan.leave(other.id)
    kind, doubt = plan.expect(other)
    assert kind == NO_PAGE
    assert doubt < DOUBTFUL
    search = Plan(Aims(like=("http://a.com/x",)), recording, dict)
    assert search.expect(other) == pytest.approx((kind, doubt))
    recording.close()


@pytest.mark.parametrize("answered", [True, False])
def test_what_is_not_answered_tells_nothing_of_a_corner(tmp_path: Path, answered: bool) -> None:
    """Catches leaving out all products because a server was too busy for the first three."""
    recording = Recording(tmp_path, "a.com", Hybrid())
    plan = Plan(Aims(budgets=Budgets.parse("5")), recording, dict)
    urls = recording.store.urls
    found = [Discovery(f"http://a.com/p/{number}", 1, Place(ADD, "1", 1)) for number in range(3)]
    for product in map(urls.get, urls.discover(found)):
        assert plan.needs(None, 1.0, plan.corner(product.place))
        plan.take(product, None, "unknown")
        plan.leave(product.id, answered=answered)
    assert plan.needs(None, 1.0, plan.corner(product.place)) is not answered
    recording.close()


def test_a_crawl_with_budgets_draws_until_draws_bring_nothing_that_is_needed(
    tmp_path: Path,
) -> None:
    """Catches a sample that costs more than the budget, and one that ends at news."""
    recording = Recording(tmp_path, "a.com", Hybrid())
    store = recording.store
    ids = store.urls.discover([Discovery(f"http://a.com/{n}", 1) for n in range(12)])
    plan = Plan(Aims(budgets=Budgets.parse("2")), recording, dict)
    for number, id_ in enumerate(ids, 1):
        assert plan.sample.wanting is (number <= 5)
        store.urls.settle(id_, State.FAILED, reason="http 404", status=404)
        store.draws.add(id_, asked=True)
        store.draws.add(id_, asked=False)
    store.database.write("INSERT INTO assignment VALUES (?, 1, 1, '')", [ids[-2]])
    assert store.draws.recent(3) == [None, 1, None]
    assert plan.sample.wanting
    plan.stock.fetched[1] = 2
    assert not plan.sample.wanting
    recording.close()
