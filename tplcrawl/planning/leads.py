"""What the pages of a search have led to, by where they were found.

A page is worth one if it is looked for, and what it has led to: one for each page that is looked
for and was seen on it first, half of that for a page that led there through another, and so on. So
one number says of a place both whether such pages are found there and whether they are found behind
it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Set

from tplcrawl.clustering.predictions import NO_PAGE
from tplcrawl.fingerprints.url_shape import url_form
from tplcrawl.planning.bunches import Corner
from tplcrawl.planning.likeness import Likeness
from tplcrawl.planning.outcomes import MOST_PATIENCE, Outcome, Record, Records
from tplcrawl.planning.yields import Kind
from tplcrawl.store.arrivals import arrivals
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Place, State

_HOPE = 0.5
"""What a URL is held to be worth of whose like nothing is known."""

_LEAST_PATIENCE, _PATIENCE = 16, 0.1
"""The last answers tell what the next one will be worth: as many as this share of what was found in
all."""

_LEAST_DROUGHT, _MOST_DROUGHT, _DROUGHT = 24, 90, 0.05
"""A search is dry when so many answers in a row told of nothing that is looked for, or this share
of what was found."""

_STEADY = 9
"""The pages that as many answers would have brought, had it gone on as before, from which on the
fewer of these are enough: by chance, that happens to one search in ten thousand."""

_WHEN_DRY, _LATE = 0.2, 2
"""What a URL must be worth when a search is dry, and the power of the drought with which that
rises."""

_DOUBT = 0.1
"""What a URL is worth at least, until it has been tried, where others stand that are looked for:
what is expected of it may be wrong."""

_SURE = 0.8
"""How likely a URL is at least one that is looked for, and what it is worth, to be fetched in any
case."""

_FAR = 0.5
"""What a page is worth for each that it led to through another."""
_LEAST = 0.05


class Leads:
    """Learns from every answer what the next URL may be worth. O(1) both."""

    def __init__(
        self, template_of: Callable[[int | None], Kind], given: Iterable[str] = ()
    ) -> None:
        self.likeness = Likeness(given)
        self.mixed: set[Corner] = set()
        """Corners that have led to what is looked for."""
        self._template_of = template_of
        self._wanted: Set[Kind] = frozenset()
        self._pages: dict[int, Outcome] = {}
        self._answers: list[tuple[int, Outcome]] = []
        self._records: defaultdict[Hashable, Record] = defaultdict(Record)
        self._known: dict[tuple[Kind, Corner, Hashable], Records] = {}
        self._of_corner: defaultdict[Corner, list[Record]] = defaultdict(list)
        self._asked: dict[int, Records] = {}
        self._news: dict[Record, None] = {}
        self._found = self._last = 0
        self._patience = _LEAST_PATIENCE

    def recall(self, store: Store) -> None:
        """Take in the answers of earlier runs: those without a page, then pages as they came."""
        for url, state, _ in store.urls.judged():
            if state is State.FAILED:
                self.note(url.id, url.url, url.place, page=False)
        current = store.pages.aliases()
        pages = {page.docid: page for page in store.pages.rows()}
        for docid, _, place, *_ in arrivals(store.database):
            page = pages[docid]
            told = page.predicted.template if page.predicted else None
            expected = None if told is None else current.get(told, told)
            self.note(docid, page.url, place, expected, page=True)

    @property
    def least(self) -> float:
        """What a URL must be worth to be fetched: hardly anything for long, for what is best comes
        first in any case, and where all pages that lead on are of one template, scores may come
        before one shows what is looked for; the more, the drier the search becomes."""
        return _WHEN_DRY * self.drought**_LATE

    @property
    def drought(self) -> float:
        """How dry the search is: one, when it is."""
        steady = min(_MOST_DROUGHT, _STEADY * len(self._answers) / max(self._found, 1))
        patience = max(_LEAST_DROUGHT, _DROUGHT * self._found, steady)
        return min((len(self._answers) - self._last) / patience, 1.0)

    def news(self) -> list[Record]:
        """What has changed since this was asked last."""
        news = list(self._news)
        self._news.clear()
        return news

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
        asked = self._asked[id_] = self.told(kind, corner, form)
        for record in asked:
            record.coming += 1
        self._news.update(dict.fromkeys(asked))

    def leave(self, id_: int) -> None:
        """*id_* was answered, or never will be."""
        asked = self._asked.pop(id_, ())
        for record in asked:
            record.coming -= 1
        self._news.update(dict.fromkeys(asked))

    def note(
        self, docid: int, url: str, place: Place, expected: Kind = None, *, page: bool
    ) -> None:
        """*url*, of which something was *expected*, was answered, with a *page* or without."""
        lead = Outcome(url, place, url_form(url), expected)
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
        corner = self._corner(first)
        if corner not in self.mixed:
            self.mixed.add(corner)
            self._news.update(dict.fromkeys(self._of_corner[corner]))
        worth, seen = 1.0, {docid}
        while worth > _LEAST:
            lead.worth += worth
            for record in lead.told:
                record.change()
            self._news.update(dict.fromkeys(lead.told))
            if lead is not first:
                worth *= _FAR
            source = lead.place.source
            if source is None or source in seen or source not in self._pages:
                break
            seen.add(source)
            lead = self._pages[source]
        self._found += 1
        patience = int(min(max(_LEAST_PATIENCE, _PATIENCE * self._found), MOST_PATIENCE))
        if patience != self._patience:
            for record in self._records.values():
                if record.heard > min(patience, self._patience):
                    record.change()
                    self._news[record] = None
            self._patience = patience

    def renew(self, wanted: Set[Kind]) -> None:
        """Templates were found anew, and *wanted* are those that are looked for. A search that took
        other pages for them is not dry for that: as long as these came, nothing else was tried."""
        for record in self._records.values():
            record.clear()
        self.likeness.clear()
        self._wanted = wanted
        self.mixed.clear()
        self._found, self._patience = 0, _LEAST_PATIENCE
        for docid, lead in self._answers:
            lead.worth = 0.0
            self._file(docid, lead)
        for answers, (docid, _) in enumerate(self._answers, 1):
            if docid in self._pages and self._template_of(docid) in wanted:
                self._credit(docid)
                self._last = max(self._last, answers)

    def value(
        self, kind: Kind, corner: Corner, form: Hashable, doubt: float, *, sought: bool = False
    ) -> float:
        """What the next URL of a form may be worth of which *kind* is expected in a corner, and
        something else with the chance of *doubt*. That is told by the pages of that kind, or by how
        likely they are where they are *sought*; and by what became of such URLs in the corner, and
        of those of the form, as far as there are any. Of no page nothing comes."""
        told = self.told(kind, corner, form)
        mixed = corner in self.mixed
        if kind == NO_PAGE and self.vainly(corner):
            return 0.0
        if sought:
            value = 1 - doubt
        else:
            value = told[0].share(_HOPE, told[0].coming, self._patience)
            if kind == NO_PAGE:
                value *= doubt
        if told[1].blank and told[2].blank and not mixed:
            # So it is with most of what waits.
            return value
        if mixed and not sought and kind is not None and kind != NO_PAGE:
            value = max(value, _DOUBT)
        for record in _telling(told):
            value = record.share(value, record.coming, self._patience)
        return value

    def vainly(self, corner: Corner) -> bool:
        """Whether so many URLs of a corner were asked for of which no page was expected that a
        search is dry of less, and the corner has led to nothing that is looked for."""
        if not self._wanted or corner in self.mixed:
            return False
        return self.told(NO_PAGE, corner, None)[1].heard >= _LEAST_DROUGHT

    def sure(self, kind: Kind, corner: Corner, form: Hashable, doubt: float) -> bool:
        """Whether the next URL of a form is so likely one that is looked for, by what came of
        such URLs too, that it will be fetched in any case. As many of them may be under way as were
        answered."""
        value = 1 - doubt
        if value < _SURE:
            return False
        for record in _telling(self.told(kind, corner, form)):
            coming = max(record.coming - len(record.last), 0)
            value = record.share(value, coming, self._patience)
        return value >= _SURE

    def told(self, kind: Kind, corner: Corner, form: Hashable) -> Records:
        """What tells of a URL of a form of which *kind* is expected in a corner."""
        found = self._known.get((kind, corner, form))
        if found is None:
            first, second, third = [self._records[key] for key in _keys(kind, corner, form)]
            found = self._known[kind, corner, form] = first, second, third
            self._of_corner[corner].append(second)
        return found

    def _corner(self, lead: Outcome) -> Corner:
        return lead.place.location, self._template_of(lead.place.source)

    def _file(self, docid: int, lead: Outcome) -> None:
        corner = self._corner(lead)
        kind = self._template_of(docid) if docid in self._pages else NO_PAGE
        blind = self.told(None, corner, lead.form)
        _, *expecting = self.told(lead.expected, corner, lead.form)
        of_kind = self._records["kind", kind]
        if kind not in self._wanted:
            self.likeness.note(lead.url)
        lead.told = tuple(dict.fromkeys((*blind, *expecting, of_kind)))
        for record in lead.told:
            record.add(lead)
        self._news.update(dict.fromkeys(lead.told))


def _telling(told: Records) -> Iterator[Record]:
    """What tells of a URL in its corner, each answer once: where a corner has one form of URLs,
    what became of that is what became of the corner."""
    _, corner, form = told
    yield corner
    if not form.repeats(corner):
        yield form


def _keys(kind: Kind, corner: Corner, form: Hashable) -> tuple[tuple[Hashable, ...], ...]:
    """What tells of a URL, the closest at last. Where nothing is expected of it, or that no page
    will come, that is what became of others of its form."""
    if kind is None:
        return ("form", form), ("corner", corner), ("form", corner, form)
    first = ("form", form) if kind == NO_PAGE else ("kind", kind)
    return first, ("corner", corner, kind), ("form", corner, form, kind)
