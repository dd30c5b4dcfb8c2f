"""How far the reading of archives is, and how long the rest will take."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    pages: int
    parts: int
    """That are done, of all."""
    all_parts: int
    rate: float
    """Pages a second, in this run."""
    seconds: float
    """That remain, by that rate."""


class Clock:
    """Knows how fast a run is."""

    def __init__(self, pages: int, first: int, parts: int) -> None:
        self._began = time.monotonic()
        self._pages = self._before = pages
        self._first, self._parts = first, parts

    def now(self, pages: int, done: int) -> Progress:
        """How far it is, after *pages* more."""
        self._pages += pages
        spent = max(time.monotonic() - self._began, 1e-3)
        left = spent / (done - self._first) * (self._parts - done)
        rate = (self._pages - self._before) / spent
        return Progress(self._pages, done, self._parts, rate, left)
