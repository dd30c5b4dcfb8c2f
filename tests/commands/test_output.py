"""Whoever takes what is printed: a full disk, nobody, or a terminal that knows no arrows."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.evaluation.sample.site import SampleSite, Sizes

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve

ROOT = Path(__file__).parents[2]
STUCK = 90
UNWRITTEN = "tplcrawl: cannot write to standard output: No space left on device\n"


def run(words: list[str], into: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose standard output goes *into* what a shell says."""
    command = shlex.join([sys.executable, "-m", *words])
    given = {"SCRAPY_SETTINGS_MODULE": "tplcrawl.crawl.defaults", "PYTHONPATH": str(ROOT), **env}
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} {into}"], cwd=folder, capture_output=True,
        text=True, timeout=STUCK, env={**os.environ, **given}, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("into", "env", "code", "out", "err"),
    [
        ("", {"PYTHONIOENCODING": "ascii"}, 0, " ? ", ""),
        (">/dev/full", {}, 1, "", "tplcrawl: cannot print the summary: No space left on device\n"),
        ("| true", {}, 0, "", ""),
        (">&-", {}, 0, "", ""),
    ],
)
def test_a_crawl_is_whole_whatever_becomes_of_its_summary(
    serve: Serve, make_html: MakePage, tmp_path: Path, into: str, env: dict[str, str], code: int,
    out: str, err: str,
) -> None:  # fmt: skip
    """The directory's name is no markup either."""
    with serve(lambda target: make_html("/a")) as web:
        words = ["scrapy", "crawl", "site", "-a", f"url={web.url}", "-s", "TPLCRAWL_DIR=[/red]"]
        done = run(words, into, tmp_path, **env)
    assert (done.returncode, done.stderr) == (code, err)
    assert out in done.stdout
    assert (tmp_path / "[" / "red]" / "report.html").is_file()


@pytest.mark.parametrize(
    ("into", "code", "err"),
    [
        (">/dev/full", 1, UNWRITTEN),
        ("| true", 0, ""),
        (">&-", 0, ""),
    ],
)
def test_a_report_that_nobody_takes(
    serve: Serve, make_html: MakePage, tmp_path: Path, into: str, code: int, err: str
) -> None:
    with serve(lambda target: make_html("/a")) as web:
        words = ["scrapy", "crawl", "site", "-a", f"url={web.url}", "-s", "TPLCRAWL_DIR=crawl"]
        assert run(words, "", tmp_path).returncode == 0
    done = run(["tplcrawl", "report", "crawl"], into, tmp_path)
    assert (done.returncode, done.stderr) == (code, err)


@pytest.fixture(scope="module")
def clustered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result of some pages, and one of other templates; not to be changed."""
    folder = tmp_path_factory.mktemp("results")
    site = SampleSite(Sizes(categories=1, products=8, posts=8, threads=5, boards=1, users=4))
    for name, kept in (
        ("pages", site.pages),
        ("fewer", [p for p in site.pages if "blog" not in p]),
    ):
        for number, path in enumerate(kept):
            file = folder / name / "site" / f"{number}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(site.html(path) or "")
        done = run(["tplcrawl", "cluster", f"{name}/site", "-o", name[0]], "", folder)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("into", "code", "err"), [(">/dev/full", 1, UNWRITTEN), ("| true", 0, "")])
@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("cluster pages/site -o out", "out/report.html"),
        ("cluster pages/site -o out --json", "out/streams/index.json"),
        ("cluster pages/site -o out --method lzw --json", "out/templates.json"),
        ("merge p f -o out", "out/report.html"),
        ("report p --json", "p/coverage.json"),
        ("wrap p --json", "p/wrappers/t3.json"),
        ("extract p", "p/records/t3.jsonl"),
        ("diff p f -o diff.html", "diff.html"),
        ("model p -o model.json", "model.json"),
    ],
)
def test_a_result_is_whole_whatever_becomes_of_what_is_printed(
    clustered: Path, tmp_path: Path, words: str, made: str, into: str, code: int, err: str,
    unbuffered: str,
) -> None:  # fmt: skip
    """Catches files that are written between two lines that are printed."""
    folders = [tmp_path / "quiet", tmp_path / "loud"]
    for folder in folders:
        shutil.copytree(clustered, folder)
    quiet = run(["tplcrawl", *words.split()], "", folders[0])
    loud = run(["tplcrawl", *words.split()], into, folders[1], PYTHONUNBUFFERED=unbuffered)
    assert (quiet.returncode, loud.returncode) == (0, code)
    assert loud.stderr == quiet.stderr + err
    assert (folders[1] / made).is_file()
    files = [
        {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and not path.name.startswith("crawl.db")
        }
        for folder in folders
    ]
    assert files[0] == files[1]


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_alarm_is_raised_though_nobody_reads_what_it_is_about(
    clustered: Path, unbuffered: str
) -> None:
    words = ["tplcrawl", "diff", "p", "f", "--fail-on", "vanished"]
    done = run(words, "| true", clustered, PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (1, "tplcrawl: f: vanished\n")


def test_a_name_that_is_too_long_for_a_directory(tmp_path: Path) -> None:
    words = ["scrapy", "crawl", "site", "-a", "url=127.0.0.1:9", "-s", f"TPLCRAWL_DIR={'n' * 300}"]
    done = run(words, "", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("tplcrawl: cannot use the directory nnn")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", ["diff p f", "report p"])
def test_what_goes_into_a_file_is_not_filled_up_to_a_width(clustered: Path, words: str) -> None:
    """Catches tables with hundreds of spaces behind each line."""
    done = run(["tplcrawl", *words.split()], "", clustered)
    assert done.stdout
    assert max(map(len, done.stdout.splitlines())) < 200
