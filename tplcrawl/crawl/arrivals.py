"""Pages that have arrived: whose they are, what they show, and which template that is."""

from __future__ import annotations

from scrapy.http import HtmlResponse

from tplcrawl.clustering.mismatches import denies
from tplcrawl.clustering.template_ids import template_name
from tplcrawl.crawl.meta import DEPTH, DOCID, TEMPLATE, told
from tplcrawl.crawl.vigil import Vigil
from tplcrawl.crawl.visit import Visit
from tplcrawl.fingerprints.text_sketch import text_sketch
from tplcrawl.page.profile import profile_of
from tplcrawl.page.urls import Cleaner
from tplcrawl.recording import Recording
from tplcrawl.store.urls import Discovery, Place, QueuedUrl, State


class Arrivals:
    """Profiles pages and asks the model for their templates, which callbacks find in their meta."""

    def __init__(self, recording: Recording, cleaner: Cleaner) -> None:
        self._recording = recording
        self._urls = recording.store.urls
        self._cleaner = cleaner
        self._vigil = Vigil(recording.store)

    def look(self, visit: Visit) -> None:
        """Look at a page; :exc:`DeadlyPage` if nobody survives that."""
        with self._vigil.over(visit.response.url):
            self._look(visit)

    def close(self) -> None:
        """No more pages come."""
        self._vigil.close()

    def _look(self, visit: Visit) -> None:
        response = visit.response
        if self._cleaner.site.add(response.url):
            self._cleaner.forget()
        queued = self._queued(response)
        profile = profile_of(
            response.url,
            response.body,
            self._cleaner,
            tree=lambda: response.selector.root,
            encoding=response.encoding,
            said=True,
        )
        visit.page = self._recording.arrive(queued.id, profile, queued.place)
        visit.depth = queued.depth
        # A page of the frontier is expected to be what all pages before it make it: what was
        # known when it was asked for depends on how fast answers came.
        asked = told(response) if DOCID not in response.meta else None
        visit.predicted = asked or self._recording.predict(queued.url, queued.place)
        template = visit.page.assignment.template
        if denies(visit.predicted, template):
            visit.denial = text_sketch(response.selector.root, response.url)
        response.meta[TEMPLATE] = template_name(template) if template else None

    def _queued(self, response: HtmlResponse) -> QueuedUrl:
        """The store's row of a page, whoever asked for it."""
        docid = response.meta.get(DOCID)
        if docid is None:
            depth = int(response.meta.get(DEPTH, 0))
            led = [str(url) for url in response.meta.get("redirect_urls") or ()]
            origins = self._urls.discover([Discovery(url, depth) for url in led])
            place = self._urls.get(origins[0]).place if origins else Place()
            docid = self._urls.discover([Discovery(response.url, depth, place)])[0]
            for origin in origins:
                if origin != docid and self._urls.state(origin) is State.QUEUED:
                    self._urls.settle(origin, State.REDIRECTED, target=docid)
        return self._urls.get(docid)
