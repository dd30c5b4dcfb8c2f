"""The speed of archives: what reading pages from them costs, against bare reading and parsing of
the same archive in one run."""

from __future__ import annotations

import gzip
import os
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.parts import survey
from tplcrawl.batch.warc import read_warc
from tplcrawl.batch.workers import profile_parts
from tplcrawl.evaluation.corpus import ROOT
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.page.profile import parse


@dataclass(frozen=True, slots=True)
class Step:
    """What one way through an archive costs."""

    what: str
    pages: int
    seconds: float
    cpu_s: float
    """Of all processes together."""
    pages_per_cpu_s: float
    peak_mb: float
    """The most memory that this process has held so far."""
    worker_mb: float
    """The most that any of its workers has."""

    def as_dict(self) -> dict[str, Any]:
        """The measures by name, rounded."""
        return {n: round(v, 3) if isinstance(v, float) else v for n, v in asdict(self).items()}


def write_archive(path: Path, pages: int) -> int:
    """Write some *pages* of the sample site to *path*, a page at a time; return how many."""
    part = max(pages // 10, 1)
    site = SampleSite(Sizes(products=5 * part, posts=2 * part, threads=2 * part, users=part))
    with path.open("wb") as file:
        for target in site.pages:
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
            content = head + str(site.html(target)).encode()
            record = (
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
                f"WARC-Target-URI: {ROOT}{target}\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(content)}\r\n\r\n"
            )
            file.write(gzip.compress(record.encode() + content + b"\r\n\r\n", 6, mtime=0))
    return len(site.pages)


def archive_steps(path: Path, jobs: int) -> Iterator[Step]:
    """Measure reading, parsing, surveying and profiling of one archive, the last by one process and
    by several."""

    def read() -> None:
        for _ in read_warc(path, Losses()):
            pass

    def parsed() -> None:
        for document in read_warc(path, Losses()):
            parse(document.body, document.encoding)

    def profiled(count: int) -> Callable[[], None]:
        def work() -> None:
            with TemporaryDirectory() as folder:
                profile_parts(Path(folder), survey([path]), count, save_html=False)

        return work

    pages = sum(1 for _ in read_warc(path, Losses()))
    yield _measured("read", pages, read)
    yield _measured("read and parse", pages, parsed)
    yield _measured("survey", pages, lambda: survey([path]))
    yield _measured("profile, 1 job", pages, profiled(1))
    if jobs > 1:
        yield _measured(f"profile, {jobs} jobs", pages, profiled(jobs))


def _measured(what: str, pages: int, work: Callable[[], object]) -> Step:
    began, spent = time.monotonic(), _cpu()
    work()
    seconds, cpu = time.monotonic() - began, _cpu() - spent
    peaks = [
        resource.getrusage(of).ru_maxrss / 1024
        for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    return Step(what, pages, seconds, cpu, pages / max(cpu, 1e-9), *peaks)


def _cpu() -> float:
    return sum(os.times()[:4])
