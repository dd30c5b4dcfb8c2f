"""A line on the terminal that says how the crawl goes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from scrapy.utils.asyncio import create_looping_call

EVERY = 0.25
"""Seconds between two looks."""

Numbers = Callable[[], tuple[int, int, int]]
"""Pages, templates and queued URLs."""


class Progress:
    """Writes one line over and over, and takes it away in the end; silent without a terminal."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._timer = create_looping_call(self._show)
        self._began = 0.0
        self._first = 0

    def start(self) -> None:
        """Begin, if somebody is looking."""
        if sys.stderr.isatty():
            self._began = time.monotonic()
            self._first = self._numbers()[0]
            self._timer.start(EVERY)

    def stop(self) -> None:
        """Leave a clean line."""
        if self._timer.running:
            self._timer.stop()
            self.clear()

    def clear(self) -> None:
        """Take the line away, if there is one."""
        if self._began:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _show(self) -> None:
        pages, templates, queued = self._numbers()
        rate = (pages - self._first) / max(time.monotonic() - self._began, EVERY)
        sys.stderr.write(
            f"\r\x1b[K{pages:,} pages · {templates} templates · {queued:,} queued · {rate:.1f}/s"
        )
        sys.stderr.flush()
