from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.glances import glance
from tplcrawl.batch.spans import cut_warc
from tplcrawl.batch.volumes import volumes_of
from tplcrawl.batch.warc import read_warc, survey_warc

SPELLINGS = st.lists(st.booleans(), min_size=14, max_size=14)
"""Which letters of a name are turned from small to large or back."""


def spelled(name: bytes, turned: list[bool]) -> bytes:
    letters = zip(name.decode(), cycle(turned), strict=False)
    return "".join(c.swapcase() if turn else c for c, turn in letters).encode()


def record(number: int, turned: list[bool], end: bytes = b"\r\n", body: bytes = b"") -> bytes:
    """A page whose head's names are spelled in some way."""
    page = body or b"<p>WARC-Type: x\n\nContent-length: %d</p>" % number * (1 + number * 300)
    content = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    told = {
        b"WARC-Type": b"response",
        b"WARC-Record-ID": b"<urn:uuid:00000000-0000-4000-8000-%012d>" % number,
        b"WARC-Target-URI": b"http://a.com/%d" % number,
        b"Content-Type": b"application/http",
        b"Content-Length": b"%d" % len(content),
    }
    lines = [b"WARC/1.0", *(spelled(n, turned) + b": " + value for n, value in told.items())]
    return end.join([*lines, b"", b""]) + content + b"\r\n\r\n"


def packed(raw: bytes, pack: bool) -> bytes:
    return gzip.compress(raw) if pack else raw


def found(path: Path) -> tuple[list[tuple[str, bytes]], dict[str, int]]:
    losses = Losses()
    return [(one.url, one.body) for one in read_warc(path, losses)], dict(losses.counts)


def in_parts(path: Path) -> Iterator[str]:
    """The URLs of an archive's pages, as several processes would read them."""
    (volume,) = volumes_of(path)
    for part in survey_warc(volume, 2, lambda url: None):
        yield from (one.url for one in part.documents(Losses()))


@settings(deadline=None, max_examples=60)
@given(st.lists(SPELLINGS, min_size=1, max_size=6), st.booleans(), st.booleans())
def test_names_of_headers_count_in_any_case(
    spellings: list[list[bool]], pack: bool, lf: bool
) -> None:
    """Catches names that are known in one spelling only, and a record that is read twice or not at
    all where such a one stands beside others."""
    end = b"\n" if lf else b"\r\n"
    plain = [False] * 14
    with TemporaryDirectory() as folder:
        path, usual = Path(folder, "a.warc"), Path(folder, "b.warc")
        for file, how in ((path, spellings), (usual, [plain] * len(spellings))):
            file.write_bytes(
                b"".join(packed(record(n, turned, end), pack) for n, turned in enumerate(how))
            )
        pages, losses = found(path)
        assert (pages, losses) == found(usual)
        assert len(pages) == len(spellings)
        assert not losses
        assert list(in_parts(path)) == [url for url, _ in pages]


@pytest.mark.parametrize("pack", [True, False])
def test_a_part_that_begins_among_such_records_is_skimmed_as_a_whole_archive_is(
    tmp_path: Path, pack: bool
) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(packed(record(n, [True] * 14), pack) for n in range(8)))
    seen = []
    for span in cut_warc(path, path.stat().st_size // 3):
        losses = Losses()
        seen += [one.url for one in span.read(glance, losses)]
        assert not losses.counts
    assert seen == [f"http://a.com/{n}" for n in range(8)]


@pytest.mark.parametrize("pack", [True, False])
def test_a_damaged_record_with_such_a_head_is_told_and_hides_no_other(
    tmp_path: Path, pack: bool
) -> None:
    """Catches believing a length behind which no record ends."""
    path = tmp_path / "a.warc"
    records = [packed(record(n, [True] * 14), pack) for n in range(3)]
    records[1] = records[1][: len(records[1]) // 2]
    path.write_bytes(b"".join(records))
    pages, losses = found(path)
    assert [url for url, _ in pages] == ["http://a.com/0", "http://a.com/2"]
    assert losses == {"damaged place of an archive": 1, "byte of damaged places": len(records[1])}


def test_a_record_that_has_no_content_is_no_such_one(tmp_path: Path) -> None:
    """Catches reading again and again what is understood."""
    path = tmp_path / "a.warc"
    empty = record(1, [False] * 14).partition(b"Content-Length")[0].replace(b"response", b"request")
    path.write_bytes(
        record(0, [False] * 14) + empty + b"Content-Length: 0\r\n\r\n\r\n\r\n"
        + record(2, [False] * 14)
    )  # fmt: skip
    pages, losses = found(path)
    assert [url for url, _ in pages] == ["http://a.com/0", "http://a.com/2"]
    assert not losses
