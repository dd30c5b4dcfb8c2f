from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tplcrawl.batch.lists import listed
from tplcrawl.errors import InputError


def test_lists_stand_for_what_they_list(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.txt", tmp_path / "warc.paths.gz"
    odd = tmp_path / "é %41.warc.gz"
    plain.write_text(f"one.warc.gz\r\n\n  /data/two words.warc  \n{odd.as_uri()}\n")
    packed.write_bytes(gzip.compress(b"three.warc.gz\n"))
    assert listed([Path("zero.warc"), plain, packed]) == [
        Path("zero.warc"), Path("one.warc.gz"), Path("/data/two words.warc"), odd,
        Path("three.warc.gz"),
    ]  # fmt: skip


def test_a_folder_is_no_list(tmp_path: Path) -> None:
    folder = tmp_path / "pages.txt"
    folder.mkdir()
    assert listed([folder]) == [folder]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"s3://commoncrawl/a.warc.gz\n", "cannot read s3://commoncrawl/a.warc.gz"),
        (b"\n\n", "lists nothing"),
        (b"\xff\xfe", "cannot read the list"),
    ],
)
def test_what_cannot_be_read_is_told(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=told) as error:
        listed([path])
    assert "\n" not in str(error.value)
