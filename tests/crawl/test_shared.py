"""Several processes crawl one site through Redis."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.commands import main
from tplcrawl.evaluation.sample.server import sample_answers
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, ReadCrawl, RedisServer, Serve, SiteCrawler, Web

TIMEOUT = 100
End = Callable[..., subprocess.CompletedProcess[str]]
SITE = SampleSite(Sizes(categories=3, products=36, posts=14, threads=14, boards=2, users=10))
answers = sample_answers(SITE)
PATIENT = "DOWNLOAD_TIMEOUT=100"
ready = threading.Event()
"""Whether the server answers: the workers may all have to be there first."""


def answer(target: str) -> Answer | None:
    ready.wait(TIMEOUT)
    return answers(target)


@pytest.fixture(scope="module")
def web(serve: Serve) -> Iterator[Web]:
    with serve(answer) as server:
        yield server


@pytest.fixture(scope="module")
def whole(web: Web, crawl_site: SiteCrawler, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """The crawl of one worker by itself."""
    ready.set()
    return crawl_site(web.url, tmp_path_factory.mktemp("whole") / "crawl")


class Workers:
    """Starts workers of one crawl, each with its own directory."""

    def __init__(
        self, web: Web, redis: RedisServer, crawl_site: SiteCrawler, end: End, folder: Path
    ) -> None:
        self._web = web
        self._redis = redis
        self._crawl_site = crawl_site
        self._end = end
        self._folder = folder
        self._stack = ExitStack()
        self.running: dict[int, subprocess.Popen[str]] = {}
        web.forget()

    def start(
        self, *numbers: int, settings: Sequence[str] = (), lease: float = 60, **arguments: object
    ) -> None:
        """Start workers; nothing is answered before all have joined."""
        ready.clear()
        for number in numbers:
            self.running[number] = self._stack.enter_context(
                self._crawl_site.start(
                    self._web.url,
                    self.folder(number),
                    f"TPLCRAWL_REDIS_URL={self._redis.url}",
                    f"TPLCRAWL_REDIS_LEASE={lease}",
                    PATIENT,
                    *settings,
                    **arguments,
                )
            )
        client = self._redis.client()
        key = f"tplcrawl:127.0.0.1:{self._web.port}:workers"
        for _ in range(TIMEOUT * 20):
            if client.zcard(key) >= len(self.running):
                break
            time.sleep(0.05)
        ready.set()

    def folder(self, number: int) -> Path:
        return self._folder / f"worker-{number}"

    def finish(self, code: int = 0) -> list[str]:
        """Wait for all; return what they have said on standard error."""
        told = []
        for process in self.running.values():
            done = self._end(process)
            assert done.returncode == code, (done.stdout, done.stderr)
            told.append(done.stderr)
        self.running.clear()
        return told

    def kill(self, number: int) -> None:
        process = self.running.pop(number)
        process.send_signal(signal.SIGKILL)
        assert self._end(process).returncode == -signal.SIGKILL

    def merged(self, read_crawl: ReadCrawl) -> Crawl:
        folders = sorted(self._folder.glob("worker-*"))
        if len(folders) == 1:
            # The others were too late to get a page.
            return read_crawl(folders[0])
        out = self._folder / "merged"
        assert main(["merge", *map(str, folders), "-o", str(out)]) == 0
        return read_crawl(out)

    def close(self) -> None:
        for process in self.running.values():
            process.kill()
        self._stack.close()


@pytest.fixture
def workers(
    web: Web, redis_server: RedisServer, crawl_site: SiteCrawler, end: End, tmp_path: Path
) -> Iterator[Workers]:
    made = Workers(web, redis_server, crawl_site, end, tmp_path)
    yield made
    made.close()


def assert_equal(found: Crawl, whole: Crawl) -> None:
    """The same pages with the same ids, and what comes of them, template names aside."""
    for name in ("url", "docid", "depth", "location", "status", "title"):
        assert [page[name] for page in found.pages] == [page[name] for page in whole.pages]
    assert found.partition == whole.partition
    assert found.reasons == whole.reasons
    assert Counter(item["url"] for item in found.items) == Counter(
        item["url"] for item in whole.items
    )


def test_three_workers_fetch_each_page_once_and_find_what_one_finds(
    workers: Workers, web: Web, whole: Crawl, read_crawl: ReadCrawl
) -> None:
    # Or one of them may have fetched all before the others ask for the first time.
    workers.start(1, 2, 3, settings=["DOWNLOAD_DELAY=0.02"])
    assert workers.finish() == ["", "", ""]
    counts = web.counts
    del counts["/robots.txt"]
    assert set(counts.values()) == {1}
    # A worker that came when all was done has no page, and writes no files.
    assert sum((workers.folder(n) / "pages.jsonl").is_file() for n in (1, 2, 3)) > 1
    assert_equal(workers.merged(read_crawl), whole)


def test_what_a_killed_worker_had_leased_is_fetched_by_others(
    workers: Workers, web: Web, whole: Crawl, read_crawl: ReadCrawl
) -> None:
    workers.start(1, 2, 3, lease=3)
    web.wait(40)
    workers.kill(2)
    workers.finish()
    assert set(web.counts) >= set(whole.targets)
    assert_equal(workers.merged(read_crawl), whole)


def test_a_worker_that_was_killed_goes_on(
    workers: Workers, web: Web, whole: Crawl, read_crawl: ReadCrawl
) -> None:
    workers.start(1)
    web.wait(30)
    workers.kill(1)
    workers.start(1)
    workers.finish()
    assert sorted(read_crawl(workers.folder(1)).targets) == sorted(whole.targets)


def test_redis_may_die_and_come_back(
    workers: Workers, web: Web, whole: Crawl, read_crawl: ReadCrawl, redis_server: RedisServer
) -> None:
    workers.start(1, 2, 3)
    web.wait(40)
    redis_server.stop(signal.SIGKILL)
    time.sleep(1)
    redis_server.start()
    workers.finish()
    assert_equal(workers.merged(read_crawl), whole)


def test_without_redis_nothing_begins(
    web: Web, crawl_site: SiteCrawler, redis_server: RedisServer, tmp_path: Path
) -> None:
    redis_server.stop()
    folder = tmp_path / "crawls" / "worker"
    url = redis_server.url.replace("//", "//:secret@")
    told = crawl_site(web.url, folder, f"TPLCRAWL_REDIS_URL={url}", code=1, load=False).err
    where = re.escape(redis_server.url)
    assert re.fullmatch(rf"tplcrawl: cannot use Redis at {where}: [^\n]+\n", told)
    assert "secret" not in told
    assert not folder.exists()


def test_where_redis_stays_away_the_crawl_ends_and_goes_on_later(
    workers: Workers, web: Web, whole: Crawl, read_crawl: ReadCrawl, redis_server: RedisServer
) -> None:
    workers.start(1, settings=["TPLCRAWL_REDIS_PATIENCE=2"])
    web.wait(30)
    redis_server.stop(signal.SIGKILL)
    [told] = workers.finish(code=1)
    assert re.search(
        r"^tplcrawl: cannot use Redis at .*; the same command goes on .*\n$", told, re.M
    )
    part = read_crawl(workers.folder(1)).loaded()
    assert 0 < len(part.pages) < len(whole.pages)
    assert part.coverage["stopped"] == "redis lost"
    redis_server.start()
    web.forget()
    workers.start(1)
    workers.finish()
    assert sorted(read_crawl(workers.folder(1)).targets) == sorted(whole.targets)
    assert not set(web.asked) & set(part.targets), "pages were fetched again"


def test_all_workers_have_as_many_pages_as_one_may_have(
    workers: Workers, web: Web, read_crawl: ReadCrawl, redis_server: RedisServer
) -> None:
    prefix = f"tplcrawl:127.0.0.1:{web.port}:"
    for key, task in {
        "1": "no JSON",
        "2": '[0,"file:///etc/passwd",null,null]',
        "3": "[0]",
    }.items():
        redis_server.client().hset(f"{prefix}open", key, task)
        redis_server.client().zadd(f"{prefix}queue", {key: 0})
    workers.start(1, 2, max_pages=40)
    told = "".join(workers.finish())
    assert "no URL of the site" in told
    found = workers.merged(read_crawl)
    assert len(found.pages) == 40
    assert set(found.reasons.values()) == {"max-pages"}


def test_a_budget_counts_the_pages_of_all(
    workers: Workers, whole: Crawl, read_crawl: ReadCrawl
) -> None:
    """As far as templates are those of the model that all began with. Random pages, of which each
    worker draws at its end, come on top: none are drawn here."""
    budget = "TPLCRAWL_MAX_PAGES_PER_TEMPLATE=9"
    settings = [f"TPLCRAWL_MODEL={whole.folder}", budget, "TPLCRAWL_EXPLORE=0"]
    workers.start(1, 2, 3, settings=settings)
    workers.finish()
    found = workers.merged(read_crawl)
    name = {page["url"]: page["template"] for page in whole.pages}
    counts = Counter(name[page["url"]] for page in found.pages)
    # What is under way at the limit comes on top; three workers by themselves would have 27.
    assert max(counts.values()) <= 9 + 9
    assert set(counts) == set(name.values())
    assert "budget" in found.reasons.values()
