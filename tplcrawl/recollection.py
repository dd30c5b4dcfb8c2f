"""What a store remembers of its model: that of a crawl that goes on, or has ended."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from tplcrawl.clustering.ancestors import Ancestor
from tplcrawl.clustering.base import Method
from tplcrawl.clustering.methods import make_method
from tplcrawl.clustering.model import Model
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.predictions import Link, Predictor
from tplcrawl.clustering.sampling import spread
from tplcrawl.clustering.template_ids import TemplateIds
from tplcrawl.records import Prediction
from tplcrawl.saved_model import saved_in
from tplcrawl.shelf import StoreShelf
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Place, State

LESSONS = 10_000
"""Pages that are learnt from, to tell of a crawl that has ended what the rest of its URLs are."""


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
    predictor = Predictor(ended=True)
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
    inherits: bool = False,
) -> Model:
    """The model of the pages in *store*, before its next round: after a pause or a kill, or to ask
    it about other pages; with what it *inherits* from the crawl that it began with."""
    ancestors: list[Ancestor] = []
    ids = TemplateIds(store.last_template, store.pages.aliases())
    saved = saved_in(store) if inherits else None
    if saved is not None:
        ancestors = saved.ancestors(store.locations.ids(saved.paths), positional=positional)
        ids = TemplateIds(max(saved.last, ids.last), {**saved.aliases, **ids.aliases})
    model = Model(method, StoreShelf(store), ids, by_host=by_host, ancestors=ancestors)
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
        inherits=True,
    )
    model.round()
    return model
