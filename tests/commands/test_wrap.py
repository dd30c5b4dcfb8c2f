from __future__ import annotations

import csv
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from tplcrawl.commands import main


def page(number: int) -> str:
    rows = "".join(f"<tr><th>{key}</th><td>{key} {number}</td></tr>" for key in ("Size", "Color"))
    return (
        f"<html><head><title>Thing {number}</title></head><body><h1>Thing {number}</h1>"
        f"<b class=price>${number}.00</b><b class=note>=1+{number}</b>"
        f"<table>{rows}</table></body></html>"
    )


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory, run_tplcrawl: Any) -> Path:
    """A clustered folder of pages, with wrappers."""
    base = tmp_path_factory.mktemp("wrap")
    (base / "shop").mkdir()
    for number in range(30):
        (base / "shop" / f"{number:02d}.html").write_text(page(number))
    folder = base / "out"
    assert run_tplcrawl("cluster", str(base / "shop"), "-o", str(folder)).returncode == 0
    done = run_tplcrawl("wrap", str(folder), "--json")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert json.loads(line) == json.loads((folder / "wrappers" / "t1.json").read_text())
    return folder


def test_every_page_has_a_record(crawl: Path, run_tplcrawl: Any) -> None:
    done = run_tplcrawl("extract", str(crawl), "--json")
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == 30
    for line in told:
        number = int(line["page"][-7:-5])
        assert line["template"] == "t1"
        assert line["record"]["size"] == f"Size {number}"
        assert line["record"]["price"] == f"${number}.00"
        assert line["typed"]["price"] == {"amount": float(number), "currency": "USD"}


@pytest.mark.parametrize("flag_first", [False, True])
def test_files_and_urls_are_extracted(
    crawl: Path, run_tplcrawl: Any, tmp_path: Path, flag_first: bool
) -> None:
    new = tmp_path / "new.html"
    new.write_text(page(77))
    words = ["http://shop/03.html", str(new)]
    words = ["--json", *words] if flag_first else [*words, "--json"]
    done = run_tplcrawl("extract", str(crawl), *words)
    assert done.returncode == 0, done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["page"] == "http://shop/03.html"
    assert first["record"]["color"] == "Color 3"
    assert second["page"] == str(new)
    assert second["record"]["color"] == "Color 77"


def test_a_stranger_is_reported(crawl: Path, run_tplcrawl: Any, tmp_path: Path) -> None:
    other = tmp_path / "other.html"
    other.write_text("<html><body><form><input></form></body></html>")
    done = run_tplcrawl("extract", str(crawl), str(other), "--json")
    told = json.loads(done.stdout)
    assert told["record"] is None
    assert told["problem"]


@pytest.mark.parametrize("format_", ["jsonl", "csv", "parquet"])
def test_records_as_files(crawl: Path, run_tplcrawl: Any, tmp_path: Path, format_: str) -> None:
    done = run_tplcrawl("extract", str(crawl), "--format", format_, "-o", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    path = tmp_path / "out" / f"t1.{format_}"
    if format_ == "jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        assert rows[4]["record"]["price"] == "$4.00"
        assert rows[4]["typed"]["price"]["amount"] == 4.0
    elif format_ == "csv":
        with path.open(newline="") as file:
            table = list(csv.DictReader(file))
        assert table[4]["price"] == "$4.00"
        assert float(table[4]["price.amount"]) == 4.0
        assert all(not cell.startswith("=") for row in table for cell in row.values())
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        columns = parquet.read_table(path).to_pydict()
        assert columns["price.amount"][4] == 4.0
        assert len(columns["url"]) == 30


def test_extract_wraps_by_itself(crawl: Path, run_tplcrawl: Any, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    run_tplcrawl("cluster", str(crawl), "-o", str(folder))
    done = run_tplcrawl("extract", str(folder))
    assert done.returncode == 0, done.stderr
    assert (folder / "wrappers" / "t1.json").is_file()
    assert (folder / "records" / "t1.jsonl").is_file()


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory, run_tplcrawl: Any) -> Path:
    """The same pages, of which one field has moved."""
    base = tmp_path_factory.mktemp("later")
    (base / "shop").mkdir()
    for number in range(30):
        text = (
            page(number).replace("<b class=price>", "<i class=price>").replace("</b><b", "</i><b")
        )
        (base / "shop" / f"{number:02d}.html").write_text(text)
    run_tplcrawl("cluster", str(base / "shop"), "-o", str(base / "now"))
    return base / "now"


def is_moved(broken: Any) -> None:
    assert broken["name"] == "price"
    assert "/i[" in broken["proposed"]
    assert broken["examples"]


def test_check_tells_what_broke(crawl: Path, later: Path, run_tplcrawl: Any) -> None:
    same = run_tplcrawl("check", str(crawl), str(crawl), "--json")
    assert json.loads(same.stdout)["broken"] == []
    done = run_tplcrawl("check", str(crawl / "wrappers"), str(later), "--json")
    (broken,) = json.loads(done.stdout)["broken"]
    is_moved(broken)


def test_diff_tells_what_broke(crawl: Path, later: Path, run_tplcrawl: Any, tmp_path: Path) -> None:
    html = tmp_path / "diff.html"
    done = run_tplcrawl("diff", str(crawl), str(later), "--json", "-o", str(html))
    told = json.loads(done.stdout)
    ((broken,),) = (one["broken"] for one in told["wrappers"])
    is_moved(broken)
    assert told["counts"]["broke"] == 1
    assert "Fields that broke" in html.read_text()
    alarm = run_tplcrawl("diff", str(crawl), str(later), "--fail-on", "broke")
    assert alarm.returncode == 1
    assert "price" in alarm.stdout
    assert "broke" in alarm.stderr


def test_diff_learns_the_old_wrappers_if_only_the_later_crawl_has_some(
    crawl: Path, later: Path, run_tplcrawl: Any
) -> None:
    """As when wrappers are first made after a redesign."""
    without = run_tplcrawl("diff", str(later), str(later), "--json")
    assert json.loads(without.stdout)["wrappers"] == []
    done = run_tplcrawl("diff", str(later), str(crawl), "--json")
    ((broken,),) = (one["broken"] for one in json.loads(done.stdout)["wrappers"])
    assert broken["name"] == "price"
    assert not (later / "wrappers").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["wrap", "{crawl}", "--template", "t99"], 2, "no template t99"),
        (["extract", "{crawl}", "--template", "t99"], 2, "no wrapper of t99"),
        (["wrap", "{empty}"], 1, ""),
        (["extract", "{crawl}", "http://shop/none.html"], 1, "no page of the crawl"),
        (["extract", "{crawl}", "nothing.html"], 1, "cannot read"),
        (["check", "{empty}", "{crawl}"], 1, "no wrappers"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    crawl: Path, run_tplcrawl: Any, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    given = [word.format(crawl=crawl, empty=tmp_path) for word in words]
    done = run_tplcrawl(*given)
    assert done.returncode == code
    assert done.stdout == ""
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_html_was_kept(crawl: Path, run_tplcrawl: Any, tmp_path: Path) -> None:
    folder = tmp_path / "none"
    source = crawl.parent / "shop"
    run_tplcrawl("cluster", str(source), "-o", str(folder), "--save-html", "none")
    done = run_tplcrawl("wrap", str(folder))
    assert done.returncode == 1
    assert "TPLCRAWL_SAVE_HTML" in done.stderr


@pytest.mark.parametrize(
    "name", ["http://[bad", "http://a.com:99999/", "caf\udce9.html", "nothing", "x" * 5000, ""]
)
@pytest.mark.parametrize("command", ["extract", "similar", "classify"])
def test_a_page_that_cannot_be_read_is_told_in_one_line(
    crawl: Path, capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    """Catches taking for a URL what is none, and a traceback about its parts."""
    assert main([command, str(crawl), name]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "Errno" not in err


@pytest.mark.parametrize("command", ["extract", "similar", "classify"])
def test_a_file_may_have_any_name(
    crawl: Path, tmp_path: Path, run_tplcrawl: Any, command: str
) -> None:
    """Catches looking for a name that is not UTF-8 among the URLs of the crawl."""
    file = tmp_path / "caf\udce9.html"
    file.write_text(page(3))
    done = run_tplcrawl(command, str(crawl), str(file), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"{}", b"[1]", b"\xff", b"[" * 100_000, b'{"format": 1, "fields": [["path"]]}'],
    ids=["empty", "null", "no fields", "a list", "no text", "deep", "another field"],
)
@pytest.mark.parametrize("command", ["extract DIR", "check DIR DIR", "diff DIR DIR"])
def test_a_damaged_wrapper_is_told_in_one_line(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, content: bytes
) -> None:
    folder = tmp_path / "crawl"
    shutil.copytree(crawl, folder)
    (folder / "wrappers" / "t1.json").write_bytes(content)
    assert main(command.replace("DIR", str(folder)).split()) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "t1.json" in err


def test_a_wrapper_with_anything_in_the_place_of_a_part_is_told_or_used(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches a traceback about a value that is none of its kind."""
    folder = tmp_path / "crawl"
    shutil.copytree(crawl, folder)
    file = folder / "wrappers" / "t1.json"
    told = json.loads(file.read_text())

    def changed(one: Any) -> Any:
        if isinstance(one, dict):
            return {
                key: draw.choice([None, 1, "x", [], {}, ["a"], "//*["])
                if draw.random() < 0.03
                else changed(value)
                for key, value in one.items()
            }
        return [changed(value) for value in one] if isinstance(one, list) else one

    (tmp_path / "page.html").write_text(page(3))
    for seed in range(150):
        draw = random.Random(seed)
        file.write_text(json.dumps(changed(told)))
        code = main(["extract", str(folder), str(tmp_path / "page.html"), "--json"])
        out, err = capsys.readouterr()
        assert (code, len(out.splitlines()), len(err.splitlines())) in {(0, 1, 0), (1, 0, 1)}
