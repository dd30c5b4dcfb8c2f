"""What a request carries of the place where its link stands."""

from __future__ import annotations

from collections.abc import Hashable

from scrapy import Request

from tplcrawl.crawl.meta import Told, origin, tell
from tplcrawl.crawl.visit import Visit
from tplcrawl.recollection import link_of
from tplcrawl.recording import Recording
from tplcrawl.store.urls import Place

_NOWHERE: Told = {}
_REMEMBER = 10_000


class Origins:
    """Says of places what their requests carry: the location, and the template that it leads to.

    What is said of a link is remembered, until templates are found anew.
    """

    def __init__(self, recording: Recording, *, positional: bool) -> None:
        self._recording = recording
        self._positional = positional
        self._paths: dict[int, str] = {}
        self._told: dict[Hashable, Told] = {}

    def forget(self) -> None:
        """Templates were found anew: predictions have changed."""
        self._told.clear()

    def location_of(self, place: Place) -> str | None:
        """A place's general location as text."""
        number = place.location
        if number is None:
            return None
        if number not in self._paths:
            self._paths = self._recording.store.locations.paths()
        return self._paths[number]

    def tell_queued(self, request: Request, place: Place) -> None:
        """Let a request for a URL of the frontier carry where that was seen first."""
        tell(request, origin(self.location_of(place), self._recording.predict(request.url, place)))

    def tell(self, request: Request, visit: Visit) -> None:
        """Let a request that leaves a page carry where its link stands."""
        link = visit.link(request.url)
        told = _NOWHERE if link is None else self._of_link(link, *visit.spots[link], visit)
        tell(request, told)

    def _of_link(self, url: str, location: str, positions: tuple[int, ...], visit: Visit) -> Told:
        given = visit.page.assignment.template if visit.page else None
        key = url, location, positions if self._positional else (), given
        told = self._told.get(key)
        if told is None:
            if len(self._told) > _REMEMBER:
                self._told.clear()
            number = self._recording.store.locations.known(location)
            spelled = ".".join(map(str, positions)) if self._positional else None
            link = link_of(url, Place(number, spelled), positional=self._positional)
            told = origin(location, self._recording.model.predict(link, on=given))
            self._told[key] = told
        return told
