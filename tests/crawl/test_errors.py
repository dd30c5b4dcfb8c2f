"""What goes wrong ends in one clear line and an exit code, and leaves nothing behind."""

from __future__ import annotations

import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.evaluation.serving import Answer
from tplcrawl.store.schema import VERSION

if TYPE_CHECKING:
    from tests.conftest import Crawl, Launcher, MakePage, Serve, SiteCrawler, Web

End = Callable[..., subprocess.CompletedProcess[str]]
NOWHERE = "http://127.0.0.1:9/"
STUCK = 90
WAREHOUSE = Path(__file__).parents[1] / "projects" / "warehouse"


def assert_told(err: str, *words: str) -> None:
    """One line, for people."""
    assert err.startswith("tplcrawl: "), err
    assert err.count("\n") == 1, err
    assert err.endswith("\n")
    for word in words:
        assert word in err


@pytest.fixture(scope="module")
def web(serve: Serve, make_html: MakePage) -> Iterator[Web]:
    table = {
        "/": make_html("/a", "/b"), "/a": make_html("/"), "/b": make_html("/"),
        "/alone": make_html(),
        "/text": Answer(b"text", type="text/plain"),
        "/boom": Answer(b"no", 500),
        "/away": Answer(status=302, headers=(("Location", "/missing"),)),
        "/circle": Answer(status=302, headers=(("Location", "/circle"),)),
    }  # fmt: skip
    with serve(table) as server:
        yield server


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("url=",)),
        (("url=http://[::1",), ("http://[::1",)),
        (("url=ftp://a.test/",), ("ftp://a.test/", "http")),
        ((f"url={NOWHERE}", "colour=red"), ("colour", "max_pages")),
        ((f"url={NOWHERE}", "max_pages=ten"), ("max_pages", "'ten'")),
        ((f"url={NOWHERE}", "deny=[z-a]"), ("deny", "[z-a]")),
        ((f"url={NOWHERE}", "like=elsewhere.test/a"), ("like", "http://elsewhere.test/a")),
    ],
)
def test_wrong_arguments(
    run_scrapy: Launcher, tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    given = [word for argument in arguments for word in ("-a", argument)]
    done = run_scrapy("crawl", "site", *given, cwd=tmp_path)
    assert_told(done.stderr, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("TPLCRAWL_COLOUR=red", ("TPLCRAWL_COLOUR", "TPLCRAWL_METHOD")),
        ("TPLCRAWL_METHOD=magic", ("magic", "uxclust")),
        ("TPLCRAWL_DIR=", ("TPLCRAWL_DIR", "''")),
        ("TPLCRAWL_MAX_PAGES_PER_TEMPLATE=0", ("TPLCRAWL_MAX_PAGES_PER_TEMPLATE", "'0'")),
        ("TPLCRAWL_STREAM_FORMAT=papyrus", ("TPLCRAWL_STREAM_FORMAT", "papyrus", "csv")),
        ("TPLCRAWL_ENABLED=False", ("TPLCRAWL_ENABLED",)),
    ],
)
def test_wrong_settings_are_told_before_the_first_request(
    run_scrapy: Launcher, web: Web, tmp_path: Path, setting: str, words: tuple[str, ...]
) -> None:
    web.forget()
    done = run_scrapy("crawl", "site", "-a", f"url={web.url}", "-s", setting, cwd=tmp_path)
    assert_told(done.stderr, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert web.asked == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("missing", "http 404"),
        ("boom", "http 500"),
        ("text", "not html"),
        ("away", "http 404"),
        ("circle", "redirect"),
    ],
)
def test_a_start_page_that_is_none(
    run_scrapy: Launcher, web: Web, tmp_path: Path, path: str, reason: str
) -> None:
    url = f"{web.url}{path}"
    done = run_scrapy("crawl", "site", "-a", f"url={url}", cwd=tmp_path, timeout=STUCK)
    assert_told(done.stderr, "nothing could be fetched", web.url, reason)
    assert (done.returncode, done.stdout) == (1, "")
    assert list(tmp_path.iterdir()) == []


def test_a_host_that_does_not_answer(run_scrapy: Launcher, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    done = run_scrapy("crawl", "site", "-a", f"url={url}", cwd=tmp_path)
    assert_told(done.stderr, "nothing could be fetched", url, "refused")
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_a_host_that_nobody_knows(run_scrapy: Launcher, tmp_path: Path) -> None:
    done = run_scrapy("crawl", "site", "-a", "url=no-such-host.invalid", cwd=tmp_path)
    assert_told(done.stderr, "nothing could be fetched", "http://no-such-host.invalid/", "dns")
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_hangs_up(run_scrapy: Launcher, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(4096)

        thread = threading.Thread(target=hang_up)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        done = run_scrapy("crawl", "site", "-a", f"url={url}", cwd=tmp_path)
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert_told(done.stderr, "nothing could be fetched", url, "connection lost")
    assert done.returncode == 1


def test_a_site_that_robots_txt_closes(run_scrapy: Launcher, serve: Serve, tmp_path: Path) -> None:
    closed = Answer(b"User-agent: *\nDisallow: /\n", type="text/plain")
    with serve({"/robots.txt": closed}) as web:
        done = run_scrapy("crawl", "site", "-a", f"url={web.url}", cwd=tmp_path)
        assert set(web.asked) == {"/robots.txt"}
    assert_told(done.stderr, "nothing could be fetched", "robots.txt")
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_one_good_start_page_is_enough(crawl_site: SiteCrawler, web: Web, tmp_path: Path) -> None:
    crawl = crawl_site(f"{web.url}missing {web.url}alone", tmp_path / "crawl")
    assert crawl.targets == ["/alone"]
    assert crawl.reasons == {"/missing": "http 404"}
    assert crawl.err == ""


def test_a_fault_in_writing_the_files_is_told(
    crawl_site: SiteCrawler, web: Web, tmp_path: Path
) -> None:
    exporters = 'FEED_EXPORTERS={"odd": "decimal.Decimal"}'
    failed = crawl_site(
        f"{web.url}alone", tmp_path / "crawl", exporters, "TPLCRAWL_STREAM_FORMAT=odd", code=1,
        load=False,
    )  # fmt: skip
    assert failed.err.startswith("tplcrawl: TypeError(")
    assert failed.err.count("\n") == 1
    again = crawl_site(f"{web.url}alone", tmp_path / "crawl")
    assert again.targets == ["/alone"]


def test_a_site_of_one_page_without_a_link(
    crawl_site: SiteCrawler, web: Web, tmp_path: Path
) -> None:
    crawl = crawl_site(f"{web.url}alone", tmp_path / "crawl")
    assert crawl.targets == ["/alone"]
    assert "1 page, " in crawl.out
    assert len(crawl.items) == 1
    assert crawl.err == ""
    again = crawl_site(f"{web.url}alone", tmp_path / "crawl")
    assert "nothing was left to fetch" in again.out
    assert again.pages == crawl.pages


def test_a_directory_below_a_file(crawl_site: SiteCrawler, web: Web, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    web.forget()
    crawl = crawl_site(web.url, tmp_path / "file" / "crawl", code=1)
    assert_told(crawl.err, f"{tmp_path}/file/crawl")
    assert web.asked == []
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_where_the_directory_should_be(
    crawl_site: SiteCrawler, web: Web, tmp_path: Path
) -> None:
    (tmp_path / "crawl").write_text("in the way")
    crawl = crawl_site(web.url, tmp_path / "crawl", code=1)
    assert_told(crawl.err, f"{tmp_path}/crawl")
    assert (tmp_path / "crawl").read_text() == "in the way"


@pytest.fixture(scope="module")
def finished(crawl_site: SiteCrawler, web: Web, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """A crawl that is done; not to be changed."""
    return crawl_site(web.url, tmp_path_factory.mktemp("finished") / "crawl")


@pytest.fixture
def old(finished: Crawl, tmp_path: Path) -> Path:
    """A copy of its directory."""
    shutil.copytree(finished.folder, tmp_path / "crawl")
    return tmp_path / "crawl"


def contents(folder: Path) -> dict[str, object]:
    """All files; of a database, what it says."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("crawl.db-wal", "crawl.db-shm", ".lock"):
            found[str(path.relative_to(folder))] = path.read_bytes()
    try:
        with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as database:
            found["crawl.db"] = list(database.iterdump())
    except sqlite3.Error:
        pass
    return found


def test_a_directory_of_another_site(crawl_site: SiteCrawler, web: Web, old: Path) -> None:
    before = contents(old)
    crawl = crawl_site(web.local, old, code=1)
    assert_told(crawl.err, f"127.0.0.1:{web.port}", f"localhost:{web.port}", "TPLCRAWL_DIR")
    assert contents(old) == before


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_a_database_of_another_version(
    crawl_site: SiteCrawler, web: Web, old: Path, version: int
) -> None:
    with closing(sqlite3.connect(old / "crawl.db")) as database:
        database.execute(f"PRAGMA user_version = {version}")
    before = contents(old)
    crawl = crawl_site(web.url, old, code=1)
    assert_told(crawl.err, "version", str(VERSION), str(version))
    assert contents(old) == before


@pytest.mark.parametrize("kind", ["another program's", "no", "a torn"])
def test_a_database_that_is_none_of_ours(
    crawl_site: SiteCrawler, web: Web, old: Path, kind: str
) -> None:
    file = old / "crawl.db"
    whole = file.read_bytes()
    file.unlink()
    if kind == "no":
        file.write_text("this is no database\n" * 500)
    elif kind == "a torn":
        file.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
    else:
        with closing(sqlite3.connect(file)) as database:
            database.execute("CREATE TABLE somebody (elses TEXT)")
    before = contents(old)
    crawl = crawl_site(web.url, old, code=1)
    assert_told(crawl.err, "crawl.db")
    assert contents(old) == before


def test_a_directory_in_which_another_crawl_writes(
    crawl_site: SiteCrawler, serve: Serve, make_html: MakePage, end: End, tmp_path: Path
) -> None:
    held = threading.Event()

    def answer(target: str) -> Answer | None:
        if target == "/slow":
            held.wait(STUCK)
        return make_html("/slow")

    folder = tmp_path / "crawl"
    with serve(answer) as web, crawl_site.start(web.url, folder) as process:
        web.wait(2)
        second = crawl_site(web.url, folder, code=1)
        held.set()
        assert end(process, STUCK).returncode == 0
        assert_told(second.err, str(folder))
        assert sorted(type(second)(folder).targets) == ["/", "/slow"]
        assert max(web.counts.values()) == 1


def test_an_interrupt_before_the_first_page_leaves_nothing(
    crawl_site: SiteCrawler, serve: Serve, make_html: MakePage, end: End, tmp_path: Path
) -> None:
    held = threading.Event()

    def answer(target: str) -> Answer | None:
        if target != "/robots.txt":
            held.wait(STUCK)
        return Answer(b"late", 404)

    with serve(answer) as web, crawl_site.start(web.url, tmp_path / "crawl") as process:
        web.wait(1)
        process.send_signal(signal.SIGINT)
        held.set()
        done = end(process, STUCK)
    assert done.returncode in (1, 130)
    assert_told(done.stderr)
    assert list(tmp_path.iterdir()) == []


def test_a_crawl_that_nobody_lets_end_says_so(
    crawl_site: SiteCrawler, serve: Serve, make_html: MakePage, end: End, tmp_path: Path
) -> None:
    """Catches a summary of no pages, and success, after a second interrupt."""
    held = threading.Event()

    def answer(target: str) -> Answer | None:
        if target == "/held":
            held.wait(STUCK)
        return make_html("/a", "/held")

    with serve(answer) as web, crawl_site.start(web.url, tmp_path / "crawl") as process:
        web.wait(4)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
        held.set()
        done = end(process, STUCK)
    assert done.returncode == 130
    assert_told(done.stderr, "interrupted", str(tmp_path / "crawl"))
    assert done.stdout == ""


def test_a_crawl_ends_where_the_next_url_cannot_be_chosen(
    run_scrapy: Launcher, web: Web, tmp_path: Path
) -> None:
    """Catches a crawl that stands still for ever: the engine does not ask again after an error."""
    (tmp_path / "faulty.py").write_text(
        "from tplcrawl.crawl.defaults import *\n"
        "from tplcrawl.planning.picker import Picker\n"
        "def fail(self):\n"
        "    raise KeyError('planted')\n"
        "Picker.next = fail\n"
    )
    environment = {"SCRAPY_SETTINGS_MODULE": "faulty", "PYTHONPATH": str(tmp_path)}
    words = ("crawl", "site", "-a", f"url={web.url}", "-s", f"TPLCRAWL_DIR={tmp_path / 'crawl'}")
    done = run_scrapy(*words, cwd=tmp_path, env=environment, timeout=STUCK)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("tplcrawl: cannot go on with ")


@pytest.mark.parametrize("name", ["streams", "samples"])
def test_a_file_in_the_way_of_the_outputs(
    crawl_site: SiteCrawler, web: Web, old: Path, name: str
) -> None:
    shutil.rmtree(old / name)
    (old / name).write_text("in the way")
    crawl = crawl_site(web.url, old, code=1)
    assert_told(crawl.err, f"{old}/{name}")
    assert not list(old.rglob("*.part"))


def test_a_full_disk(
    crawl_site: SiteCrawler, serve: Serve, make_html: MakePage, tmp_path: Path
) -> None:
    """No file can grow above some size here, which fails like a disk that is full."""
    text = " ".join(f"<p class=w{number}>{number}</p>" for number in range(3000))
    page = make_html(*(f"/{number}" for number in range(40)), body=text)
    limits = ('EXTENSIONS={"warehouse.limits.FullDisk": 1}', "MOST_BYTES=400000")
    folder, env = tmp_path / "crawl", {"PYTHONPATH": str(WAREHOUSE)}
    with serve(lambda target: page) as web:
        crawl = crawl_site(web.url, folder, *limits, env=env, code=1, timeout=STUCK)
        assert_told(crawl.err, "disk")
        # With room again, the same command goes on.
        crawl = crawl_site(web.url, folder)
    assert len(crawl.pages) == 41


@pytest.mark.parametrize("words", [("crawl",), ("crawl", "nobody"), ("crawl", "site", "more")])
def test_a_spider_that_is_none(run_scrapy: Launcher, tmp_path: Path, words: tuple[str]) -> None:
    done = run_scrapy(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr
    assert list(tmp_path.iterdir()) == []
