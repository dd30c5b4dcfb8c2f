from __future__ import annotations

import json
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from tplcrawl.commands import main
from tplcrawl.evaluation.archives import write_archive


def test_an_archive_is_one_that_others_read_too(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    pages = write_archive(path, 30)
    with path.open("rb") as file:
        bodies = [
            record.content_stream().read() for record in ArchiveIterator(file, check_digests=True)
        ]
    assert len(bodies) == pages >= 30
    assert all(body.startswith(b"<!") for body in bodies)


def test_every_step_sees_every_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    pages = write_archive(path, 20)
    assert main(["bench", "archive", str(path), "--jobs", "2", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["what"] for row in rows] == [
        "fastwarc alone", "read", "read and parse", "survey",
        "lzw clusters, 1 job", "lzw clusters, 2 jobs", "profiles, 1 job", "profiles, 2 jobs",
        "hybrid clusters, 1 job", "hybrid clusters, 2 jobs",
    ]  # fmt: skip
    assert {row["pages"] for row in rows} == {pages}
    bare, read, parsed, *_, last = rows
    assert bare["of_reading"] == 1
    assert last["of_reading"] == pytest.approx(bare["cpu_s"] / last["cpu_s"], abs=0.1)
    parse = parsed["cpu_s"] - read["cpu_s"]
    assert last["of_parsing"] == pytest.approx(max(parse, 0) / last["cpu_s"], abs=0.1)
    assert main(["bench", "archive", "--pages", "10", "--jobs", "1"]) == 0
    assert "read and parse" in capsys.readouterr().out


def test_wrong_numbers_are_wrong_usage() -> None:
    assert main(["bench", "archive", "--jobs", "0"]) == 2
