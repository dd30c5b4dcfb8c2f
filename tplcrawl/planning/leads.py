"""What the pages of a search have led to, by where they were found.

A page is worth one if it is looked for, and what it has led to: one for each page that is looked
for and was seen on it first, half of that for a page that led there through another, and so on. So
one number says of a place both whether such pages are found there and whether they are found behind
it.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Set
from dataclasses import dataclass

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.fingerprints.url_shape import url_form
from tplcrawl.planning.bunches import Corner
from tplcrawl.planning.yields import Kind
from tplcrawl.store.urls import Place

_HOPE = 0.5
"""What a URL is held to be worth of whose like nothing is known."""

_LEAST_PATIENCE, _PATIENCE, _MOST_PATIENCE = 16, 0.1, 64
"""The last answers tell what the next one will be worth: as many as this share of what was found in
all. What has led nowhere so often is given up."""

_DOUBT = 0.1
"""What a URL is worth at least, until it has been tried, where others stand that are looked for:
what is expected of it may be wrong."""

_FAR = 0.5
"""What a page is worth for each that it led to through another."""
_LEAST = 0.05


@dataclass(slots=True)
class _Lead:
    """A page, or a URL of which none came."""

    place: Place
    form: Hashable
    expected: Kind
    worth: float = 0.0
    keys: tuple[Hashable, ...] = ()
    """What it tells something of."""


class Leads:
    """Learns from every answer what the next URL may be worth. O(1) both."""

    def __init__(self, template_of: Callable[[int | None], Kind]) -> None:
        self.mixed: set[Corner] = set()
        """Corners that have led to what is looked for."""
        self._template_of = template_of
        self._pages: dict[int, _Lead] = {}
        self._answers: list[tuple[int, _Lead]] = []
        self._last: defaultdict[Hashable, deque[_Lead]] = defaultdict(
            lambda: deque(maxlen=_MOST_PATIENCE)
        )
        self._sums: dict[Hashable, tuple[float, int]] = {}
        self._asked: dict[int, tuple[Hashable, ...]] = {}
        self._coming: Counter[Hashable] = Counter()
        self._found = 0
        self._patience = _LEAST_PATIENCE

    @property
    def least(self) -> float:
        """What a URL must be worth to be fetched: one that is looked for, of twice as many as
        count."""
        return 0.5 / self._patience

    def ask(self, id_: int, kind: Kind, corner: Corner, form: Hashable) -> None:
        """A URL is asked for: until it is answered it counts as one that is worth nothing."""
        keys = self._asked[id_] = _keys(kind, corner, form)
        self._coming.update(keys)

    def leave(self, id_: int) -> None:
        """*id_* was answered, or never will be."""
        self._coming.subtract(self._asked.pop(id_, ()))

    def note(
        self, docid: int, url: str, place: Place, expected: Kind = None, *, page: bool
    ) -> None:
        """*url*, of which something was *expected*, was answered, with a *page* or without."""
        lead = _Lead(place, url_form(url), expected)
        self._answers.append((docid, lead))
        if page:
            self._pages[docid] = lead
        self._file(docid, lead)

    def found(self, docid: int) -> None:
        """The page *docid* is one that is looked for."""
        first = lead = self._pages[docid]
        self.mixed.add(self._corner(first))
        worth, seen = 1.0, {docid}
        while worth > _LEAST:
            lead.worth += worth
            self._forget(lead)
            if lead is not first:
                worth *= _FAR
            source = lead.place.source
            if source is None or source in seen or source not in self._pages:
                break
            seen.add(source)
            lead = self._pages[source]
        self._found += 1
        patience = int(min(max(_LEAST_PATIENCE, _PATIENCE * self._found), _MOST_PATIENCE))
        if patience != self._patience:
            self._patience = patience
            self._sums.clear()

    def renew(self, wanted: Set[Kind]) -> None:
        """Templates were found anew, and *wanted* are those that are looked for."""
        self._last.clear()
        self._sums.clear()
        self.mixed.clear()
        self._found, self._patience = 0, _LEAST_PATIENCE
        for docid, lead in self._answers:
            lead.worth = 0.0
            self._file(docid, lead)
        for docid in self._pages:
            if self._template_of(docid) in wanted:
                self.found(docid)

    def value(self, kind: Kind, corner: Corner, form: Hashable) -> float:
        """What the next URL of a form may be worth of which *kind* is expected in a corner. That is
        told by the pages of that kind, and by what became of such URLs in the corner, and of those
        of the form, as far as there are any.
        """
        value = _HOPE
        for key in _keys(kind, corner, form):
            total, answers = self._sum(key)
            value = (total + value) / (answers + self._coming[key] + 1)
            if key[0] == "kind" and corner in self.mixed:
                value = max(value, _DOUBT)
        return value

    def _sum(self, key: Hashable) -> tuple[float, int]:
        """What the last answers were worth, and how many there are."""
        known = self._sums.get(key)
        if known is None:
            own = [lead.worth for lead in self._last[key]] if key in self._last else []
            own = own[-self._patience :]
            known = self._sums[key] = sum(own), len(own)
        return known

    def _corner(self, lead: _Lead) -> Corner:
        return lead.place.location, self._template_of(lead.place.source)

    def _file(self, docid: int, lead: _Lead) -> None:
        corner = self._corner(lead)
        kind = self._template_of(docid) if docid in self._pages else NO_PAGE
        one, other = _keys(None, corner, lead.form), _keys(lead.expected, corner, lead.form)
        lead.keys = tuple(dict.fromkeys((*one, *other[1:], ("kind", kind))))
        self._forget(lead)
        for key in lead.keys:
            self._last[key].append(lead)

    def _forget(self, lead: _Lead) -> None:
        for key in lead.keys:
            self._sums.pop(key, None)


def _keys(kind: Kind, corner: Corner, form: Hashable) -> tuple[tuple[Hashable, ...], ...]:
    """What tells of a URL, the closest at last. Where nothing is expected of it, or that no page
    will come, that is what became of others of its form."""
    if kind is None:
        return ("form", form), ("corner", corner), ("form", corner, form)
    first = ("form", form) if kind == NO_PAGE else ("kind", kind)
    return first, ("corner", corner, kind), ("form", corner, form, kind)
