"""How many pages there are of each template, and how many more there may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.yields import Kind

LEVEL, STEP = 5, 1.5
"""So many pages of each template before more of any; then half as many again. What seemed to be two
templates may turn out to be one as long as little has been spent on either."""

SPARE = 0.06
"""Pages beyond budgets that may be spent on learning more, for each one within, if these are more
than :attr:`Aims.extra`: on URLs of which it is not sure what they lead to, if most likely to what
there is enough of."""


class Stock:
    """Counts the pages of each template, those under way too, against the aims of a crawl."""

    def __init__(self, aims: Aims) -> None:
        self._aims = aims
        self._level: float | None = None
        self._names: Mapping[int, str] = {}
        self._budgets: dict[Kind, int | None] = {}
        self.fetched: Counter[Kind] = Counter()
        self.coming: Counter[Kind] = Counter()
        self.elsewhere: Counter[Kind] = Counter()
        """The pages of each template that other workers have."""
        self.paid: list[int] = []
        """Pages that no budget could have stopped, and those of menus."""

    def renew(self, fetched: Counter[Kind], names: Mapping[int, str]) -> None:
        """Templates were found anew: these are their pages and names. Some may have few again."""
        self.fetched, self._names = fetched, names
        self._budgets.clear()
        self._level = LEVEL if self._aims.by_level else None

    def budget(self, kind: Kind) -> int | None:
        """The most pages of a template in the end."""
        if kind not in self._budgets:
            name = self._names.get(kind) if kind is not None else None
            self._budgets[kind] = self._aims.limit(kind, name)
        return self._budgets[kind]

    def limit(self, kind: Kind) -> int | None:
        """The most pages of a template for now."""
        limit = self.budget(kind)
        if self._level is None or kind is None:
            return limit
        return int(self._level) if limit is None else min(limit, int(self._level))

    def room(self, kind: Kind) -> bool:
        """Whether more pages of a template are needed for now."""
        return self._below(kind, self.limit(None if kind == NO_PAGE else kind))

    def room_at_last(self, kind: Kind) -> bool:
        """Whether more pages of a template will be needed."""
        return self._below(kind, self.budget(kind))

    def _below(self, kind: Kind, limit: int | None) -> bool:
        has = self.fetched[kind] + self.coming[kind] + self.elsewhere[kind]
        return limit is None or (kind != NO_PAGE and has < limit)

    def counts(self) -> dict[int, int]:
        """The pages of each template, those under way too."""
        kinds = {kind for kind in (*self.fetched, *self.coming) if kind is not None}
        return {kind: self.fetched[kind] + self.coming[kind] for kind in sorted(kinds)}

    def spare(self, paid: Mapping[int, int]) -> bool:
        """Whether some more pages may be fetched beyond budgets to learn more. Those of each
        template that are *paid* for already do not count."""
        within = beyond = 0
        for kind, has in self.fetched.items():
            limit = self.budget(kind)
            if kind is not None and limit is not None:
                within += min(has, limit)
                beyond += max(has - paid.get(kind, 0) - limit, 0)
        return beyond < max(self._aims.extra, SPARE * within)

    def rise(self, held: Iterable[Kind]) -> bool:
        """Where there are levels: let there be more pages of each template, if any wait for it."""
        waiting = [kind for kind in held if kind is not None]
        level, self._level = self._level, None
        if level is None or not any(map(self.room, waiting)):
            return False
        self._level = level
        while not any(map(self.room, waiting)):
            self._level *= STEP
        return True
