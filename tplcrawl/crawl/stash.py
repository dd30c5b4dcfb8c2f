"""Requests that are kept from one run of a job to the next."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.squeues import PickleFifoDiskQueue
from scrapy.utils.job import job_dir
from scrapy.utils.misc import build_from_crawler

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class Stash:
    """A file in the directory of a job (``JOBDIR``), written as Scrapy's scheduler writes its own.
    Without such a directory nothing is kept."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        folder = job_dir(crawler.settings)
        self._file = str(Path(folder) / "tplcrawl.queue") if folder else None

    def take(self) -> Iterator[Request]:
        """Take out what an earlier run has put in."""
        if self._file is None:
            return
        queue = self._queue(self._file)
        while (request := queue.pop()) is not None:
            yield request
        queue.close()

    def put(self, requests: Iterable[Request]) -> None:
        """Keep *requests*, but those that cannot be written, as with callbacks that are no methods
        of the spider."""
        if self._file is None:
            return
        queue = self._queue(self._file)
        for request in requests:
            try:
                queue.push(request)
            except ValueError as error:
                logger.warning("Cannot keep %s for the next run: %s", request, error)
        queue.close()

    def _queue(self, file: str) -> Any:
        return build_from_crawler(PickleFifoDiskQueue, self._crawler, file)
