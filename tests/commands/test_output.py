"""Whoever takes what is printed: a full disk, nobody, or a terminal that knows no arrows."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve

ROOT = Path(__file__).parents[2]
STUCK = 90


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
        (">/dev/full", 1, "tplcrawl: [Errno 28] No space left on device\n"),
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


def test_a_name_that_is_too_long_for_a_directory(tmp_path: Path) -> None:
    words = ["scrapy", "crawl", "site", "-a", "url=127.0.0.1:9", "-s", f"TPLCRAWL_DIR={'n' * 300}"]
    done = run(words, "", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("tplcrawl: cannot use the directory nnn")
    assert done.stderr.count("\n") == 1
