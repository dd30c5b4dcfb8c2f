"""What the pages of a search have led to, by where they were found.

A page is worth one if it is looked for, and what it has led to: one for each page that is looked
for and was seen on it first, half of that for a page that led there through another, and so on. So
one number says of a place both whether such pages are found there and whether they are found behind
it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Set
from dataclasses import dataclass, field

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.fingerprints.url_shape import url_form
from tplcrawl.planning.bunches import Corner
from tplcrawl.planning.yields import Kind
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Place, State

_HOPE = 0.5
"""What a URL is held to be worth of whose like nothing is known."""

_LEAST_PATIENCE, _PATIENCE, _MOST_PATIENCE = 16, 0.1, 64
"""The last answers tell what the next one will be worth: as many as this share of what was found in
all. What has led nowhere so often is given up."""

_LEAST_DROUGHT, _MOST_DROUGHT, _DROUGHT = 24, 60, 0.05
"""A search is dry when so many answers in a row told of nothing that is looked for, or this share
of what was found; until then it becomes more and more likely that nothing is left."""

_STEADY = 9
"""The pages that as many answers would have brought, had it gone on as before, from which on the
fewer of these are enough: by chance, that happens to one search in ten thousand."""

_IN_DROUGHT = 0.2
"""What a URL must be worth when a search is dry."""

_DOUBT = 0.1
"""What a URL is worth at least, until it has been tried, where others stand that are looked for:
what is expected of it may be wrong."""

_SURE = 0.8
"""How likely a URL is at least one that is looked for, and what it is worth, to be fetched in any
case."""

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
    told: tuple[_Record, ...] = ()
    """What it tells something of."""


@dataclass(slots=True, eq=False)
class _Record:
    """What is known of URLs that have something in common."""

    last: deque[_Lead] = field(default_factory=lambda: deque(maxlen=_MOST_PATIENCE))
    coming: int = 0
    """How many are under way."""
    total: float = 0.0
    """What the last answers that count were worth."""
    answers: int = -1
    """How many these are; below zero as long as they are to be counted."""

    @property
    def blank(self) -> bool:
        """Whether it says nothing."""
        return not self.coming and not self.last

    def add(self, lead: _Lead) -> None:
        """*lead* came last."""
        self.last.append(lead)
        self.answers = -1

    def count(self, patience: int) -> None:
        """Count the last answers, as many as *patience* says."""
        own = list(self.last)[-patience:]
        self.total, self.answers = sum(lead.worth for lead in own), len(own)


class Leads:
    """Learns from every answer what the next URL may be worth. O(1) both."""

    def __init__(self, template_of: Callable[[int | None], Kind]) -> None:
        self.mixed: set[Corner] = set()
        """Corners that have led to what is looked for."""
        self._template_of = template_of
        self._pages: dict[int, _Lead] = {}
        self._answers: list[tuple[int, _Lead]] = []
        self._records: defaultdict[Hashable, _Record] = defaultdict(_Record)
        self._known: dict[tuple[Kind, Corner, Hashable], tuple[_Record, ...]] = {}
        self._asked: dict[int, tuple[_Record, ...]] = {}
        self._found = self._last = 0
        self._patience = _LEAST_PATIENCE

    def recall(self, store: Store) -> None:
        """Take in the answers of earlier runs: those without a page, then pages as they came."""
        for url, state, _ in store.urls.judged():
            if state is State.FAILED:
                self.note(url.id, url.url, url.place, page=False)
        current = store.pages.aliases()
        pages = {page.docid: page for page in store.pages.rows()}
        for docid, _, place, _ in store.pages.arrivals():
            page = pages[docid]
            told = page.predicted.template if page.predicted else None
            expected = None if told is None else current.get(told, told)
            self.note(docid, page.url, place, expected, page=True)

    @property
    def least(self) -> float:
        """What a URL must be worth to be fetched: one that is looked for, of twice as many as
        count; the more, the longer nothing that is looked for has come, as far as enough was
        found to tell what is long."""
        dry = self.drought
        if dry < 1:
            dry *= min(self._found / _LEAST_PATIENCE, 1.0)
        return max(0.5 / self._patience, _IN_DROUGHT * dry)

    @property
    def drought(self) -> float:
        """How dry the search is: one, when it is."""
        steady = min(_MOST_DROUGHT, _STEADY * len(self._answers) / max(self._found, 1))
        patience = max(_LEAST_DROUGHT, _DROUGHT * self._found, steady)
        return min((len(self._answers) - self._last) / patience, 1.0)

    @property
    def answers(self) -> int:
        """How many there were."""
        return len(self._answers)

    @property
    def vain(self) -> int:
        """How many of them were not looked for."""
        return len(self._answers) - self._found

    def ask(self, id_: int, kind: Kind, corner: Corner, form: Hashable) -> None:
        """A URL is asked for: until it is answered it counts as one that is worth nothing."""
        asked = self._asked[id_] = self._told(kind, corner, form)
        for record in asked:
            record.coming += 1

    def leave(self, id_: int) -> None:
        """*id_* was answered, or never will be."""
        for record in self._asked.pop(id_, ()):
            record.coming -= 1

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
        """The page *docid*, which came last, is one that is looked for."""
        self._credit(docid)
        self._last = len(self._answers)

    def _credit(self, docid: int) -> None:
        first = lead = self._pages[docid]
        self.mixed.add(self._corner(first))
        worth, seen = 1.0, {docid}
        while worth > _LEAST:
            lead.worth += worth
            for record in lead.told:
                record.answers = -1
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
            for record in self._records.values():
                record.answers = -1

    def renew(self, wanted: Set[Kind]) -> None:
        """Templates were found anew, and *wanted* are those that are looked for."""
        for record in self._records.values():
            record.last.clear()
            record.answers = -1
        self.mixed.clear()
        self._found, self._last, self._patience = 0, 0, _LEAST_PATIENCE
        for docid, lead in self._answers:
            lead.worth = 0.0
            self._file(docid, lead)
        for answers, (docid, _) in enumerate(self._answers, 1):
            if docid in self._pages and self._template_of(docid) in wanted:
                self._credit(docid)
                self._last = answers

    def value(
        self, kind: Kind, corner: Corner, form: Hashable, likely: float | None = None
    ) -> float:
        """What the next URL of a form may be worth of which *kind* is expected in a corner. That is
        told by the pages of that kind, or by how *likely* they are where they are looked for; and
        by what became of such URLs in the corner, and of those of the form, as far as there are
        any.
        """
        told = self._told(kind, corner, form)
        mixed = corner in self.mixed
        if told[1].blank and told[2].blank and not mixed:
            # So it is with most of what waits.
            return self._share(told[0], _HOPE, told[0].coming) if likely is None else likely
        value = _HOPE if likely is None else likely
        for record in told if likely is None else told[1:]:
            value = self._share(record, value, record.coming)
            if record is told[0] and kind is not None and kind != NO_PAGE and mixed:
                value = max(value, _DOUBT)
        return value

    def sure(self, kind: Kind, corner: Corner, form: Hashable, likely: float) -> bool:
        """Whether the next URL of a form is so *likely* one that is looked for, by what came of
        such URLs too, that it will be fetched in any case. As many of them may be under way as were
        answered."""
        if likely < _SURE:
            return False
        value = likely
        for record in self._told(kind, corner, form)[1:]:
            value = self._share(record, value, max(record.coming - len(record.last), 0))
        return value >= _SURE

    def _share(self, record: _Record, value: float, coming: int) -> float:
        """What one of those in a *record* was worth, the next one being held to be worth *value*,
        and those that are *coming* nothing."""
        if record.answers < 0:
            record.count(self._patience)
        return (record.total + value) / (record.answers + coming + 1)

    def _told(self, kind: Kind, corner: Corner, form: Hashable) -> tuple[_Record, ...]:
        found = self._known.get((kind, corner, form))
        if found is None:
            keys = _keys(kind, corner, form)
            found = tuple([self._records[key] for key in keys])
            self._known[kind, corner, form] = found
        return found

    def _corner(self, lead: _Lead) -> Corner:
        return lead.place.location, self._template_of(lead.place.source)

    def _file(self, docid: int, lead: _Lead) -> None:
        corner = self._corner(lead)
        kind = self._template_of(docid) if docid in self._pages else NO_PAGE
        blind = self._told(None, corner, lead.form)
        _, *expecting = self._told(lead.expected, corner, lead.form)
        of_kind = self._records["kind", kind]
        lead.told = tuple(dict.fromkeys((*blind, *expecting, of_kind)))
        for record in lead.told:
            record.add(lead)


def _keys(kind: Kind, corner: Corner, form: Hashable) -> tuple[tuple[Hashable, ...], ...]:
    """What tells of a URL, the closest at last. Where nothing is expected of it, or that no page
    will come, that is what became of others of its form."""
    if kind is None:
        return ("form", form), ("corner", corner), ("form", corner, form)
    first = ("form", form) if kind == NO_PAGE else ("kind", kind)
    return first, ("corner", corner, kind), ("form", corner, form, kind)
