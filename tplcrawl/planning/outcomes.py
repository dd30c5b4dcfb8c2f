"""What became of URLs that have something in common: where they stood, how they are built, what
was expected of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field

from tplcrawl.planning.yields import Kind
from tplcrawl.store.urls import Place

MOST_PATIENCE = 64
"""Answers that are remembered."""


@dataclass(slots=True)
class Outcome:
    """A page, or a URL of which none came."""

    url: str
    place: Place
    form: Hashable
    expected: Kind
    worth: float = 0.0
    told: tuple[Record, ...] = field(default=(), repr=False)
    """What it tells something of."""


@dataclass(slots=True, eq=False)
class Record:
    """What is known of URLs that have something in common."""

    last: deque[Outcome] = field(default_factory=lambda: deque(maxlen=MOST_PATIENCE))
    heard: int = 0
    """How many answers there were."""
    coming: int = 0
    """How many are under way."""
    _total: float = 0.0
    _counted: int = -1
    """What the last answers that count were worth, and how many these are; below zero as long as
    they are to be counted."""

    @property
    def blank(self) -> bool:
        """Whether it says nothing."""
        return not self.coming and not self.heard

    def repeats(self, other: Record) -> bool:
        """Whether it says nothing but what *other* says, which knows all that it knows."""
        return self.heard == other.heard and self.coming == other.coming

    def add(self, outcome: Outcome) -> None:
        """*outcome* came last."""
        self.last.append(outcome)
        self.heard += 1
        self.change()

    def change(self) -> None:
        """What the answers were worth is to be counted anew."""
        self._counted = -1

    def clear(self) -> None:
        """Forget the answers."""
        self.last.clear()
        self.heard = 0
        self.change()

    def share(self, value: float, coming: int, patience: int) -> float:
        """What one of the last answers was worth, of as many as *patience* says; the next one is
        held to be worth *value*, and those that are *coming* nothing."""
        if self._counted < 0:
            own = list(self.last)[-patience:]
            self._total, self._counted = sum(one.worth for one in own), len(own)
        return (self._total + value) / (self._counted + coming + 1)


Records = tuple[Record, Record, Record]
"""What tells of a URL, the closest at last."""
