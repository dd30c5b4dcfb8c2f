"""How many pages of each template the workers have together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from tplcrawl.planning.plan import Plan

_MOST = 1 << 30


class SharedCounts:
    """Lets the *plan* of a worker count the pages of all, as far as templates mean the same to all:
    those up to *last* are of the model with which every worker began."""

    def __init__(self, plan: Plan, last: int) -> None:
        self._plan = plan
        self._last = last

    def own(self) -> str:
        """What the others are told."""
        counts = self._plan.stock.counts()
        return json.dumps({n: counts[n] for n in sorted(counts) if 0 < n <= self._last})

    def hear(self, told: Iterable[bytes]) -> None:
        """Take in what the others have told; what makes no sense counts nothing."""
        total: Counter[int | None] = Counter()
        for text in told:
            try:
                found = {int(id_): int(count) for id_, count in json.loads(text).items()}
            except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
                continue
            for id_, count in found.items():
                if 0 < id_ <= self._last and 0 <= count < _MOST:
                    total[id_] += count
        self._plan.stock.elsewhere = total
