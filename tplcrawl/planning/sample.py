"""The random pages of a crawl: what they say of its templates, and whether more are to be drawn."""

from __future__ import annotations

from collections import Counter

from tplcrawl.clustering.saturation import Saturation, good_turing
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.stock import Stock
from tplcrawl.recording import Recording

SAMPLE = 30
"""Random pages that say something of the templates that there are."""

LIKELY = 0.05
"""The chance of a new template on a random page from which on none is likely."""

_NO_NEWS = 5
"""Random URLs, one after the other, none of which brought what was needed, after which a crawl with
budgets ends."""


class Sample:
    """The random pages of the crawl in *recording*, which is for *aims*."""

    def __init__(self, aims: Aims, recording: Recording, stock: Stock) -> None:
        self._aims = aims
        self._recording = recording
        self._stock = stock

    def saturation(self) -> Saturation:
        """What they say of the templates that there are."""
        model, urls = self._recording.model, self._recording.store.urls
        return Saturation.of(self._templates(), model.templates, urls.last)

    def _templates(self) -> list[int]:
        return list(self._recording.store.draws.templates())

    @property
    def saturated(self) -> bool:
        """Whether few more templates are likely."""
        templates = self._templates()
        enough = LIKELY if self._aims.saturation is None else self._aims.saturation
        return len(templates) >= SAMPLE and good_turing(Counter(templates).values()) <= enough

    @property
    def wanting(self) -> bool:
        """Whether random URLs are to be fetched when nothing is needed any more: where every
        template is to be found, until no more are likely; with budgets, as long as they bring what
        is needed: whoever gave a budget wants no more than a small share beyond."""
        aims = self._aims
        if not aims.explore or not aims.sampled or aims.like:
            return False
        if aims.samples:
            return not self.saturated
        last = self._recording.store.draws.recent(_NO_NEWS)
        return len(last) < _NO_NEWS or any(map(self._stock.room_at_last, filter(None, last)))
