"""``tplcrawl report`` and ``tplcrawl sample``."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.commands import main
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import Crawl, Launcher, ReadCrawl

BYTES = ("pages.jsonl", "templates.json", "skipped.jsonl", "coverage.json", "report.html",
         "streams", "samples")  # fmt: skip


@pytest.fixture(scope="module")
def sample(
    run_tplcrawl: Launcher, read_crawl: ReadCrawl, tmp_path_factory: pytest.TempPathFactory
) -> Crawl:
    """The sample site, crawled by the command; not to be changed."""
    folder = tmp_path_factory.mktemp("sample")
    arguments = ("--", "-a", "max_pages=150", "-s", "TPLCRAWL_SAVE_HTML=all")
    done = run_tplcrawl("sample", "-o", "crawl", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    crawl = read_crawl(folder / "crawl")
    return type(crawl)(crawl.folder, 0, done.stdout, done.stderr).loaded()


@pytest.fixture
def copy(sample: Crawl, tmp_path: Path) -> Path:
    shutil.copytree(sample.folder, tmp_path / "crawl")
    return tmp_path / "crawl"


def test_the_sample_is_crawled_and_scored(sample: Crawl) -> None:
    assert sample.err == ""
    assert len(sample.pages) == 150
    score = re.search(r"^against the truth .*F1 ([\d.]+)", sample.out, re.MULTILINE)
    assert score is not None
    assert float(score[1]) > 0.8


def test_the_sample_is_crawled_anew_into_its_own_directory(
    run_tplcrawl: Launcher, copy: Path, read_crawl: ReadCrawl
) -> None:
    done = run_tplcrawl("sample", "-o", str(copy), "--", "-a", "max_pages=3")
    assert done.returncode == 0
    assert len(read_crawl(copy).pages) == 3
    # As if that run had been killed before it took the earlier crawl away.
    (copy.parent / ".crawl.before").mkdir()
    (copy.parent / ".crawl.before" / "crawl.db").touch()
    again = run_tplcrawl("sample", "-o", str(copy), "--", "-a", "max_pages=4")
    assert (again.returncode, len(read_crawl(copy).pages)) == (0, 4)


def test_an_earlier_sample_stays_where_the_new_one_does_not_begin(
    run_tplcrawl: Launcher, copy: Path, read_crawl: ReadCrawl
) -> None:
    """Catches a crawl being taken away for a call that is wrong."""
    done = run_tplcrawl("sample", "-o", str(copy), "--", "-s", "TPLCRAWL_METHODE=x")
    assert done.returncode == 2
    assert len(read_crawl(copy).pages) == 150
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


def test_the_sample_never_takes_away_another_crawl(
    run_tplcrawl: Launcher, copy: Path, read_crawl: ReadCrawl
) -> None:
    with Store(copy) as store:
        store.database.write("UPDATE url SET url = url || 'else' WHERE id = 5")
    done = run_tplcrawl("sample", "-o", str(copy))
    assert (done.returncode, done.stderr) == (
        1, f"tplcrawl: {copy} is no crawl of the sample site; it is not overwritten\n"
    )  # fmt: skip
    assert len(read_crawl(copy).pages) == 150


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_the_sample_never_takes_away_what_is_no_crawl(
    run_tplcrawl: Launcher, tmp_path: Path, kind: str
) -> None:
    mine = tmp_path / "mine"
    if kind == "folder":
        mine.mkdir()
        (mine / "diary.txt").write_text("dear diary")
    else:
        mine.write_text("dear diary")
    done = run_tplcrawl("sample", "-o", str(mine))
    assert done.returncode == 1
    assert (
        done.stderr == f"tplcrawl: {mine} is no crawl of the sample site; it is not overwritten\n"
    )
    assert mine.is_file() or (mine / "diary.txt").exists()


def test_a_failed_crawl_of_the_sample_gives_its_code(
    run_tplcrawl: Launcher, tmp_path: Path
) -> None:
    done = run_tplcrawl(
        "sample", "-o", str(tmp_path / "crawl"), "--", "-s", "TPLCRAWL_METHOD=magic"
    )
    assert done.returncode == 2
    assert done.stderr.startswith("tplcrawl: ")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_report_is_what_the_crawl_wrote(
    sample: Crawl, copy: Path, read_crawl: ReadCrawl, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("coverage.json", "report.html"):
        (copy / name).unlink()
    (copy / "pages.jsonl").write_text("changed")
    (copy / "samples" / "t999").mkdir()
    assert main(["report", str(copy)]) == 0
    assert read_crawl(copy).files(*BYTES) == sample.files(*BYTES)
    out, err = capsys.readouterr()
    assert err == ""
    for template in sample.json("templates.json")["templates"][:25]:
        assert re.search(rf"^{template['id']} ", out, re.MULTILINE)
    assert f"{copy}/report.html" in out


def test_json_is_all_that_is_printed(
    sample: Crawl, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(copy), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == sample.coverage
    assert out.count("\n") == 1


def test_reports_are_written_from_what_a_killed_crawl_left(
    sample: Crawl, copy: Path, read_crawl: ReadCrawl
) -> None:
    """Only the database is needed."""
    for path in copy.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "crawl.db":
            path.unlink()
    assert main(["report", str(copy)]) == 0
    found = read_crawl(copy)
    assert found.files("pages.jsonl", "samples") == sample.files("pages.jsonl", "samples")


def test_a_crawl_that_runs_is_reported_as_running(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another process writes on; what it writes while the report is made must not confuse it."""
    with Store(copy) as store:
        assert main(["report", str(copy), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["stopped"] == "running"
        assert any("will be next" in one["text"] for one in told["findings"])
        store.set_meta("names", {})
    assert main(["report", str(copy), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stopped"] == "max-pages"


@pytest.mark.parametrize("kind", ["nothing", "an empty folder", "a file", "no database"])
def test_what_is_no_crawl_has_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    folder = tmp_path / "crawl"
    if kind == "a file":
        folder.write_text("text")
    elif kind != "nothing":
        folder.mkdir()
    if kind == "no database":
        (folder / "crawl.db").write_text("this is no database\n" * 500)
    before = sorted(tmp_path.rglob("*"))
    assert main(["report", str(folder)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(rf"tplcrawl: [^\n]*{folder}[^\n]*\n", err)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_report_that_cannot_be_written_is_told_in_one_line(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copy / "coverage.json").unlink()
    (copy / "coverage.json").mkdir()
    assert main(["report", str(copy)]) == 1
    _, err = capsys.readouterr()
    assert re.fullmatch(r"tplcrawl: cannot write [^\n]*coverage\.json[^\n]*\n", err)
    assert not list(copy.rglob("*.part"))


def test_a_reader_that_has_had_enough_is_no_error(run_tplcrawl: Launcher, copy: Path) -> None:
    with run_tplcrawl.start("report", str(copy), "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0
