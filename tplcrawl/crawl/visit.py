"""One page between its arrival and its commit."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeGuard

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from tplcrawl.page.urls import normal_url
from tplcrawl.recording import Arrived
from tplcrawl.records import Links, Prediction
from tplcrawl.store.pages import Item

Spot = tuple[str, tuple[int, ...]]
"""A general location and the positions of its steps."""


def is_page(response: Response) -> TypeGuard[HtmlResponse]:
    """Whether *response* is a page of HTML that counts."""
    return isinstance(response, HtmlResponse) and 200 <= response.status < 300


@dataclass(slots=True)
class Visit:
    """A page that has arrived. It commits together with its items, so it waits for them to come
    out of the pipelines."""

    response: HtmlResponse
    write: Callable[[Visit], None]
    """Called once, when nothing more can come of the page."""
    page: Arrived | None = None
    """Its profile and template, once it has been looked at."""
    depth: int = 0
    predicted: Prediction | None = None
    denial: bytes | None = None
    """The sketch of its text, if it is not as predicted."""
    failure: str = "error"
    """Why it has none, if it has none."""
    blocked: bool = False
    """Whether it is no page, but the site's refusal to show one."""
    came: float = field(default_factory=monotonic)
    """When it arrived, by :func:`time.monotonic`."""
    items: list[Item] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    """Those that leave it and are not to be made at once."""
    _under_way: int = 0
    _complete: bool = False
    _spots: dict[str, Spot] | None = None

    def item_in(self) -> None:
        """An item goes into the pipelines."""
        self._under_way += 1

    def item_out(self, item: Item | None) -> None:
        """An item comes out of them, or never will (``None``)."""
        if item is not None:
            self.items.append(item)
        self._under_way -= 1
        self._check()

    def complete(self) -> None:
        """The callback has given all that it gives."""
        self._complete = True
        self._check()

    def _check(self) -> None:
        if self._complete and self._under_way <= 0:
            self.write(self)

    def let_go(self) -> None:
        """Scrapy's selector and response hold each other: a tree would live until the next full
        garbage collection."""
        selector = self.response._cached_selector
        if selector is not None:
            selector.response = None

    def link(self, url: str) -> str | None:
        """The link of the page that *url* is, perhaps with a fragment or spelled otherwise."""
        if url in self.spots:
            return url
        with suppress(ValueError):
            plain = normal_url(url)
            return plain if plain in self.spots else None
        return None

    @property
    def spots(self) -> dict[str, Spot]:
        """For each URL that the page links to, where the first such link stands."""
        if self._spots is None:
            self._spots = {}
            links = self.page.profile.links if self.page else Links()
            rows = zip(links.urls, links.locations, links.positions, strict=True)
            for url, location, positions in rows:
                self._spots.setdefault(url, (location, positions))
        return self._spots
