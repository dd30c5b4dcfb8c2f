"""One page between its arrival and its commit."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrapy.http import Response
from twisted.internet.defer import Deferred

from tplcrawl.recording import Arrived
from tplcrawl.records import Prediction, Profile
from tplcrawl.store.pages import Item


@dataclass(slots=True)
class Visit:
    """A page that has arrived. It commits together with its items, so it waits for them to come
    out of the pipelines."""

    response: Response
    profile: Profile
    page: Arrived | None = None
    """What the model says of it, once it has been asked."""
    depth: int = 0
    predicted: Prediction | None = None
    items: list[Item] = field(default_factory=list)
    under_way: int = 0
    """Items that went into the pipelines and have not come out."""
    settled: Deferred[None] | None = None
    _links: dict[str, tuple[str, tuple[int, ...]]] | None = None

    def links_by_url(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Where the first link to each URL stands on this page."""
        if self._links is None:
            links = self.profile.links
            rows = zip(links.urls, links.locations, links.positions, strict=True)
            self._links = {}
            for url, location, positions in rows:
                self._links.setdefault(url, (location, positions))
        return self._links

    def item_in(self) -> None:
        """An item goes into the pipelines."""
        self.under_way += 1

    def item_out(self, item: Item | None) -> None:
        """An item comes out of them, or never will (``None``)."""
        if item is not None:
            self.items.append(item)
        self.under_way -= 1
        if self.under_way <= 0 and self.settled is not None:
            settled, self.settled = self.settled, None
            settled.callback(None)

    def all_out(self) -> Deferred[None]:
        """Fires when no item is under way."""
        waiting: Deferred[None] = Deferred()
        if self.under_way <= 0:
            waiting.callback(None)
        else:
            self.settled = waiting
        return waiting
