"""The templates of a crawl in one file of JSON, from which another crawl can start.

A model is some pages of each template. Whatever the method, templates are found from pages: those
that are known take part when templates are found anew, and their ids go with them.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tplcrawl.clustering.ancestors import Ancestor
from tplcrawl.clustering.inbound import InboundCounter
from tplcrawl.clustering.predictions import Link
from tplcrawl.clustering.sampling import spread
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.store.store import Store

PAGES, ALL_PAGES, FEWEST = 25, 5000, 3
"""Pages of each template, of all, and of each where there are very many templates."""

_DAMAGE = (ValueError, KeyError, TypeError, IndexError, OverflowError, zlib.error)

_FORMAT, _VERSION = "tplcrawl model", 1

_Row = tuple[int, str, int | None, str | None, int | None, str, str, list[list[int]]]
"""Template, URL, location, positions, template of the page with the link, features, outline, and
[location, prose, count] of the links to it. Locations are places in a list of paths."""


@dataclass(frozen=True, slots=True)
class SavedModel:
    """What is known of templates beyond one crawl."""

    last: int
    """The highest id that was ever given."""
    aliases: Mapping[int, int]
    names: Mapping[int, str]
    paths: Sequence[str]
    """The locations that the pages' rows name."""
    rows: Sequence[_Row]

    def encode(self) -> str:
        """This model as JSON."""
        return json.dumps(
            {
                "format": _FORMAT,
                "version": _VERSION,
                "last": self.last,
                "aliases": sorted(self.aliases.items()),
                "names": sorted(self.names.items()),
                "locations": list(self.paths),
                "pages": list(self.rows),
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @classmethod
    def decode(cls, text: str | bytes) -> SavedModel:
        """The model that :meth:`encode` wrote. Raises :exc:`ValueError` for anything else."""
        found = json.loads(text)
        if not isinstance(found, dict) or found.get("format") != _FORMAT:
            raise ValueError("it is not a model of tplcrawl")
        if found.get("version") != _VERSION:
            raise ValueError(f"it is of version {found.get('version')}; this tplcrawl reads 1")
        try:
            model = cls(
                _number(found["last"]),
                {_number(old): _number(new) for old, new in found["aliases"]},
                {_number(id_): _text(name) for id_, name in found["names"]},
                [_text(path) for path in found["locations"]],
                found["pages"],
            )
            model.ancestors(range(1, len(model.paths) + 1), positional=False)
        except _DAMAGE as error:
            raise ValueError("it is damaged") from error
        return model

    def ancestors(self, numbers: Sequence[int], *, positional: bool) -> list[Ancestor]:
        """The pages; *numbers* are the numbers of the locations in the store that wants them."""
        return [self._ancestor(row, numbers, positional) for row in self.rows]

    def _ancestor(self, row: _Row, numbers: Sequence[int], positional: bool) -> Ancestor:
        template, url, location, positions, on, features, outline, inbound = row
        if not 0 < _number(template) <= self.last:
            raise ValueError("a template that there is not")
        place = None if location is None else numbers[_number(location)]
        positions = None if positions is None else _text(positions)
        key = (place, positions) if positional and place is not None else place
        return Ancestor(
            template,
            Link(_text(url), key),
            None if on is None else _number(on),
            Features.decode(b64decode(features, validate=True)),
            Outline.decode(b64decode(outline, validate=True)),
            tuple((numbers[_number(at)], bool(prose), _number(n)) for at, prose, n in inbound),
        )


def _number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 31:
        raise ValueError("not a number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value


def saved_in(store: Store) -> SavedModel | None:
    """The model with which the crawl in *store* began."""
    text = store.meta("model")
    return None if text is None else SavedModel.decode(str(text))


def model_of(store: Store, names: Mapping[int, str]) -> SavedModel:
    """The model of the crawl in *store*: some pages of each template, spread over the crawl, and of
    templates that it had no page of, what it knew of them itself."""
    earlier = saved_in(store)
    links = {docid: (url, place) for docid, url, place, _ in store.pages.briefs()}
    members: defaultdict[int, list[int]] = defaultdict(list)
    template_of: dict[int, int] = {}
    for docid, _, _, given in store.pages.briefs():
        if given.template is not None:
            members[given.template].append(docid)
            template_of[docid] = given.template
    most = max(FEWEST, min(PAGES, ALL_PAGES // max(len(members), 1)))
    chosen = sorted(docid for docids in members.values() for docid in spread(docids, most))
    inbound = _inbound(store, chosen)
    paths = _Paths(store.locations.paths())
    rows: list[_Row] = []
    for docid in chosen:
        url, place = links[docid]
        rows.append(
            (
                template_of[docid],
                url,
                None if place.location is None else paths.index(place.location),
                place.positions,
                None if place.source is None else template_of.get(place.source),
                _packed(store.pages.features(docid)),
                _packed(store.pages.outline(docid).encode()),
                [[paths.index(at), prose, count] for at, prose, count in inbound[docid]],
            )
        )
    kept = dict(names)
    if earlier is not None:
        gone = [row for row in earlier.rows if row[0] not in members]
        rows = paths.translated(gone, earlier.paths) + rows
        kept = {**earlier.names, **kept}
    aliases = store.pages.aliases()
    last = max(store.last_template, earlier.last if earlier else 0)
    kept = {id_: kept[id_] for id_ in sorted({row[0] for row in rows}) if id_ in kept}
    return SavedModel(last, aliases, kept, paths.all(), rows)


def _packed(blob: bytes) -> str:
    return b64encode(blob).decode("ascii")


def _inbound(store: Store, docids: Iterable[int]) -> dict[int, list[tuple[int, int, int]]]:
    """The links to some pages: the location, whether in running text, and on how many pages."""
    counter = InboundCounter()
    for docid, links in store.pages.sightings():
        counter.add(docid, links.targets, links.locations, links.prose)
    every = counter.result()
    found: dict[int, list[tuple[int, int, int]]] = {docid: [] for docid in docids}
    keep = np.isin(every.pages, list(found))
    columns = every.pages, every.locations, every.prose, every.counts
    for page, *row in zip(*(column[keep].tolist() for column in columns), strict=True):
        found[page].append((row[0], int(row[1]), row[2]))
    return found


class _Paths:
    """The locations that are named, each once."""

    def __init__(self, known: Mapping[int, str]) -> None:
        self._known = known
        self._places: dict[str, int] = {}

    def all(self) -> list[str]:
        return [*self._places]

    def index(self, number: int) -> int:
        return self.place(self._known[number])

    def place(self, path: str) -> int:
        return self._places.setdefault(path, len(self._places))

    def translated(self, rows: Iterable[_Row], paths: Sequence[str]) -> list[_Row]:
        """*rows* that name locations by their places in other *paths*."""
        moved: list[_Row] = []
        for template, url, at, positions, on, features, outline, inbound in rows:
            links = [[self.place(paths[link[0]]), *link[1:]] for link in inbound]
            place = None if at is None else self.place(paths[at])
            moved.append((template, url, place, positions, on, features, outline, links))
        return moved
