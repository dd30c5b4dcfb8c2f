"""The template of a URL before it is fetched, from where its link stands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable

from tplcrawl.records import Prediction


class Predictor:
    """Counts, for each location, the templates of the pages that were first linked from it."""

    def __init__(self) -> None:
        self._seen: defaultdict[Hashable, Counter[int]] = defaultdict(Counter)

    def learn(self, location: Hashable | None, template: int | None) -> None:
        """Note that a page linked from *location* is of *template*."""
        if location is not None and template is not None:
            self._seen[location][template] += 1

    def predict(self, location: Hashable | None) -> Prediction | None:
        """The template that most pages linked from *location* have; ``None`` for an unknown one.

        >>> predictor = Predictor()
        >>> predictor.learn("/html/body/a", 1), predictor.predict("/html/body/a")
        (None, Prediction(template=1, confidence=0.5))
        """
        counts = self._seen.get(location) if location is not None else None
        if not counts:
            return None
        template = min(counts, key=lambda one: (-counts[one], one))
        return Prediction(template, counts[template] / (counts.total() + 1))
