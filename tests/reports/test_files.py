from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tplcrawl.errors import JobError
from tplcrawl.reports.files import whole_file, write_json, write_lines


class Boom(Exception):
    pass


def write_and_raise(path: Path, error: BaseException | type[BaseException]) -> None:
    with whole_file(path) as file:
        file.write(b"new" * 100_000)
        raise error


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("error", [Boom, KeyboardInterrupt, GeneratorExit])
def test_an_error_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "report.html"
    for old in (None, b"old"):
        if old is not None:
            path.write_bytes(old)
        with pytest.raises(error):
            write_and_raise(path, error)
        assert listing(tmp_path) == ([] if old is None else ["report.html"])
    assert path.read_bytes() == b"old"


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(b"old")
    with whole_file(path) as file:
        file.write(b"new" * 100_000)
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new" * 100_000
    assert listing(tmp_path) == ["report.html"]


def test_what_a_killed_run_left_aside_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / ".report.html.part").write_bytes(b"torn" * 1000)
    with whole_file(tmp_path / "report.html") as file:
        file.write(b"new")
    assert (tmp_path / "report.html").read_bytes() == b"new"
    assert listing(tmp_path) == ["report.html"]


def test_folders_are_made(tmp_path: Path) -> None:
    with whole_file(tmp_path / "a" / "b" / "c.txt"):
        pass
    assert listing(tmp_path) == ["a", "a/b", "a/b/c.txt"]


def test_an_error_of_the_disk_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(b"old")
    with pytest.raises(JobError, match=r"cannot write .*report\.html: No space left"):
        write_and_raise(path, OSError(28, "No space left on device"))
    assert path.read_bytes() == b"old"
    assert listing(tmp_path) == ["report.html"]


@pytest.mark.parametrize("path", ["file/report.html", "file/below/report.html", "folder"])
def test_what_is_in_the_way_is_told_in_one_line(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    with pytest.raises(JobError, match="cannot write"), whole_file(tmp_path / path):
        pass
    assert listing(tmp_path) == ["file", "folder"]


TEXTS = st.text(st.characters(exclude_categories=()), max_size=8)
ROWS = st.lists(st.dictionaries(TEXTS, TEXTS | st.none() | st.integers(), max_size=3), max_size=5)


@settings(deadline=None, max_examples=60)
@given(ROWS)
@example([{"name": "lone \ud800", "\udfff": 1}])
def test_each_row_is_one_line_of_json_in_utf_8(rows: list[dict[str, str | int | None]]) -> None:
    """Lone surrogates, which no UTF-8 can hold, become question marks."""

    def legal(text: str) -> str:
        return text.encode("utf-8", "replace").decode()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.jsonl"
        write_lines(path, iter(rows))
        lines = path.read_bytes().split(b"\n")
        assert lines.pop() == b""
        assert len(lines) == len(rows)
        write_json(path, rows)
        read = [json.loads(line.decode()) for line in lines]
        assert json.loads(path.read_bytes().decode()) == read
    for row, found in zip(rows, read, strict=True):
        values = {
            legal(name): legal(value) if isinstance(value, str) else value
            for name, value in row.items()
        }
        assert found == values
