"""Ranks against a list that is looked through."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.planning.ranks import Ranks


@dataclass
class Entry:
    number: int
    doubt: float
    tries: int = 0
    here: bool = True

    @property
    def worth(self) -> float:
        return self.doubt / (1 + self.tries)


DOUBTS = st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.9])
CHANGES = st.lists(st.tuples(st.integers(0, 11), DOUBTS, st.integers(0, 3), st.booleans()))


@given(st.lists(DOUBTS, min_size=1, max_size=12), CHANGES, st.sampled_from([0.0, 0.15, 0.4]))
def test_the_best_of_those_that_fit_is_found_whatever_has_changed(
    doubts: list[float], changes: list[tuple[int, float, int, bool]], least: float
) -> None:
    """Catches an entry that is found by what was said of it once, and one that is lost when others
    of which the same is said have gone."""
    entries = [Entry(number, doubt) for number, doubt in enumerate(doubts)]
    ranks: Ranks[Entry] = Ranks(lambda one: one.here)
    for entry in entries:
        ranks.add(entry)
    for number, doubt, tries, here in changes:
        entry = entries[number % len(entries)]
        entry.doubt, entry.tries, entry.here = doubt, tries, here
        ranks.add(entry)
        fitting = [one for one in entries if one.here and one.worth >= least and one.doubt != 0.5]
        best = ranks.best(least, lambda one: one.doubt != 0.5)
        most = max((one.worth for one in fitting), default=None)
        assert (best and best.worth) == most
        if best:
            alike = [one for one in fitting if (one.doubt, one.tries) == (best.doubt, best.tries)]
            assert best is alike[0]


def test_those_of_which_the_same_is_said_are_asked_about_once() -> None:
    """Catches asking all bunches of a large site each time that a URL is picked: planning took
    several times what the crawl took."""
    ranks: Ranks[Entry] = Ranks(lambda one: True)
    for number in range(3000):
        ranks.add(Entry(number, (0.3, 0.5, 0.9)[number % 3]))
    asked: list[Entry] = []

    def fit(one: Entry) -> bool:
        asked.append(one)
        return one.doubt < 0.4

    best = ranks.best(0.0, fit)
    assert best is not None
    assert best.number == 0
    assert len(asked) == 3
