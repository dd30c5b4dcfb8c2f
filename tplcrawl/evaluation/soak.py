"""A long crawl of a synthetic site: what it takes, tenth by tenth, while it runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from tplcrawl.errors import JobError
from tplcrawl.evaluation.serving import Answer, SiteServer

KINDS = ("article", "product", "thread", "person", "list", "image", "notice")
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Stage:
    """What a crawl had taken when it had asked for so many pages."""

    pages: int
    seconds: float
    cpu: float
    rss: int
    """Bytes that it held."""
    files: int
    """Open files and connections."""


class EndlessSite:
    """A site of *size* pages of seven kinds: each page links to two new ones, and to others."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = Lock()
        self._asked = 0

    @property
    def asked(self) -> int:
        """How many pages were asked for."""
        return self._asked

    def __call__(self, target: str) -> Answer | None:
        """The page at a path."""
        number = _number(target)
        if number is None or number >= self._size:
            return None
        with self._lock:
            self._asked += 1
        return Answer(self._page(number).encode())

    def _page(self, number: int) -> str:
        kind = KINDS[number % len(KINDS)]
        below = [2 * number + 1, 2 * number + 2]
        others = [(number * 7919 + step * step * 104_729) % self._size for step in range(1, 6)]
        links = "".join(
            f"<li class={_kind(other)}><a href={_path(other)}>{other}</a>"
            for other in (*below, *others)
            if other < self._size
        )
        menu = "".join(f"<a href={_path(one)}>{KINDS[one]}</a>" for one in range(len(KINDS)))
        text = f"<p class=text>Text {number} of {kind}</p>" * (2 + number % 3)
        body = "<div class=inner>" * (number % len(KINDS)) + f"<h1>{kind} {number}</h1>{text}"
        return (
            f"<!doctype html><html lang=en><head><title>{kind} {number}</title></head>"
            f"<body class={kind}><nav>{menu}</nav><{_TAGS[kind]} class={kind}>{body}"
            f"</{_TAGS[kind]}><ul class=more>{links}</ul></body></html>"
        )


_NAMES = ("article", "main", "section", "aside", "table", "figure", "dl")
_TAGS = dict(zip(KINDS, _NAMES, strict=True))


def _kind(number: int) -> str:
    return KINDS[number % len(KINDS)]


def _path(number: int) -> str:
    return f"/{_kind(number)}/{number}" if number else "/"


def _number(target: str) -> int | None:
    last = target.rpartition("/")[2]
    return int(last or "0") if last.isdigit() or target == "/" else None


def soak(pages: int, stages: int, progress: Callable[[str], None]) -> Iterator[Stage]:
    """Crawl a site of *pages* pages in a process of its own; look at it *stages* times on the way,
    and once more when it has ended."""
    site = EndlessSite(pages)
    with TemporaryDirectory() as folder, SiteServer(site) as server:
        command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={server.url}",
                   "-s", f"TPLCRAWL_DIR={Path(folder) / 'crawl'}"]  # fmt: skip
        settings = {"SCRAPY_SETTINGS_MODULE": "tplcrawl.crawl.defaults"}
        with subprocess.Popen(
            command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL
        ) as process:
            began = time.monotonic()
            try:
                for stage in range(1, stages + 1):
                    while site.asked < pages * stage // stages and process.poll() is None:
                        progress(f"{site.asked:,} of {pages:,} pages")
                        time.sleep(0.2)
                    if process.poll() is None:
                        yield _look(process.pid, site.asked, time.monotonic() - began)
                if process.wait() or site.asked < pages:
                    raise JobError(f"the crawl ended with {process.returncode} too early")
            finally:
                process.kill()


def _look(pid: int, pages: int, seconds: float) -> Stage:
    folder = Path("/proc") / str(pid)
    times = (folder / "stat").read_text().rpartition(")")[2].split()
    resident = int((folder / "statm").read_text().split()[1])
    return Stage(
        pages,
        seconds,
        (int(times[11]) + int(times[12])) / _TICKS,
        resident * _PAGE,
        len(list((folder / "fd").iterdir())),
    )
