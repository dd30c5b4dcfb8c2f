"""Results that a disk has no room for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tplcrawl.batch.warc_records import response_record
from tplcrawl.evaluation.sample.site import SampleSite, Sizes

SITE = SampleSite(Sizes(categories=2, products=30, posts=20, threads=15, boards=2, users=10))
SIZES = (40, 120, 300, 700)
"""Kilobytes: too few for the database, for the parts, for the templates, for the report."""
MOUNTS = """
cd "$1"
for size in $3; do
  mount -t tmpfs -o size=${size}k tmpfs disk || exit 99
  "$2" -m tplcrawl cluster a.warc.gz -o disk/out $4 >/dev/null
  echo "$size $? $(ls -A disk)"
  umount disk
done
"""


@pytest.mark.parametrize("how", ["", "--jobs 2", "--method lzw", "--save-html none"])
def test_a_disk_without_room_is_told_in_one_line_and_nothing_is_left_of_the_result(
    tmp_path: Path, how: str
) -> None:
    """Catches what is said when a database is closed in the place of why it had to be."""
    html = [(b"Content-Type", b"text/html; charset=utf-8")]
    (tmp_path / "a.warc.gz").write_bytes(
        b"".join(
            response_record(f"http://a.com{path}", 200, html, str(SITE.html(path)).encode())
            for path in SITE.pages
        )
    )
    (tmp_path / "disk").mkdir()
    sizes = " ".join(map(str, SIZES))
    script = ["sh", "-c", MOUNTS, "sh", str(tmp_path), sys.executable, sizes, how]
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", *script],
        capture_output=True, encoding="utf-8", timeout=300, check=False,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("mounts are not allowed here")
    told = [line.split() for line in done.stdout.splitlines()]
    assert [int(words[0]) for words in told] == list(SIZES)
    failed = [words for words in told if words[1] != "0"]
    assert failed
    assert all(words[1:] == ["1"] for words in failed)
    lines = done.stderr.splitlines()
    assert len(lines) == len(failed), done.stderr
    for line in lines:
        assert line.startswith("tplcrawl: cannot ")
        assert "disk/out" in line
        assert any(word in line for word in ("full", "room", "space", "disk I/O"))
