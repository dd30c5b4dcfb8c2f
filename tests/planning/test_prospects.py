"""Which bunch is worth most, as long as what is known of them changes."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.planning.bunches import Bunch
from tplcrawl.planning.outcomes import Record
from tplcrawl.planning.prospects import Prospects, Worth


class Site:
    """Bunches whose worth stands in a table, each told by a record of its own."""

    def __init__(self, count: int) -> None:
        self.bunches = [Bunch(n, (n, None), ()) for n in range(count)]
        for bunch in self.bunches:
            bunch.add(100 - bunch.number, None)
            bunch.add(200 + bunch.number, None)
        self.records = [Record() for _ in self.bunches]
        self.worth: dict[int, Worth] = dict.fromkeys(range(count), (False, 0.5))
        self.weighed: list[int] = []
        self.prospects = Prospects(self.weigh)
        for bunch in self.bunches:
            self.prospects.change(bunch)

    def weigh(self, bunch: Bunch) -> tuple[Worth, Sequence[Record]]:
        self.weighed.append(bunch.number)
        return self.worth[bunch.number], [self.records[bunch.number]]

    def best(self, *news: int, full: Sequence[int] = ()) -> int | None:
        told = [self.records[n] for n in news]
        found = self.prospects.best(told, lambda bunch: bunch.number not in full)
        return found[0].number if found else None


def test_what_is_sure_comes_first_then_what_is_worth_most_then_what_was_discovered_first() -> None:
    site = Site(3)
    assert site.best() == 2
    site.worth[0] = False, 0.7
    assert site.best(0) == 0
    site.worth[1] = True, 0.6
    assert site.best(1) == 1
    assert site.best(full=[1]) == 0
    assert site.best() == 1
    assert site.best(full=[0, 1, 2]) is None


def test_only_what_something_was_heard_of_is_weighed_anew() -> None:
    """Catches weighing every place for every fetch, on a site that has thousands."""
    site = Site(100)
    site.best()
    site.weighed.clear()
    site.worth[7] = False, 0.6
    assert site.best(7) == 7
    site.worth[7] = False, 0.4
    assert site.best(7, 8) == 99
    assert site.weighed == [7, 7, 8]


def test_a_bunch_whose_urls_are_gone_is_not_offered_until_others_come() -> None:
    """Catches what was said of a bunch before its first URLs were taken out."""
    site = Site(2)
    last = site.bunches[1]
    assert site.best() == 1
    last.pop()
    site.prospects.change(last)
    assert site.best() == 0
    last.pop()
    site.prospects.change(last)
    assert site.best(full=[0]) is None
    last.add(300, None)
    site.prospects.change(last)
    assert site.best(full=[0]) == 1


def test_what_was_said_before_does_not_pile_up() -> None:
    """Catches a heap that grows with every answer of a long search."""
    site = Site(10)
    for n in range(5000):
        site.worth[n % 10] = False, 0.6 + n / 10_000
        assert site.best(n % 10) == n % 10
    assert len(site.prospects._heap) < 200


STEPS = st.lists(
    st.tuples(st.sampled_from(["heard", "moved"]), st.integers(0, 3), st.integers(0, 3)),
    max_size=30,
)


@given(STEPS)
def test_the_best_is_what_weighing_every_bunch_each_time_would_find(
    steps: list[tuple[str, int, int]],
) -> None:
    """What is heard of a record changes what its bunches are worth; a bunch that moves is told by
    another record. Catches a bunch that is worth the same after it moved, and hears no more."""
    bunches = [Bunch(n, (n, None), ()) for n in range(4)]
    for bunch in bunches:
        bunch.add(bunch.number, None)
    records = [Record() for _ in range(4)]
    values = [0] * 4
    told = [0] * 4

    def weigh(bunch: Bunch) -> tuple[Worth, Sequence[Record]]:
        of = told[bunch.number]
        return (False, float(values[of])), [records[of]]

    prospects = Prospects(weigh)
    for bunch in bunches:
        prospects.change(bunch)
    for what, one, other in steps:
        news = []
        if what == "heard":
            values[one] = other
            news.append(records[one])
        else:
            told[one] = other
            prospects.change(bunches[one])
        found = prospects.best(news, lambda _: True)
        assert found is not None
        assert found[0] is max(bunches, key=lambda one: (weigh(one)[0][1], -one.number))
