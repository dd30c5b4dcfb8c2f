"""A packed site crawled as a plan has it, without a network: what budgets are measured on."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tplcrawl.clustering.methods import make_method
from tplcrawl.evaluation.corpus import ROOT, Corpus
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.picker import Picker
from tplcrawl.planning.plan import Plan
from tplcrawl.recording import Recording
from tplcrawl.store.urls import Discovery, QueuedUrl, State


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a planned crawl fetched."""

    fetches: int
    """URLs that were asked for, whatever came of them."""
    failed: int
    """Those of which no page came."""
    why: Mapping[str, int]
    """How many were fetched for each reason."""
    truth: tuple[str | None, ...]
    """The true template of each page, in order."""
    found: tuple[int | None, ...]
    """The template that each page was given in the end."""
    seconds: float
    """CPU time for planning and predicting alone."""

    @property
    def counts(self) -> Counter[str | None]:
        """How many pages of each true template were fetched."""
        return Counter(self.truth)


class Simulator:
    """Fetches from a corpus what a plan picks."""

    def __init__(self, corpus: Corpus, folder: Path, aims: Aims) -> None:
        self._corpus = corpus
        self._recording = Recording(folder, corpus.name, make_method("hybrid"), save_html="none")
        self._store = self._recording.store
        self._cleaner = Cleaner(Site([ROOT]))
        self._store.urls.discover([Discovery(ROOT + corpus.start, 0)])
        like = [Discovery(url, 0) for url in aims.like]
        self._store.urls.discover(like)
        self._plan = Plan(aims, self._recording, dict) if aims.planned else None
        self._picker = Picker(self._store, lambda url: None, self._plan)
        self._seconds = 0.0

    def run(self, most: int) -> Simulation:
        """Crawl until the plan has nothing more to fetch, or *most* pages are there."""
        under_way: deque[QueuedUrl] = deque()
        fetches = 0
        while len(self._recording) < most:
            began = time.process_time()
            window = self._plan.window if self._plan else 1
            while len(under_way) < window and (url := self._picker.next()):
                under_way.append(url)
            self._seconds += time.process_time() - began
            if not under_way:
                break
            fetches += 1
            self._fetch(under_way.popleft())
        self._recording.refresh()
        templates = dict(self._recording.model.templates_of_pages())
        rows = list(self._store.pages.rows())
        pages = len(rows)
        done = Simulation(
            fetches,
            fetches - pages,
            dict(self._plan.taken) if self._plan else {},
            tuple(self._corpus.template_of(row.url) for row in rows),
            tuple(templates[row.docid] for row in rows),
            self._seconds,
        )
        self._recording.close()
        return done

    def _fetch(self, url: QueuedUrl) -> None:
        urls, recording = self._store.urls, self._recording
        document = self._corpus.fetch(url.url)
        if document is None:
            urls.settle(url.id, State.FAILED, reason="http 404", status=404)
            if self._plan is not None:
                self._plan.failed(url)
            self._leave(url)
            return
        found = Discovery(document.url, url.depth, url.place)
        docid = urls.discover([found])[0]
        if docid != url.id:
            urls.settle(url.id, State.REDIRECTED, target=docid)
        if self._store.pages.has(docid):
            self._leave(url)
            return
        profile = profile_of(document.url, document.body, self._cleaner, encoding=document.encoding)
        page = recording.arrive(docid, profile, url.place)
        expected = recording.predict(url.url, url.place)
        anew = recording.write(page, depth=url.depth, status=200, predicted=expected)
        self._leave(url)
        if self._plan is not None:
            began = time.process_time()
            self._plan.arrived(recording.model.template_of(docid), url.place.source)
            if anew:
                self._plan.renew()
            self._seconds += time.process_time() - began

    def _leave(self, url: QueuedUrl) -> None:
        if self._plan is not None:
            self._plan.leave(url.id)
