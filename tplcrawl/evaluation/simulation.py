"""A packed site crawled as a plan has it, without a network: what budgets are measured on."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tplcrawl.clustering.methods import make_method
from tplcrawl.clustering.mismatches import denies
from tplcrawl.clustering.saturation import Saturation
from tplcrawl.evaluation.corpus import ROOT, Corpus
from tplcrawl.fingerprints.text_sketch import text_sketch
from tplcrawl.page.profile import parse, profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.errands import NEEDED
from tplcrawl.planning.picker import Picker, PlannedPicker
from tplcrawl.planning.plan import Plan
from tplcrawl.planning.queue import StoreQueue
from tplcrawl.planning.search import planned
from tplcrawl.recording import Recording
from tplcrawl.records import Prediction
from tplcrawl.store.urls import Discovery, QueuedUrl, State


@dataclass(frozen=True, slots=True)
class Fetch:
    """A URL that was asked for."""

    why: str
    """What for."""
    page: int | None = None
    """The page that came, unless it had come before."""
    truth: str | None = None
    """Its true template."""
    expected: Prediction | None = None
    """What was expected of it before it came."""
    found: int | None = None
    """The template that it was given in the end."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a crawl fetched, and what it cost."""

    fetches: Sequence[Fetch]
    """In their order."""
    urls: int
    """How many were discovered."""
    planning: float
    """CPU time for picking and judging alone."""
    rounds: float
    """CPU time for templates found anew because the plan asked for it."""
    whole: float
    """CPU time of everything."""
    saturation: Saturation | None

    @property
    def pages(self) -> list[Fetch]:
        """Those of which a page came."""
        return [one for one in self.fetches if one.page is not None]

    @property
    def counts(self) -> Counter[str | None]:
        """How many pages of each true template were fetched."""
        return Counter(one.truth for one in self.pages)


class Simulator:
    """Fetches from a corpus what a plan picks."""

    def __init__(self, corpus: Corpus, folder: Path, aims: Aims) -> None:
        self._began = time.process_time()
        self._corpus = corpus
        self._recording = Recording(folder, corpus.name, make_method("hybrid"), save_html="none")
        self._store = self._recording.store
        self._cleaner = Cleaner(Site([ROOT]))
        seeds = [ROOT + corpus.start, *aims.like]
        self._store.urls.discover([Discovery(url, 0) for url in seeds])
        self._plan = Plan(aims, self._recording, dict) if aims.planned else None
        queue = StoreQueue(self._store)
        self._picker: Picker | PlannedPicker = (
            planned(self._store, lambda url: None, self._plan, queue)
            if self._plan is not None
            else Picker(self._store, lambda url: None, queue)
        )
        self._planning = 0.0

    def run(self, most: int | None = None) -> Simulation:
        """Crawl until there is nothing more to fetch, or *most* pages are there."""
        with closing(self._recording):
            return self._run(most)

    def _run(self, most: int | None) -> Simulation:
        under_way: deque[QueuedUrl] = deque()
        fetches = []
        while most is None or len(self._recording) < most:
            began = time.process_time()
            window = self._plan.window if self._plan else 1
            while len(under_way) < window and (url := self._picker.next()):
                under_way.append(url)
            self._planning += time.process_time() - began
            if not under_way:
                break
            fetch = self._fetch(under_way.popleft())
            if fetch is not None:
                fetches.append(fetch)
        self._recording.refresh()
        templates = dict(self._recording.model.templates_of_pages())
        return Simulation(
            [replace(one, found=templates.get(one.page or 0)) for one in fetches],
            self._store.urls.last,
            self._planning - (self._plan.seconds if self._plan else 0.0),
            self._plan.seconds if self._plan else 0.0,
            time.process_time() - self._began,
            self._plan.sample.saturation() if self._plan else None,
        )

    def _fetch(self, url: QueuedUrl) -> Fetch | None:
        """Ask for *url*; ``None`` if it led on to another one, which is fetched when it is picked:
        that counts once."""
        urls, recording = self._store.urls, self._recording
        errand = self._plan.errand(url.id) if self._plan else None
        fetch = Fetch(errand.why if errand else NEEDED)
        document = self._corpus.fetch(url.url)
        if document is None:
            urls.settle(url.id, State.FAILED, reason="http 404", status=404)
            if self._plan is not None:
                self._plan.failed(url)
            self._leave(url)
            return fetch
        found = Discovery(document.url, url.depth, url.place)
        docid = urls.discover([found])[0]
        if docid != url.id:
            urls.settle(url.id, State.REDIRECTED, target=docid)
            self._leave(url)
            return fetch if self._store.pages.has(docid) else None
        if self._store.pages.has(docid):
            self._leave(url)
            return fetch
        profile = profile_of(
            document.url, document.body, self._cleaner, encoding=document.encoding, said=True
        )
        page = recording.arrive(docid, profile, url.place)
        expected = recording.predict(url.url, url.place)
        note = None
        if denies(expected, page.assignment.template):
            note = text_sketch(parse(document.body, document.encoding), document.url)
        anew = recording.write(page, depth=url.depth, status=200, predicted=expected, denial=note)
        if self._plan is not None:
            began = time.process_time()
            self._plan.arrived(recording.model.template_of(docid), urls.get(docid))
            if anew:
                self._plan.renew()
            self._planning += time.process_time() - began
        self._leave(url)
        truth = self._corpus.template_of(document.url)
        return replace(fetch, page=docid, truth=truth, expected=expected)

    def _leave(self, url: QueuedUrl) -> None:
        if self._plan is not None:
            self._plan.leave(url.id)
