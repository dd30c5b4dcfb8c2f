"""The speed of archives: what reading pages from them costs, against bare reading and parsing of
the same archive in one run."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.parts import survey
from tplcrawl.batch.skim import plan_of, skim
from tplcrawl.batch.skimmed import SkimmedStore
from tplcrawl.batch.warc import read_warc
from tplcrawl.batch.warc_records import response_record
from tplcrawl.batch.workers import profile_parts
from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.clustering.lzw import LZW
from tplcrawl.evaluation.corpus import ROOT
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.page.profile import parse
from tplcrawl.recording import Recording

_HEADERS = ((b"Content-Type", b"text/html; charset=utf-8"),)
_DATE = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Step:
    """What one way through an archive costs."""

    what: str
    pages: int
    seconds: float
    cpu_s: float
    """Of all processes together."""
    pages_per_cpu_s: float
    of_reading: float
    """Its rate by that of bare reading, with fastwarc alone."""
    of_parsing: float
    """Its rate by that of parsing alone."""
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
            body = str(site.html(target)).encode()
            url = ROOT + target
            identity = uuid5(NAMESPACE_URL, url)
            file.write(response_record(url, 200, _HEADERS, body, date=_DATE, identity=identity))
    return len(site.pages)


def write_made_archive(path: Path, pages: int, hosts: int = 200) -> None:
    """Write many small pages to *path*: of ten templates on each of *hosts*, of which one page in
    fifty has an outline of its own. Some 15,000 a second, whatever their number."""
    heads = [f"<p><{tag}><i></i></{tag}></p><{tag}>" for tag in ("ul", "ol", "dl", "nav", "div")]
    links = "".join(f'<a href="/{n}">a link</a><br>' for n in range(30))
    with path.open("wb") as file:
        for number in range(pages):
            host, kind = number % hosts, number // hosts % 10
            own = number * 2654435761 % 4294967296
            odd = "".join(f"<x{own >> shift & 7}>" for shift in range(0, 30, 3))
            body = (
                f"<html><head><title>Page {number}</title></head><body><h{kind % 6}>"
                f"{heads[kind % 5] * (1 + kind // 5)}<s{host % 40}><p>{own}</p>"
                f"{odd if own % 50 == 0 else ''}{links}</body></html>"
            )
            url = f"http://host{host}.test/{kind}/{number}.html"
            identity = UUID(int=number)
            file.write(
                response_record(
                    url, 200, _HEADERS, body.encode(), date=_DATE, identity=identity, level=1
                )
            )


def archive_steps(path: Path, jobs: int) -> Iterator[Step]:
    """Measure reading, parsing, skimming, surveying, profiling and clustering of one archive, the
    later ones by one process and by several."""

    def bare() -> None:
        from fastwarc.warc import ArchiveIterator

        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                record.reader.read()

    def skimmed(count: int) -> Callable[[], None]:
        def work() -> None:
            with TemporaryDirectory() as folder, SkimmedStore(Path(folder)) as store:
                parts = Path(folder, "parts")
                found = skim(parts, plan_of([path]), count, take=store.take)
                store.finish(found, LZW(), by_host=True)

        return work

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

    def clustered(count: int) -> Callable[[], None]:
        def work() -> None:
            with TemporaryDirectory() as folder:
                profile_parts(Path(folder), survey([path]), count, save_html=False)
                # This finds the templates.
                Recording(Path(folder), None, Hybrid(), by_host=True, save_html="none").close()

        return work

    pages = sum(1 for _ in read_warc(path, Losses()))
    measured = [_measured(bare), _measured(read), _measured(parsed)]
    reading = measured[0].cpu
    parsing = max(measured[2].cpu - measured[1].cpu, 1e-9)

    def step(what: str, found: _Measured) -> Step:
        cpu = max(found.cpu, 1e-9)
        rates = pages / cpu, reading / cpu, parsing / cpu
        return Step(what, pages, found.seconds, found.cpu, *rates, *found.peaks)

    yield from map(step, ("fastwarc alone", "read", "read and parse"), measured)
    yield step("survey", _measured(lambda: survey([path])))
    for what, work in (
        ("lzw clusters", skimmed), ("profiles", profiled), ("hybrid clusters", clustered)
    ):  # fmt: skip
        yield step(f"{what}, 1 job", _measured(work(1)))
        if jobs > 1:
            yield step(f"{what}, {jobs} jobs", _measured(work(jobs)))


class _Measured(NamedTuple):
    """What some work took."""

    seconds: float
    cpu: float
    peaks: tuple[float, float]


def _measured(work: Callable[[], object]) -> _Measured:
    began, spent = time.monotonic(), _cpu()
    work()
    seconds, cpu = time.monotonic() - began, _cpu() - spent
    own, workers = (
        resource.getrusage(of).ru_maxrss / 1024
        for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return _Measured(seconds, cpu, (own, workers))


def _cpu() -> float:
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + workers.ru_utime + workers.ru_stime
