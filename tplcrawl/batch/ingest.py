"""Pages of any input into a store, as a crawl would have left them there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from tplcrawl.batch.addresses import page_url
from tplcrawl.batch.documents import DOUBLE, NO_URL, Document, Losses
from tplcrawl.fingerprints.features import features_of
from tplcrawl.page.profile import Source, profile_of, profiles_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.records import Profile
from tplcrawl.store.keys import url_key
from tplcrawl.store.pages import PAGE_ITEM, Item
from tplcrawl.store.placing import first_sightings
from tplcrawl.store.store import UNKNOWN, Archived, Store
from tplcrawl.store.urls import Discovery, State

_TOGETHER, _BYTES = 64, 4 * 1024 * 1024
"""Pages that are looked at and written together, and bytes of them."""


def ingest(store: Store, documents: Iterable[Document], losses: Losses, *, save_html: bool) -> None:
    """Let *store* hold *documents* as a crawl of all their hosts would have left them there."""
    site = Site(())
    take_in(store, documents, losses, site, save_html=save_html)
    store.claim(site_name(site))
    store.urls.adopt(first_sightings(store))


def take_in(
    store: Store,
    documents: Iterable[Document],
    losses: Losses,
    site: Site,
    *,
    save_html: bool,
    together: int = _TOGETHER,
) -> None:
    """Profile *documents* and write them to *store*, some *together*. A URL that comes again is
    counted, not read; the hosts of pages become part of *site* as they come."""
    cleaner = Cleaner(site)
    known = {url_key(store.urls.get(docid).url) for docid in store.pages.docids()}
    some = _Some(store, cleaner, save_html, together)
    for document in documents:
        url = page_url(document.url)
        if url is None:
            losses.add(NO_URL)
            continue
        if not site.covers(urlsplit(url)):
            some.write()
            site.add(url)
            cleaner.forget()
        key = url_key(url)
        if key in known:
            losses.add(DOUBLE)
            continue
        known.add(key)
        some.add(url, document)
    some.write()


class _Some:
    """Pages that are looked at and written together: each statement for itself costs more than what
    it writes, and who reads, parses and writes by turns finds nothing near of what each needs."""

    def __init__(self, store: Store, cleaner: Cleaner, keep_body: bool, together: int) -> None:
        self._store = store
        self._cleaner = cleaner
        self._keep_body = keep_body
        self._together = together
        self._waiting: dict[str, Document] = {}
        self._size = 0

    def add(self, url: str, document: Document) -> None:
        """Take a page, which is known as *url*."""
        self._waiting[url] = document
        self._size += len(document.body)
        if len(self._waiting) >= self._together or self._size >= _BYTES:
            self.write()

    def _looked(self, pages: Mapping[str, Document]) -> list[Profile]:
        sources = [Source(url, page.body, page.encoding) for url, page in pages.items()]
        return profiles_of(sources, self._cleaner)

    def _archived(self, document: Document, profile: Profile) -> Archived:
        return Archived(
            document.status,
            profile,
            features_of(profile.url, profile.outline, profile.lzw).encode(),
            Item(PAGE_ITEM, json.dumps(profile.summary())),
            (document.body, document.encoding) if self._keep_body else None,
        )

    def _again(self, page: Archived, url: str) -> Archived:
        document = self._waiting[page.profile.url]
        return self._archived(document, *self._looked({url: document}))

    def write(self) -> None:
        """Look at those that wait, and write them."""
        if self._waiting:
            profiles = self._looked(self._waiting)
            pages = list(map(self._archived, self._waiting.values(), profiles))
            self._store.add_archived(pages, self._again)
            self._store.commit(every=1.0)
            self._waiting, self._size = {}, 0


def leave_out(store: Store, urls: Iterable[str], reason: str) -> None:
    """Note for what *reason* there is no page of *urls*, unless another answer of one has come."""
    for url in filter(None, map(page_url, urls)):
        id_ = store.urls.discover([Discovery(url, 0)])[0]
        if store.urls.state(id_) is State.QUEUED:
            store.urls.settle(id_, State.FAILED, reason=reason)


def site_name(site: Site) -> str:
    """What a crawl of several hosts is called."""
    return ", ".join(site.hosts[:3]) + (" …" if len(site.hosts) > 3 else "")


def add_document(
    store: Store, docid: int, document: Document, cleaner: Cleaner, *, depth: int = 0
) -> None:
    """Profile one page and write it to *store*."""
    url = store.urls.get(docid).url
    profile = profile_of(url, document.body, cleaner, encoding=document.encoding)
    store.add_page(
        docid,
        depth=depth,
        status=document.status,
        profile=profile,
        features=features_of(url, profile.outline, profile.lzw).encode(),
        assignment=UNKNOWN,
        items=[Item(PAGE_ITEM, json.dumps(profile.summary()))],
    )


def copy_crawl(folder: Path, target: Path) -> None:
    """Make in *target* a crawl that holds all that the one in *folder* found, but its templates."""
    with Store(folder, write=False) as source, Store(target) as copy:
        source.database.copy_to(copy.database)
    with Store(target) as copy:
        copy.forget_templates()
