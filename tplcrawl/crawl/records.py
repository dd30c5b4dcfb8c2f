"""Records among the items of a crawl, by the wrappers of an earlier one."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from tplcrawl.crawl.visit import Visit
from tplcrawl.errors import UsageError
from tplcrawl.store.pages import Item
from tplcrawl.wrappers.fitting import Fitting
from tplcrawl.wrappers.library import read_wrappers

logger = logging.getLogger(__name__)

KIND = "Record"
"""The kind of such items."""


class Records:
    """Adds a page's record to its items, where *folder* has a wrapper that it fits."""

    def __init__(self, folder: Path | None) -> None:
        self._fitting: Fitting | None = None
        if folder is not None:
            wrappers = read_wrappers(folder)
            if not wrappers:
                raise UsageError(f"TPLCRAWL_EXTRACT: there are no wrappers in {folder}")
            self._fitting = Fitting(wrappers)

    def with_record(self, visit: Visit) -> list[Item]:
        """The items of a visit, and the page's record."""
        if self._fitting is None:
            return visit.items
        response = visit.response
        try:
            best = self._fitting.best(response.selector.root, response.url)
        except Exception:
            # A stranger wrote the page: it costs its record, no more.
            logger.exception("Cannot extract %s", response.url)
            best = None
        if best is None:
            return visit.items
        data = json.dumps({"url": response.url, **best[1].values}, ensure_ascii=False)
        return [*visit.items, Item(KIND, data)]
