"""A packed site crawled breadth first without a network: what methods are compared on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tplcrawl.batch.documents import Document
from tplcrawl.batch.ingest import add_document
from tplcrawl.clustering.pages import Pages
from tplcrawl.evaluation.corpus import ROOT, Corpus
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.recollection import pages_of
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, Place, State


@dataclass(frozen=True, slots=True)
class Labelled:
    """Pages and their true templates; ``None`` where the truth does not name a page."""

    site: str
    pages: Pages
    truth: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page of a packed site whose turn has come."""

    docid: int
    document: Document
    depth: int
    place: Place


def fetched(corpus: Corpus, store: Store, most: int) -> Iterator[Fetched]:
    """The first *most* pages of *corpus* in breadth-first order. Each must be in *store* before the
    next one is asked for."""
    store.urls.discover([Discovery(ROOT + corpus.start, 0)])
    last = 0
    while len(store.pages) < most and (waiting := store.urls.waiting(last, 1)):
        queued = waiting[0]
        last = queued.id
        document = corpus.fetch(queued.url)
        if document is None:
            store.urls.settle(queued.id, State.FAILED, reason="not html")
            continue
        found = Discovery(document.url, queued.depth, queued.place)
        docid = store.urls.discover([found])[0]
        if docid != queued.id:
            store.urls.settle(queued.id, State.REDIRECTED, target=docid)
        if not store.pages.has(docid):
            yield Fetched(docid, document, queued.depth, queued.place)


def replay(corpus: Corpus, folder: Path, most: int) -> Store:
    """Crawl the first *most* pages of *corpus* into a store in *folder*."""
    cleaner = Cleaner(Site([ROOT]))
    with ExitStack() as left_open:
        store = left_open.enter_context(Store(folder))
        for page in fetched(corpus, store, most):
            add_document(store, page.docid, page.document, cleaner, depth=page.depth)
        store.claim(corpus.name)
        left_open.pop_all()
    return store


def labelled(corpus: Corpus, store: Store, *, positional: bool = False) -> Labelled:
    """The pages of a replay with the truth."""
    pages = pages_of(store, positional=positional)
    return Labelled(corpus.name, pages, [corpus.template_of(url) for url in pages.urls])
