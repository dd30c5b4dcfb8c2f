"""What a crawl costs with tplcrawl and without, side by side on one local server."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tplcrawl.errors import JobError

_BREADTH_FIRST = (
    "DEPTH_PRIORITY=1",
    "SCHEDULER_DISK_QUEUE=scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE=scrapy.squeues.FifoMemoryQueue",
)
_COMMON = ("LOG_LEVEL=ERROR", "ROBOTSTXT_OBEY=False", "TELNETCONSOLE_ENABLED=False",
           "REMOTE_CONTROL_ENABLED=False", "CONCURRENT_REQUESTS=16",
           "CONCURRENT_REQUESTS_PER_DOMAIN=16")  # fmt: skip
VARIANTS = ("stock", "add-on", "site")


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process took."""

    cpu: float
    """Seconds of user and system time."""
    elapsed: float
    rss: int
    """The most memory it held, in bytes."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a page costs, start-up taken out: the difference of a long crawl and a short one."""

    variant: str
    cpu_ms: float
    pages_per_second: float
    pages_per_cpu_second: float
    rss_mb: float
    """The most memory of the long crawl."""
    rss_kb_per_page: float
    """How much each page added to that."""


def command(variant: str, url: str, pages: int, folder: Path) -> list[str]:
    """The command of one crawl."""
    settings = [*_COMMON, f"TPLCRAWL_DIR={folder}"]
    if variant == "site":
        run = ["crawl", "site", "-a", f"url={url}", "-a", f"max_pages={pages}"]
    else:
        import tplcrawl.crawl

        spider = Path(tplcrawl.crawl.__file__).with_name("stock.py")
        run = ["runspider", str(spider), "-a", f"url={url}"]
        settings += [*_BREADTH_FIRST, f"CLOSESPIDER_PAGECOUNT={pages}"]
        settings += ["ADDONS={}" if variant == "stock" else 'ADDONS={"tplcrawl.Addon": 500}']
    return [sys.executable, "-m", "scrapy", *run, *(p for s in settings for p in ("-s", s))]


def measure(arguments: Sequence[str], environment: Mapping[str, str]) -> Usage:
    """Run a process to its end."""
    began = time.monotonic()
    process = subprocess.Popen(arguments, env=dict(environment), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise JobError(f"the benchmark's crawl failed: {' '.join(arguments)}")
    return Usage(usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss * 1024)


def compare(
    url: str, *, short: int, long: int, rounds: int, progress: Callable[[str], None]
) -> list[Cost]:
    """Crawl *url* in all variants, one after the other, *rounds* times; the best of each counts."""
    environment = {**os.environ, "SCRAPY_SETTINGS_MODULE": "tplcrawl.crawl.defaults"}
    best: dict[tuple[str, int], Usage] = {}
    for number in range(1, rounds + 1):
        for variant in VARIANTS:
            for pages in (short, long):
                progress(f"round {number}/{rounds}: {variant}, {pages} pages")
                with tempfile.TemporaryDirectory() as folder:
                    arguments = command(variant, url, pages, Path(folder) / "crawl")
                    usage = measure(arguments, environment)
                key = (variant, pages)
                if key not in best or usage.cpu < best[key].cpu:
                    best[key] = usage
    return [_cost(name, best[name, short], best[name, long], long - short) for name in VARIANTS]


def _cost(variant: str, short: Usage, long: Usage, pages: int) -> Cost:
    cpu = max(long.cpu - short.cpu, 1e-9)
    return Cost(
        variant=variant,
        cpu_ms=1000 * cpu / pages,
        pages_per_second=pages / max(long.elapsed - short.elapsed, 1e-9),
        pages_per_cpu_second=pages / cpu,
        rss_mb=long.rss / 1e6,
        rss_kb_per_page=(long.rss - short.rss) / pages / 1e3,
    )
