"""What the URLs look like that a search is given, whatever is expected of others like them.

As long as the page that was given is the only one of its template, nothing that waits is expected
to be of it: others like it are taken for what stands beside them, and a search would end without
one of them. A URL has many sides: its folder, its name, how that ends. Which of them tells the
template is not known, so each that a URL shares with a given one is tried until that has failed a
few times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tplcrawl.fingerprints.url_shape import url_forms

_TRIES = 3
"""How often a side may fail."""

Side = tuple[int, tuple[str, ...]]
"""One of the forms of a URL, with its number among them."""


class Likeness:
    """Counts how often each side of the URLs that were *given* has failed."""

    def __init__(self, given: Iterable[str]) -> None:
        self._sides = frozenset(side for url in given for side in enumerate(url_forms(url)))
        self._failures: Counter[Side] = Counter()

    def clear(self) -> None:
        """Forget all failures."""
        self._failures.clear()

    def note(self, url: str) -> None:
        """*url* was not looked for."""
        self._failures.update(self.of(url))

    def of(self, url: str) -> frozenset[Side]:
        """The sides that *url* shares with one that was given."""
        return self._sides.intersection(enumerate(url_forms(url)))

    def failures(self, sides: Iterable[Side]) -> int | None:
        """How often that of *sides* has failed that failed least; ``None`` if often enough."""
        return min((n for side in sides if (n := self._failures[side]) < _TRIES), default=None)
