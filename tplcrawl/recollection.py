"""What a store remembers of its model: that of a crawl that goes on, or has ended."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import islice, pairwise

import numpy as np

from tplcrawl.clustering.ancestors import Ancestor
from tplcrawl.clustering.base import Method
from tplcrawl.clustering.methods import make_method
from tplcrawl.clustering.model import Model
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.predictions import Link, Predictor
from tplcrawl.clustering.sampling import spread
from tplcrawl.clustering.template_ids import TemplateIds
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.outline import Outline
from tplcrawl.records import Prediction
from tplcrawl.saved_model import SavedModel, saved_in
from tplcrawl.store.sightings import SightingTable
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Place, State

SOURCES = 2000
"""Pages whose links tell which positions lead where."""

LESSONS = 20_000
"""Pages that are learnt from, to tell of a crawl that has ended what the rest of its URLs are."""


class StoreShelf:
    """What a model needs of pages, read from a store."""

    def __init__(self, store: Store) -> None:
        self._pages = store.pages

    def features(self, docid: int) -> Features:
        """What the default method compares of a page."""
        return Features.decode(self._pages.features(docid))

    def outline(self, docid: int) -> Outline:
        """A page's structure."""
        return self._pages.outline(docid)

    def positions(self, docids: Sequence[int]) -> list[Hashes]:
        """For each of *docids*, the positional locations that lead to it from some of the pages,
        spread over the crawl: those of a menu show on any of them."""
        wanted = np.array(docids, np.int64)
        order = np.argsort(wanted)
        rows, spots = [np.empty(0, np.int64)], [np.empty(0, np.uint32)]
        sightings = iter(self._pages.sightings(spread(self._pages.docids(), SOURCES)))
        while batch := list(islice(sightings, 100)):
            links = SightingTable.joined([table for _, table in batch])
            sources = np.repeat([docid for docid, _ in batch], [len(table) for _, table in batch])
            at = np.searchsorted(wanted, links.targets, sorter=order)
            at[at == len(wanted)] = 0
            known = (wanted[order[at]] == links.targets) & (links.targets != sources)
            rows.append(order[at[known]])
            spots.append(links.spots()[known])
        pairs = np.unique(np.concatenate(rows) << 32 | np.concatenate(spots))
        starts = np.searchsorted(pairs, np.arange(len(docids) + 1) << 32)
        column = (pairs & 0xFFFFFFFF).astype(np.uint32)
        return [column[a:b] for a, b in pairwise(starts)]


def location_key(place: Place, *, positional: bool) -> Hashable | None:
    """The location that groups and predictions go by."""
    if place.location is None:
        return None
    return (place.location, place.positions) if positional else place.location


def link_of(url: str, place: Place, *, positional: bool) -> Link:
    """What predictions go by."""
    return Link(url, location_key(place, positional=positional), place.source)


def taught(store: Store) -> Callable[[str, Place], Prediction | None]:
    """What is expected of URLs by the pages in *store*: by all or, of very many, by some that are
    spread over the crawl."""
    positional = bool(store.meta("positional"))
    predictor = Predictor()
    docids = store.pages.docids()
    for docid, template in zip(docids, store.pages.templates(), strict=True):
        if template is not None:
            predictor.know(docid, template)
    for docid, url, place, given in store.pages.briefs(spread(docids, LESSONS)):
        predictor.learn(docid, link_of(url, place, positional=positional), given.template)
    return lambda url, place: predictor.predict(link_of(url, place, positional=positional))


def restored(
    store: Store,
    method: Method,
    *,
    positional: bool,
    by_host: bool = False,
    saved: SavedModel | None = None,
) -> Model:
    """The model of the pages in *store*, before its next round: after a pause or a kill, or to ask
    it about other pages. *saved* is the one that the crawl began with."""
    ancestors: list[Ancestor] = []
    ids = TemplateIds(store.last_template, store.pages.aliases())
    if saved is not None:
        ancestors = saved.ancestors(store.locations.ids(saved.paths), positional=positional)
        ids = TemplateIds(max(saved.last, ids.last), {**saved.aliases, **ids.aliases})
    model = Model(method, StoreShelf(store), ids, ancestors, by_host=by_host)
    for docid, url, place, given in store.pages.briefs():
        model.add(docid, link_of(url, place, positional=positional), given)
    for asked, state, status in store.urls.judged():
        if state is State.FAILED and status is not None and status < 500:
            model.fail(asked.id, link_of(asked.url, asked.place, positional=positional))
    for docid, links in store.pages.sightings():
        model.inbound.add(docid, links.targets, links.locations, links.prose)
    return model


def pages_of(store: Store, *, positional: bool = False) -> Pages:
    """All pages of *store*, for a method that is to see them at once."""
    return restored(store, make_method("hybrid"), positional=positional).pages()


def recalled(store: Store) -> Model:
    """The model as it was when the crawl in *store* ended. Writes nothing."""
    parameters = dict(store.meta("parameters", {}))  # type: ignore[call-overload]
    method = make_method(str(store.meta("method")), **parameters)
    model = restored(
        store,
        method,
        positional=bool(store.meta("positional")),
        by_host=bool(store.meta("by_host")),
        saved=saved_in(store),
    )
    model.round()
    return model
