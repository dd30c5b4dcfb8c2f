"""What tests share: real servers on loopback, and real crawls in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from hypothesis import settings

from tplcrawl.evaluation.serving import Answer, SiteServer

# The projects are run by crawls, as somebody else's; they are no modules of these tests.
collect_ignore_glob = ["projects/*"]

settings.register_profile("tplcrawl", deadline=None, database=None)
settings.load_profile("tplcrawl")

ROOT = Path(__file__).parents[1]
TIMEOUT = 120
"""Seconds after which a process is taken for stuck."""


def target_of(url: str) -> str:
    """The path and query of *url*."""
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


class Web:
    """A server on loopback that remembers what it was asked, from a table or a function."""

    def __init__(
        self,
        answers: Mapping[str, Answer] | Callable[[str], Answer | None],
        port: int = 0,
        host: str = "127.0.0.1",
    ) -> None:
        self._answer = answers.get if isinstance(answers, Mapping) else answers
        self._lock = threading.Lock()
        self._enough = threading.Condition(self._lock)
        self._server = SiteServer(self._remember, port, host)
        self.asked: list[str] = []
        """Paths and queries, in order."""
        self.url = self._server.url

    def _remember(self, target: str) -> Answer | None:
        with self._enough:
            self.asked.append(target)
            self._enough.notify_all()
        return self._answer(target)

    def __enter__(self) -> Web:
        self._server.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.__exit__(kind, error, trace)

    @property
    def local(self) -> str:
        """The same server under the name of another host."""
        return self.url.replace("127.0.0.1", "localhost")

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port is not None
        return port

    @property
    def counts(self) -> Counter[str]:
        """How often each target was asked for."""
        with self._lock:
            return Counter(self.asked)

    def forget(self) -> None:
        """Forget what was asked so far."""
        with self._lock:
            self.asked.clear()

    def wait(self, requests: int) -> None:
        """Wait until so many requests have come since the last :meth:`forget`."""
        with self._enough:
            assert self._enough.wait_for(lambda: len(self.asked) >= requests, TIMEOUT)


def read_lines(file: Path) -> list[dict[str, Any]]:
    """The lines of a file of JSON lines."""
    text = file.read_text(encoding="utf-8")
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]


@dataclass(frozen=True)
class Crawl:
    """What a crawl left: in its directory, and on its standard streams."""

    folder: Path
    code: int = 0
    out: str = field(default="", repr=False)
    err: str = field(default="", repr=False)

    def json(self, name: str) -> Any:
        """A JSON file of the directory."""
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def lines(self, name: str) -> list[dict[str, Any]]:
        """A file of JSON lines of the directory."""
        return read_lines(self.folder / name)

    @cached_property
    def pages(self) -> list[dict[str, Any]]:
        return self.lines("pages.jsonl")

    @cached_property
    def targets(self) -> list[str]:
        """Path and query of every page."""
        return [target_of(page["url"]) for page in self.pages]

    @cached_property
    def by_target(self) -> dict[str, dict[str, Any]]:
        """Every page by its path and query."""
        found = dict(zip(self.targets, self.pages, strict=True))
        assert len(found) == len(self.pages)
        return found

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why each URL of ``skipped.jsonl`` is there, by path and query."""
        lines = self.lines("skipped.jsonl")
        found = {target_of(line["url"]): line["reason"] for line in lines}
        assert len(found) == len(lines)
        return found

    @cached_property
    def coverage(self) -> dict[str, Any]:
        found: dict[str, Any] = self.json("coverage.json")
        return found

    @cached_property
    def streams(self) -> dict[str, list[dict[str, Any]]]:
        """The items of every stream, by its template."""
        index = self.json("streams/index.json")
        folder = self.folder / "streams"
        listed = {entry["file"] for entry in index["streams"]} | {"index.json"}
        assert listed == {path.name for path in folder.iterdir()}
        found = {}
        for entry in index["streams"]:
            items = read_lines(folder / entry["file"])
            assert len(items) == entry["items"]
            found[entry["template"]] = items
        return found

    @cached_property
    def items(self) -> list[dict[str, Any]]:
        """The items of all streams."""
        return [item for items in self.streams.values() for item in items]

    @cached_property
    def partition(self) -> frozenset[frozenset[str]]:
        """The sets of URLs that share a template; a page without one is alone."""
        groups: dict[str, set[str]] = {}
        for page in self.pages:
            groups.setdefault(page["template"] or page["url"], set()).add(page["url"])
        return frozenset(map(frozenset, groups.values()))

    def usual(self, part: str) -> tuple[str, str]:
        """Of URLs with *part*: the template of most pages, and what most of those that were left
        out were expected to be."""
        found = Counter(page["template"] for page in self.pages if part in page["url"])
        left = self.lines("skipped.jsonl")
        expected = Counter(line["predicted"] for line in left if part in line["url"])
        return found.most_common(1)[0][0], expected.most_common(1)[0][0]

    def loaded(self) -> Crawl:
        """Read what a later crawl into the directory would change."""
        whole = (self.folder / "pages.jsonl").is_file() and (self.folder / "streams").is_dir()
        if whole:
            _ = self.pages, self.reasons, self.coverage, self.streams
        return self

    def files(self, *names: str) -> dict[str, bytes]:
        """The bytes of files and of all files in folders, by their paths."""
        found = {}
        for name in names:
            path = self.folder / name
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file():
                    found[str(file.relative_to(self.folder))] = file.read_bytes()
        return found


def _environment(given: Mapping[str, str] | None) -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SCRAPY_", "PYTHON")) and name not in ("COLUMNS", "LINES")
    }
    made = {**clean, "COLUMNS": "100", "SCRAPY_SETTINGS_MODULE": "tplcrawl.crawl.defaults",
            **(given or {})}  # fmt: skip
    return {name: value for name, value in made.items() if value}


@dataclass(frozen=True)
class Launcher:
    """Starts commands as users do."""

    tool: str = "scrapy"

    def start(
        self,
        *arguments: str,
        cwd: Path = ROOT,
        env: Mapping[str, str] | None = None,
        stderr: int = subprocess.PIPE,
    ) -> subprocess.Popen[str]:
        """Start a process and leave it running."""
        command = [sys.executable, "-m", self.tool, *arguments]
        if self.tool == "tplcrawl":
            code = "import sys; from tplcrawl.commands import main; sys.exit(main())"
            command = [sys.executable, "-c", code, *arguments]
        return subprocess.Popen(
            command,
            cwd=cwd,
            env=_environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            encoding="utf-8",
        )

    def __call__(
        self,
        *arguments: str,
        cwd: Path = ROOT,
        env: Mapping[str, str] | None = None,
        timeout: float = TIMEOUT,
    ) -> subprocess.CompletedProcess[str]:
        """Run a process to its end."""
        with self.start(*arguments, cwd=cwd, env=env) as process:
            return finish(process, timeout)


def finish(
    process: subprocess.Popen[str], timeout: float = TIMEOUT
) -> subprocess.CompletedProcess[str]:
    """Wait for a process; fail, and kill it, if it is stuck."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        _, err = process.communicate()
        pytest.fail(f"stuck for {timeout} s: {err[-2000:]}")
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def site_arguments(url: str, folder: Path, settings: tuple[str, ...], **given: object) -> list[str]:
    """The arguments of ``scrapy crawl site``."""
    spider = {"url": url, **given}
    words = ["crawl", "site"]
    for name, value in spider.items():
        words += ["-a", f"{name}={value}"]
    for setting in (f"TPLCRAWL_DIR={folder}", *settings):
        words += ["-s", setting]
    return words


class SiteCrawler:
    """Runs ``scrapy crawl site``."""

    def __init__(self) -> None:
        self._scrapy = Launcher()

    def __call__(
        self,
        url: str,
        folder: Path,
        *settings: str,
        code: int = 0,
        env: Mapping[str, str] | None = None,
        timeout: float = TIMEOUT,
        load: bool = True,
        **arguments: object,
    ) -> Crawl:
        """Crawl to the end and check the exit code. *settings* are as ``NAME=value``."""
        words = site_arguments(url, folder, settings, **arguments)
        done = self._scrapy(*words, env=env, timeout=timeout)
        assert done.returncode == code, (done.stdout, done.stderr)
        crawl = Crawl(folder, done.returncode, done.stdout, done.stderr)
        return crawl.loaded() if load else crawl

    def start(
        self, url: str, folder: Path, *settings: str, **arguments: object
    ) -> subprocess.Popen[str]:
        """Start a crawl and leave it running."""
        return self._scrapy.start(*site_arguments(url, folder, settings, **arguments))

    def stopped(
        self,
        web: Web,
        folder: Path,
        requests: int,
        how: signal.Signals,
        *settings: str,
        timeout: float = TIMEOUT,
        **arguments: object,
    ) -> int:
        """Crawl *web*, send the process a signal when so many requests have come, and return its
        exit code: negative for a signal."""
        web.forget()
        with self.start(web.url, folder, *settings, **arguments) as process:
            web.wait(requests)
            process.send_signal(how)
            return finish(process, timeout).returncode


class RedisServer:
    """Debian's ``redis-server`` on a port of its own, which logs every write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port: int = found.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None
        self._client = redis.Redis(port=self.port)

    def start(self) -> None:
        words = f"--port {self.port} --bind 127.0.0.1 --appendonly yes --loglevel warning"
        self._process = subprocess.Popen(
            ["redis-server", *words.split(), "--save", "", "--dir", str(self._folder)],
            stdout=subprocess.DEVNULL,
        )
        for _ in range(TIMEOUT * 20):
            with suppress(redis.RedisError):
                if self.client().ping():
                    return
            time.sleep(0.05)
        pytest.fail("redis-server does not start")

    def client(self) -> redis.Redis:
        return self._client

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(TIMEOUT)
            self._process = None
        self._client.close()


def make_page(*links: str, title: str = "A page", body: str = "", head: str = "") -> Answer:
    """A page of HTML with a list of links."""
    rows = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    text = (
        f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head>"
        f"<body><ul>{rows}</ul>{body}</body></html>"
    )
    return Answer(text.encode())


ReadCrawl = Callable[[Path], Crawl]
Serve = Callable[..., Web]
MakePage = Callable[..., Answer]


@pytest.fixture(scope="session")
def serve() -> Serve:
    """Makes a server from a table or a function of answers."""
    return Web


@pytest.fixture(scope="session")
def make_html() -> MakePage:
    """Makes a page with links."""
    return make_page


@pytest.fixture(scope="session")
def read_crawl() -> ReadCrawl:
    """Reads a crawl's directory."""
    return Crawl


@pytest.fixture(scope="session")
def crawl_site() -> SiteCrawler:
    """Runs ``scrapy crawl site``."""
    return SiteCrawler()


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server that runs."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    (tmp_path / "redis").mkdir()
    server = RedisServer(tmp_path / "redis")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def end() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Waits for a process that was started, and kills it if it is stuck."""
    return finish


@pytest.fixture(scope="session")
def run_scrapy() -> Launcher:
    """Runs the ``scrapy`` tool."""
    return Launcher()


@pytest.fixture(scope="session")
def run_tplcrawl() -> Launcher:
    """Runs the ``tplcrawl`` tool."""
    return Launcher("tplcrawl")
