"""Disks that are full or may not be written, too few files, databases that others take: a crawl
ends with one clear line, and the same command goes on once the fault is gone."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.crawl.kills import SITE, answer, stored_items

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve, SiteCrawler, Web

End = Callable[..., subprocess.CompletedProcess[str]]
WAREHOUSE = Path(__file__).parents[1] / "projects" / "warehouse"
LINE = "tplcrawl: "


@pytest.fixture(scope="module")
def web(serve: Serve) -> Iterator[Web]:
    with serve(answer) as server:
        yield server


def assert_one_line(err: str, *words: str) -> None:
    assert err.startswith(LINE), err
    assert err.count("\n") == 1, err
    assert all(word in err for word in words), err


CHECK = """
import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone())
"""
MOUNTS = """
mount -t tmpfs -o size=600k tmpfs "$1" || exit 99
"$2" -m scrapy crawl site -a url="$3" -s TPLCRAWL_DIR="$1/crawl"
echo "full $?"
"$2" -c "$4" "$1/crawl/crawl.db"
"$2" -m scrapy crawl site -a url="$3" -s TPLCRAWL_DIR="$1/crawl"
echo "still $?"
mount -o remount,ro "$1"
"$2" -m scrapy crawl site -a url="$3" -s TPLCRAWL_DIR="$1/crawl"
echo "read-only $?"
mount -o remount,rw,size=50m "$1"
"$2" -m scrapy crawl site -a url="$3" -s TPLCRAWL_DIR="$1/crawl" >/dev/null
echo "roomy $?"
wc -l < "$1/crawl/pages.jsonl"
"""


def test_a_disk_that_is_full_then_read_only_then_large(web: Web, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    script = ["sh", "-c", MOUNTS, "sh", str(tmp_path / "disk"), sys.executable, web.url, CHECK]
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", *script],
        capture_output=True, encoding="utf-8", timeout=300,
        env={"SCRAPY_SETTINGS_MODULE": "tplcrawl.crawl.defaults", "PATH": "/usr/bin:/bin",
             "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("mounts are not allowed here")
    words = done.stdout.split()
    told = ["full", "1", "ok", "still", "1", "read-only", "1", "roomy", "0", str(len(SITE.pages))]
    assert words == told, done.stderr
    assert done.stderr.count("\n") == 3, done.stderr
    full, still, read_only = done.stderr.splitlines()
    assert all(line.startswith(LINE) for line in (full, still, read_only))
    assert "full" in full
    assert "full" in still or "disk" in still
    assert "disk" in read_only


def test_a_page_that_is_asked_for_again_holds_up_nobody(
    web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Its URL waits although it is there: all that came behind it waited for its turn for ever."""
    folder = tmp_path / "crawl"
    crawl_site(web.url, folder, max_pages=20)
    with closing(sqlite3.connect(folder / "crawl.db")) as database, database:
        database.execute("UPDATE url SET state = 0 WHERE id IN (1, 5, 20)")
    found = crawl_site(web.url, folder, max_pages=40, timeout=60)
    assert len(set(found.targets)) == len(found.pages) == 40
    assert set(stored_items(folder).values()) == {1}
    assert found.coverage["states"]["fetched"] == 40


WRITES = (2, 12, 300)
"""Of a database that may not be written from then on: while it is made, at the start, later."""


@pytest.mark.parametrize("number", WRITES)
def test_a_write_that_fails_ends_the_crawl_in_one_line(
    web: Web, crawl_site: SiteCrawler, tmp_path: Path, number: int
) -> None:
    """Whatever is written then; and the same command goes on."""
    folder, env = tmp_path / "crawl", {"PYTHONPATH": str(WAREHOUSE)}
    fault = ('EXTENSIONS={"warehouse.limits.FullDatabase": 1}', f"MOST_WRITES={number}")
    crawl = crawl_site(web.url, folder, *fault, env=env, code=1, max_pages=60, load=False)
    assert_one_line(crawl.err, "full")
    assert len(crawl_site(web.url, folder, max_pages=60).pages) == 60


@pytest.mark.parametrize("most", [12, 20])
def test_too_few_files_may_be_open(
    web: Web, crawl_site: SiteCrawler, end: End, tmp_path: Path, most: int
) -> None:
    """At the database, or only at the outputs."""
    folder = tmp_path / "crawl"
    with crawl_site.start(web.url, folder, max_pages=20) as process:
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (most, most))
        done = end(process)
    assert done.returncode == 1
    assert_one_line(done.stderr)
    assert len(crawl_site(web.url, folder, max_pages=20).pages) == 20


def test_a_database_that_somebody_else_locks(
    web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    crawl_site(web.url, folder, max_pages=20)
    with closing(sqlite3.connect(folder / "crawl.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        crawl = crawl_site(web.url, folder, max_pages=30, code=1, load=False)
    assert_one_line(crawl.err, "crawl.db", "locked")
    assert len(crawl_site(web.url, folder, max_pages=30).pages) == 30


@pytest.mark.parametrize("instead", ["nothing", "another", "a link"])
def test_a_database_that_is_taken_away_while_it_is_written(
    serve: Serve,
    make_html: MakePage,
    crawl_site: SiteCrawler,
    end: End,
    tmp_path: Path,
    instead: str,
) -> None:
    """SQLite would go on without a word, and all would be lost in the end."""
    folder = tmp_path / "crawl"
    table = {"/": make_html("/a"), "/a": make_html("/b"), "/b": make_html("/a")}

    def take_away(target: str) -> object:
        if target == "/b":
            file = folder / "crawl.db"
            file.rename(tmp_path / "away")
            if instead == "another":
                file.write_bytes((tmp_path / "away").read_bytes())
            elif instead == "a link":
                file.symlink_to(folder / ".lock")
        return table.get(target)

    with serve(take_away) as server, crawl_site.start(server.url, folder) as process:
        done = end(process)
    assert done.returncode == 1
    assert_one_line(done.stderr, "crawl.db", "taken away")


def test_a_database_that_breaks_can_be_repaired_and_the_crawl_goes_on(
    web: Web, crawl_site: SiteCrawler, run_tplcrawl: Callable[..., object], tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    crawl_site(web.url, folder, max_pages=60)
    content = bytearray((folder / "crawl.db").read_bytes())
    for at in range(3 * 8192, len(content), 5 * 8192):
        content[at : at + 8192] = bytes(8192)
    (folder / "crawl.db").write_bytes(content)
    crawl = crawl_site(web.url, folder, code=1, load=False)
    assert_one_line(crawl.err, "tplcrawl repair")
    # Only SQLite's own counters in the head have moved.
    assert (folder / "crawl.db").read_bytes()[8192:] == content[8192:]
    assert run_tplcrawl("repair", str(folder)).returncode == 0  # type: ignore[attr-defined]
    assert sorted(crawl_site(web.url, folder).targets) == sorted(SITE.pages)
    assert set(stored_items(folder).values()) == {1}
