"""Items on their way from the pipelines into the store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scrapy.http import Response
from twisted.python.failure import Failure

from tplcrawl.crawl.failures import reason_of_answer
from tplcrawl.crawl.items import ItemEncoder
from tplcrawl.crawl.records import Records
from tplcrawl.crawl.visit import Visit
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery

Source = Response | Failure | None
"""What an item came from: Scrapy gives a failure for what an errback yields."""


class Harvest:
    """Gathers the items of *visits*, with which they commit, and writes those that come from
    elsewhere at once."""

    def __init__(
        self, store: Store, visits: Mapping[int, Visit], extract: Path | None = None
    ) -> None:
        self._store = store
        self._visits = visits
        self._records = Records(extract)
        self._encode = ItemEncoder()
        self._written: set[int] = set()

    def scraped(self, item: Any, source: Source) -> None:
        """*item* came out of the pipelines."""
        kept = self._encode(item)
        visit = self._visits.get(id(source))
        if visit is not None:
            visit.item_out(kept)
        else:
            self.add(self.no_page(source), [kept])

    def of(self, visit: Visit) -> list[Item]:
        """All items of a visit that is over."""
        return self._records.with_record(visit)

    def lost(self, source: Source) -> None:
        """An item of *source* was dropped on the way."""
        visit = self._visits.get(id(source))
        if visit is not None:
            visit.item_out(None)

    def written(self, docid: int) -> None:
        """A page was written with its items: what comes later is added to them."""
        self._written.add(docid)

    def add(self, docid: int, items: list[Item]) -> None:
        """Write items apart from their page. What an earlier run wrote for it is replaced, since
        the page is scraped again; what belongs to no page is only ever added to."""
        if docid and docid not in self._written:
            self._store.pages.drop_items(docid)
            self._written.add(docid)
        self._store.pages.add_items(docid, items, start=self._store.pages.item_count(docid))

    def no_page(self, source: Source) -> int:
        """Note an answer that is no page of HTML; return the id under which its items go: 0 where
        there is no URL."""
        if not isinstance(source, Response):
            return 0
        skip = reason_of_answer(source)
        return self._store.urls.discover([Discovery(source.url, 0, skip=skip)])[0]
