"""The templates of skimmed pages, and the files that tell of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from json.encoder import encode_basestring
from pathlib import Path

import numpy as np

from tplcrawl.batch.aside import MADE_HERE
from tplcrawl.batch.skim import Batch, Skimmed
from tplcrawl.clustering.base import Clustering, Method
from tplcrawl.clustering.by_host import cluster_by_host, hosts_of
from tplcrawl.clustering.inbound import InboundCounter
from tplcrawl.clustering.pages import Lazy, Pages
from tplcrawl.clustering.template_ids import TemplateIds, template_name
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.lzw import Fingerprint
from tplcrawl.fingerprints.tag_paths import hash_set
from tplcrawl.outline import NO_OUTLINE
from tplcrawl.records import Assignment
from tplcrawl.reports.files import as_json, write_json, write_texts
from tplcrawl.reports.templates import TemplateRow, template_rows, templates_json
from tplcrawl.store.database import FILE
from tplcrawl.store.pages import PageRow
from tplcrawl.store.store import SKIMMED, Store

_NONE = hash_set(())
_COMMITTED = 50_000
"""Pages that are committed at once, while others are still read."""


class SkimmedStore:
    """A store of skimmed pages: they are written as they come, and their templates at the end."""

    def __init__(self, folder: Path) -> None:
        # What a run left that did not come to its end.
        for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
            (folder / name).unlink(missing_ok=True)
        self._store = Store(folder, passing=True)
        self._blobs: dict[Fingerprint, bytes] = {}
        self._waiting = 0

    def __enter__(self) -> SkimmedStore:
        return self

    def __exit__(self, *error: object) -> None:
        self._store.close()

    def take(self, batch: Batch) -> None:
        """Write pages."""
        for one in batch.fingerprints:
            if one not in self._blobs:
                self._blobs[one] = _features(one).encode()
        blobs = map(self._blobs.__getitem__, batch.fingerprints)
        columns = batch.urls, batch.keys, batch.statuses, batch.fingerprints, blobs
        self._store.add_skimmed(list(zip(*columns, strict=True)))
        self._waiting += len(batch.urls)
        if self._waiting >= _COMMITTED:
            self._store.commit()
            self._waiting = 0

    def finish(self, found: Skimmed, method: Method, *, by_host: bool) -> list[TemplateRow]:
        """Find the templates of all the pages that were taken, which are those of *found*; write
        them, ``pages.jsonl`` and ``templates.json``; return them."""
        clustering = _clustered(found, method, by_host=by_host)
        given = _named(clustering)
        store, folder = self._store, self._store.folder
        hosts = list(hosts_of(found.urls))
        store.claim(", ".join(hosts[:3]) + (" …" if len(hosts) > 3 else ""))
        store.set_meta("method", method.name)
        store.set_meta("parameters", method.parameters())
        store.set_meta("positional", False)
        store.set_meta(MADE_HERE, True)
        store.set_meta(SKIMMED, True)
        store.set_meta("by_host", by_host)
        store.lost = found.losses.counts
        store.set_meta("learned_from", clustering.learned_from)
        store.pages.assign_all(enumerate(given, 1))
        store.last_template = max((a.template or 0 for a in given), default=0)
        store.commit()
        write_texts(folder / "pages.jsonl", _lines(found, given))
        rows = [
            PageRow(docid, url, status, 0, None, "", "", None, assignment)
            for docid, (url, status, assignment) in enumerate(
                zip(found.urls, found.statuses, given, strict=True), 1
            )
        ]
        templates = template_rows(store, rows)
        write_json(folder / "templates.json", templates_json(store, templates))
        store.commit()
        with (folder / FILE).open("rb") as file:
            os.fsync(file.fileno())
        return templates


def _clustered(found: Skimmed, method: Method, *, by_host: bool) -> Clustering:
    features = {one: _features(one) for one in dict.fromkeys(found.fingerprints)}
    pages = Pages(
        urls=found.urls,
        features=[features[one] for one in found.fingerprints],
        outlines=Lazy(range(len(found)), lambda page: NO_OUTLINE),
        inbound=InboundCounter().result().of_pages(np.arange(len(found))),
        first_locations=Lazy(range(len(found)), lambda page: None),
    )
    return cluster_by_host(method, pages) if by_host else method.cluster(pages)


def _named(clustering: Clustering) -> list[Assignment]:
    """The assignments with the ids that templates are known by."""
    found = clustering.assignments
    names = TemplateIds().match([None] * len(found), [one.template for one in found])
    known: dict[int, Assignment] = {}
    for number, one in {id(one): one for one in found}.items():
        if one.template is None:
            known[number] = one
        else:
            known[number] = Assignment(names[one.template], one.confidence, one.reason)
    return [known[id(one)] for one in found]


def _features(lzw: Fingerprint) -> Features:
    return Features(_NONE, _NONE, _NONE, _NONE, _NONE, lzw)


def _lines(found: Skimmed, given: list[Assignment]) -> Iterator[str]:
    """A line for each page, some of them at once; what is the same on many is written once."""
    ends: dict[int, str] = {}
    for number, one in {id(one): one for one in given}.items():
        template = None if one.template is None else template_name(one.template)
        told = {"template": template, "confidence": one.confidence, "reason": one.reason}
        ends[number] = as_json(told)[1:]
    lines = (
        f'{{"url": {encode_basestring(url)}, "docid": {docid}, "status": {status}, {end}'
        for docid, (url, status, end) in enumerate(
            zip(found.urls, found.statuses, (ends[id(one)] for one in given), strict=True), 1
        )
    )
    while some := list(islice(lines, 1000)):
        yield "\n".join(some)
