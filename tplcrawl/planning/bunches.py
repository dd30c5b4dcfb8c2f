"""Queued URLs in bunches: those that one verdict may be passed on.

A site shows a hundred URLs for each that a budget lets through. To ask of each what is expected of
it would cost more than all that is fetched, so it is asked of *bunches*: URLs that were seen at one
location, on pages of one template, and are built alike. Only a URL that is picked is looked at by
itself; if something else is expected of it than of its bunch, it is put aside with its like.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush

from tplcrawl.planning.ranks import Ranks
from tplcrawl.planning.yields import Kind

Corner = tuple[int | None, Kind]
"""A location, and the template of the pages that it stands on."""

Shape = tuple[Hashable, ...]
"""What URLs of one corner are built alike by."""

Expected = tuple[Kind, float]
"""What is expected of a URL, and how likely it is that something else comes."""

_DENIED = 32
"""URLs of one bunch that are put aside one by one."""


@dataclass(slots=True)
class _Strand:
    """Ids of a bunch that one page has led to, ascending."""

    source: int | None
    ids: deque[int]


@dataclass(slots=True)
class Bunch:
    """URLs that are taken for the same."""

    number: int
    corner: Corner
    shape: Shape
    kind: Kind = None
    """The template that is expected of its URLs; ``None`` where nothing is."""
    doubt: float = 1.0
    """How likely it is that something else comes."""
    tries: int = 0
    """How many of its URLs were fetched."""
    stale: bool = False
    """Whether what is expected of it has to be asked anew."""
    strands: deque[_Strand] = field(default_factory=deque)
    denied: int = 0
    """How many of its URLs were put aside."""

    @property
    def worth(self) -> float:
        """What one more try tells: less after each."""
        return self.doubt / (1 + self.tries)

    @property
    def first(self) -> int:
        """The URL that was discovered first, of those that are left."""
        return self.strands[0].ids[0]

    def add(self, id_: int, source: int | None) -> None:
        """Add a URL that was seen first on the page *source*, behind all others."""
        if not self.strands or self.strands[-1].source != source:
            self.strands.append(_Strand(source, deque()))
        self.strands[-1].ids.append(id_)

    def pop(self) -> tuple[int, int | None]:
        """Take out the first URL and the page that it was seen on."""
        strand = self.strands[0]
        id_ = strand.ids.popleft()
        if not strand.ids:
            self.strands.popleft()
        return id_, strand.source

    def turn(self) -> None:
        """Let the URLs of another page come first."""
        self.strands.rotate(-1)

    def push(self, id_: int, source: int | None) -> None:
        """Put back what was taken out last."""
        if not self.strands or self.strands[0].source != source:
            self.strands.appendleft(_Strand(source, deque()))
        self.strands[0].ids.appendleft(id_)

    def any(self, number: int) -> int:
        """One of its URLs, others for other numbers."""
        ids = self.strands[number % len(self.strands)].ids
        return ids[number // len(self.strands) % len(ids)]


class Bunches:
    """All URLs that wait, bunched. O(1) a URL; what to expect is asked once for a bunch, and again
    where there is reason to."""

    def __init__(
        self,
        template_of: Callable[[int | None], Kind],
        expect: Callable[[int], Expected],
        placed: Callable[[Bunch], None] = lambda _: None,
    ) -> None:
        self._template_of = template_of
        self._expect = expect
        self._placed = placed
        """Told of every bunch whose first URL changed, or what is expected of it."""
        self._bunches: dict[Hashable, Bunch] = {}
        self._corners: dict[Corner, list[Bunch]] = {}
        self._numbered: dict[int, Bunch] = {}
        self._by_kind: dict[Kind, list[tuple[int, int]]] = {}
        self._doubts: dict[Kind, Ranks[Bunch]] = {}
        self._stale: list[Bunch] = []
        self._made = 0
        self._rounds = 0

    def add(self, id_: int, location: int | None, source: int | None, shape: Shape) -> None:
        """A URL was discovered, after all that have been added."""
        bunch = self._bunch((location, self._template_of(source)), shape)
        if not bunch.strands:
            self._doubt(bunch)
        bunch.add(id_, source)

    def explored(self, corner: Corner) -> None:
        """Enough URLs of *corner* were answered: the others are what is likeliest."""
        for bunch in self._corners.get(corner, ()):
            if bunch.kind is None:
                self._doubt(bunch)

    def renew(self) -> None:
        """Templates were found anew, by which URLs are bunched, and what is expected of them."""
        self._rounds += 1
        strands = [(one, bunch) for bunch in self._bunches.values() for one in bunch.strands]
        strands.sort(key=lambda one: one[0].ids[0])
        self._bunches, self._corners, self._numbered = {}, {}, {}
        self._by_kind, self._doubts, self._stale = {}, {}, []
        for strand, old in strands:
            bunch = self._bunch((old.corner[0], self._template_of(strand.source)), old.shape)
            self._doubt(bunch)
            bunch.tries = max(bunch.tries, old.tries)
            bunch.strands.append(strand)

    def kinds(self) -> Iterator[Kind]:
        """The templates that URLs wait for."""
        self.ask_stale()
        return (kind for kind in list(self._by_kind) if self.first(kind) is not None)

    def first(self, kind: Kind, fit: Callable[[Bunch], bool] = lambda _: True) -> Bunch | None:
        """The bunch of *kind* with the URL that was discovered first; only of those that *fit*.
        O(1) for each that does not."""
        waiting = self._by_kind.get(kind, [])
        while waiting and not self._holds(waiting[0], kind):
            heappop(waiting)
        if not waiting or fit(self._numbered[waiting[0][1]]):
            return self._numbered[waiting[0][1]] if waiting else None
        for entry in sorted(waiting):
            if self._holds(entry, kind) and fit(self._numbered[entry[1]]):
                return self._numbered[entry[1]]
        return None

    def doubtful(
        self, least: float, kinds: Iterable[Kind], fit: Callable[[Bunch], bool]
    ) -> Bunch | None:
        """The bunch that is least known, of those of which one of *kinds* is expected and that
        *fit*, if one more try of it is worth *least*. Whether one fits depends on what is expected
        of it and how often it was tried, on nothing else. What is expected of it is asked anew:
        others may have told."""
        asked: Bunch | None = None
        among = list(kinds)
        while True:
            found = [one for kind in among if (one := self._least_known(kind, least, fit))]
            bunch = max(found, key=lambda one: (one.worth, -one.number), default=None)
            if bunch is None or bunch is asked:
                return bunch
            asked = bunch
            self._ask(bunch)

    def _least_known(self, kind: Kind, least: float, fit: Callable[[Bunch], bool]) -> Bunch | None:
        ranks = self._doubts.get(kind)
        return ranks.best(least, fit) if ranks else None

    def tried(self, bunch: Bunch) -> None:
        """One of the URLs of *bunch* is fetched."""
        bunch.tries += 1
        self._rank(bunch)

    def pop(self, bunch: Bunch) -> tuple[int, int | None]:
        """Take out the first URL of *bunch*, and the page that it was seen on."""
        taken = bunch.pop()
        self._place(bunch, bunch.kind)
        return taken

    def turn(self, bunch: Bunch) -> None:
        """Let the URLs of another page come first in *bunch*."""
        bunch.turn()
        self._place(bunch, bunch.kind)

    def push(self, bunch: Bunch, id_: int, source: int | None) -> None:
        """Put back what was taken out last."""
        bunch.push(id_, source)
        self._place(bunch, bunch.kind)

    def aside(self, bunch: Bunch, id_: int, source: int | None, expected: Expected) -> None:
        """Something else is *expected* of a URL than of the *bunch* it was taken from. Where
        nothing was expected, or if there are many such, it is expected of all."""
        kind, doubt = expected
        bunch.denied += 1
        if bunch.kind is None or bunch.denied > _DENIED:
            bunch.push(id_, source)
            bunch.denied = 0
        else:
            bunch = self._bunch(bunch.corner, bunch.shape, (kind,))
            bunch.add(id_, source)
        bunch.doubt = doubt
        self._place(bunch, kind)
        self._rank(bunch)

    def waiting(self) -> Iterator[tuple[int, Kind]]:
        """Every URL that waits, and the template for which it does."""
        for bunch in self._bunches.values():
            for strand in bunch.strands:
                for id_ in strand.ids:
                    yield id_, bunch.kind

    def _bunch(self, corner: Corner, shape: Shape, apart: tuple[Kind, ...] = ()) -> Bunch:
        key = corner, shape, apart
        bunch = self._bunches.get(key)
        if bunch is None:
            self._made += 1
            bunch = self._bunches[key] = self._numbered[self._made] = Bunch(
                self._made, corner, shape
            )
            self._corners.setdefault(corner, []).append(bunch)
        return bunch

    def _doubt(self, bunch: Bunch) -> None:
        if not bunch.stale:
            bunch.stale = True
            self._stale.append(bunch)

    def ask_stale(self) -> None:
        """Ask what is expected of the bunches of which that is not known, or may have changed."""
        for bunch in self._stale:
            bunch.stale = False
            if bunch.strands:
                self._ask(bunch)
        self._stale.clear()

    def _ask(self, bunch: Bunch) -> None:
        kind, bunch.doubt = self._expect(bunch.any(self._rounds))
        self._place(bunch, kind)
        self._rank(bunch)

    def _rank(self, bunch: Bunch) -> None:
        kind = bunch.kind
        ranks = self._doubts.get(kind)
        if ranks is None:
            ranks = self._doubts[kind] = Ranks(lambda one: one.kind == kind and bool(one.strands))
        ranks.add(bunch)

    def _place(self, bunch: Bunch, kind: Kind) -> None:
        bunch.kind = kind
        self._placed(bunch)
        if bunch.strands:
            waiting = self._by_kind.setdefault(kind, [])
            heappush(waiting, (bunch.first, bunch.number))

    def _holds(self, entry: tuple[int, int], kind: Kind) -> bool:
        first, number = entry
        bunch = self._numbered[number]
        return bunch.kind == kind and bool(bunch.strands) and bunch.first == first
