"""Archives that are damaged in the middle."""

from __future__ import annotations

import gzip
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.batch import parts as partition
from tplcrawl.batch import skim as skimming
from tplcrawl.batch.documents import Losses
from tplcrawl.batch.parts import survey
from tplcrawl.batch.skim import plan_of, skim
from tplcrawl.batch.warc import read_warc
from tplcrawl.batch.workers import profile_parts
from tplcrawl.errors import InputError
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.batch.conftest import Archive

MakeArchive = Callable[..., "Archive"]
MakePage = Callable[..., bytes]
PLACES, BYTES = "damaged place of an archive", "byte of damaged places"


def urls_of(path: Path) -> tuple[list[int], Losses]:
    losses = Losses()
    found = [int(one.url.rpartition("/")[2]) for one in read_warc(path, losses)]
    return found, losses


@pytest.fixture(params=[True, False], ids=["compressed", "plain"])
def forty(
    request: pytest.FixtureRequest, archive: MakeArchive, page: MakePage, tmp_path: Path
) -> Archive:
    made = archive(tmp_path / "forty.warc", gzip=request.param)
    for n in range(40):
        # Some are longer than what is read of a page at first.
        text = " ".join(str(n * k * 7919 % 99_991) for k in range(9_000 if n % 8 == 3 else 50))
        made.add(f"http://a.com/{n}", page("/x", text=text))
    return made


def flipped(content: bytes, at: int, count: int = 3) -> bytes:
    middle = bytes(byte ^ 0xFF for byte in content[at : at + count])
    return content[:at] + middle + content[at + count :]


def begin(made: Archive, number: int) -> int:
    return made.ends[number - 1] if number else 0


@pytest.mark.parametrize("number", [0, 7, 11, 38])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.6, 0.99])
def test_one_damaged_place_hides_no_other_record(forty: Archive, number: int, share: float) -> None:
    """Catches a reader that ends at the first damage, in the head, the body or the tail of a
    record, and one that loses the record before or behind."""
    at = begin(forty, number) + int(share * (forty.ends[number] - begin(forty, number)))
    found, losses = urls_of(forty.write(flipped(forty.content, at)))
    wanted = list(range(40))
    assert [n for n in wanted if n not in found] in ([], [number])
    assert found == sorted(set(found))
    # In the head of a member may stand a time, and in a plain record any text.
    if number not in found or (share >= 0.3 and forty.content.startswith(b"\x1f\x8b")):
        assert losses.counts.total() > 0


def test_what_was_lost_is_counted_by_places_and_bytes(
    archive: MakeArchive, page: MakePage, tmp_path: Path
) -> None:
    made = archive(tmp_path / "a.warc.gz")
    for n in range(20):
        made.add(f"http://a.com/{n}", page(text=str(n) * 50))
    content = made.content
    for number in (4, 5, 12):
        content = flipped(content, made.ends[number - 1] + 40)
    found, losses = urls_of(made.write(content))
    assert found == [n for n in range(20) if n not in (4, 5, 12)]
    lost = made.ends[5] - made.ends[3] + made.ends[12] - made.ends[11]
    assert losses.counts == {PLACES: 2, BYTES: lost}


@pytest.mark.parametrize(
    "junk", [bytes(500), b"\x1f\x8b\x08\x00" * 40, gzip.compress(b"text", mtime=0)]
)
def test_what_does_not_belong_there_is_passed_over(forty: Archive, junk: bytes) -> None:
    at = forty.ends[9]
    found, losses = urls_of(forty.write(forty.content[:at] + junk + forty.content[at:]))
    assert found == list(range(40))
    assert losses.counts == {PLACES: 1, BYTES: len(junk)}


def test_empty_members_lose_nothing(archive: MakeArchive, page: MakePage, tmp_path: Path) -> None:
    """Some who compress write one at the end. Catches taking it for damage, or for the end."""
    made = archive(tmp_path / "a.warc.gz")
    for n in range(4):
        made.add(f"http://a.com/{n}", page())
    empty, at = gzip.compress(b""), made.ends[1]
    found, losses = urls_of(made.write(made.content[:at] + empty + made.content[at:] + empty))
    assert (found, losses.counts) == ([0, 1, 2, 3], {})


@pytest.mark.parametrize("told", [b"0", b"banana", b"-5", b"9" * 18, b"99"])
def test_a_wrong_length_hides_no_other_record(forty: Archive, told: bytes) -> None:
    """Catches a record that swallows all that stands behind it, uncounted."""
    start, end = begin(forty, 7), forty.ends[7]
    packed = forty.content.startswith(b"\x1f\x8b")
    record = gzip.decompress(forty.content[start:end]) if packed else forty.content[start:end]
    head, rest = record.split(b"\r\n\r\n", 1)
    lines = [
        b"Content-Length: " + told if line.startswith(b"Content-Length") else line
        for line in head.split(b"\r\n")
    ]
    wrong = b"\r\n".join(lines) + b"\r\n\r\n" + rest
    if packed:
        wrong = gzip.compress(wrong)
    found, losses = urls_of(forty.write(forty.content[:start] + wrong + forty.content[end:]))
    assert [n for n in range(40) if n not in found] in ([], [7])
    assert losses.counts[PLACES] == 1


def test_a_record_that_no_longer_says_of_what_type_it_is_is_told(forty: Archive) -> None:
    """Catches a page that is left out uncounted, since only its type told that it is one."""
    start, end = begin(forty, 7), forty.ends[7]
    packed = forty.content.startswith(b"\x1f\x8b")
    record = gzip.decompress(forty.content[start:end]) if packed else forty.content[start:end]
    record = record.replace(b"WARC-Type", b"WARC\0Type", 1)
    wrong = gzip.compress(record) if packed else record
    found, losses = urls_of(forty.write(forty.content[:start] + wrong + forty.content[end:]))
    assert found == [n for n in range(40) if n != 7]
    assert losses.counts == {PLACES: 1, BYTES: len(wrong)}


def with_lf(record: bytes) -> bytes:
    """The record, with LF alone behind the lines of its head and behind its content."""
    head, content = record.split(b"\r\n\r\n", 1)
    return head.replace(b"\r\n", b"\n") + b"\n\n" + content.removesuffix(b"\r\n\r\n") + b"\n\n"


def test_heads_whose_lines_end_with_lf_alone_are_read_and_damage_of_them_is_told(
    forty: Archive,
) -> None:
    """Catches taking them for damage, and passing over it in silence where they are read."""
    pack = gzip.compress if forty.content.startswith(b"\x1f\x8b") else bytes
    starts = [begin(forty, n) for n in range(40)]
    own = [forty.content[a:b] for a, b in zip(starts, forty.ends, strict=True)]
    plain = [gzip.decompress(one) if pack is gzip.compress else one for one in own]
    made = [pack(with_lf(one)) for one in plain]
    assert urls_of(forty.write(b"".join(made))) == (list(range(40)), Losses())
    for number in (0, 7, 38):
        wrong = [*made]
        wrong[number] = pack(with_lf(plain[number]).replace(b"WARC/1", b"WARX/1"))
        found, losses = urls_of(forty.write(b"".join(wrong)))
        assert found == [n for n in range(40) if n != number]
        assert losses.counts == {PLACES: 1, BYTES: len(wrong[number])}


@pytest.mark.parametrize("size", [6, 8, 16])
def test_an_archive_of_which_next_to_nothing_is_there_is_told(forty: Archive, size: int) -> None:
    """Catches taking what breaks off within its first record's head for an empty archive."""
    path = forty.write(forty.content[:size])
    try:
        found, losses = urls_of(path)
    except InputError:
        return
    assert (found, losses.counts) == ([], {"truncated archive": 1})


def test_an_archive_that_breaks_off_behind_damage_says_both(forty: Archive) -> None:
    content = flipped(forty.content, forty.ends[4], 60)[: forty.ends[30] - 20]
    found, losses = urls_of(forty.write(content))
    assert set(range(30)) - set(found) == {5}
    assert losses.counts[PLACES] == 1
    assert losses.counts["truncated archive"] + losses.counts["broken archive"] == 1


def test_parts_and_spans_of_any_size_lose_the_same(
    forty: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches damage at the seam of two parts that both read, or neither, or both count."""
    content = forty.content
    for number in (3, 9, 10, 25):
        content = flipped(content, begin(forty, number) + 30)
    path = forty.write(content)
    wanted, losses = urls_of(path)
    assert set(range(40)) - set(wanted) == {3, 9, 10, 25}
    for size in (1, 2, 5, 1000):
        monkeypatch.setattr(partition, "SIZE", size)
        found = survey([path])
        for jobs in (1, 2) if size == 5 else (1,):
            folder = tmp_path / f"parts{size}-{jobs}"
            counts = profile_parts(folder, found, jobs, save_html=False).counts
            with Store(folder, write=False) as store:
                urls = [url for _, url, _, _ in store.pages.briefs()]
            assert urls == [f"http://a.com/{n}" for n in wanted]
            assert counts == losses.counts
    for size in (150, 700, 10**9):
        monkeypatch.setattr(skimming, "SPAN", size)
        skimmed = skim(tmp_path / f"spans{size}", plan_of([path]), 1)
        assert skimmed.urls == [f"http://a.com/{n}" for n in wanted]
        assert skimmed.losses.counts[BYTES] == losses.counts[BYTES]


def test_an_archive_of_which_nothing_can_be_read_is_told(forty: Archive) -> None:
    content = b"".join(
        bytes(byte ^ 0x55 for byte in forty.content[at : at + 20]) for at in range(0, 2000, 20)
    )
    with pytest.raises(InputError, match=r"forty\.warc"):
        urls_of(forty.write(content))


@pytest.mark.parametrize("first", [True, False], ids=["compressed first", "plain first"])
def test_archives_may_be_put_together_from_compressed_and_plain_ones(
    archive: MakeArchive, page: MakePage, tmp_path: Path, first: bool
) -> None:
    """Catches taking for damage, or for the end, what begins in another way."""
    halves = []
    for number, packed in enumerate((first, not first, first)):
        made = archive(tmp_path / "half", gzip=packed)
        for n in range(4):
            made.add(f"http://a.com/{4 * number + n}", page())
        halves.append(made.content)
    path = tmp_path / "whole.warc"
    path.write_bytes(b"".join(halves))
    assert urls_of(path) == (list(range(12)), Losses())
    skimmed = skim(tmp_path / "spans", plan_of([path]), 1)
    assert (len(skimmed), skimmed.losses.counts) == (12, {})


def test_a_broken_piece_of_a_wacz_hides_no_other(
    archive: MakeArchive, page: MakePage, tmp_path: Path
) -> None:
    made = archive(tmp_path / "a.warc.gz")
    for n in range(4):
        made.add(f"http://a.com/{n}", page())
    path = tmp_path / "a.wacz"
    pieces = {"a.warc.gz": b"no archive" * 99, "b.warc.gz": b"", "c.warc.gz": made.content}
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in pieces.items():
            packed.writestr(f"archive/{name}", content)
    assert urls_of(path) == ([0, 1, 2, 3], Losses(Counter({"broken archive": 1})))
    losses = profile_parts(tmp_path / "parts", survey([path]), 1, save_html=False)
    assert losses.counts == {"broken archive": 1}
    skimmed = skim(tmp_path / "spans", plan_of([path]), 1)
    assert (len(skimmed), skimmed.losses.counts) == (4, {"broken archive": 1})


def test_a_wacz_whose_directory_lies_is_told(
    archive: MakeArchive, page: MakePage, tmp_path: Path
) -> None:
    """Catches taking an archive that is not where it should be for an empty one."""
    made = archive(tmp_path / "a.warc.gz")
    made.add("http://a.com/", page())
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("archive/a.warc.gz", made.content)
    content = bytearray(path.read_bytes())
    offset = content.rfind(b"PK\x01\x02") + 42
    content[offset : offset + 4] = (10**9).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.wacz"):
        urls_of(path)


def test_an_archive_that_is_named_twice_is_counted_twice(
    archive: MakeArchive, page: MakePage, tmp_path: Path
) -> None:
    """Catches taking its first part for one that goes on where the same archive ended."""
    made = archive(tmp_path / "a.warc.gz")
    for n in range(4):
        made.add(f"http://a.com/{n}", page())
    path = made.write()
    skimmed = skim(tmp_path / "spans", plan_of([path, path]), 1)
    assert (len(skimmed), skimmed.losses.counts) == (4, {"URL seen before": 4})


def test_a_page_that_unpacks_to_more_than_is_read_is_counted(
    archive: MakeArchive, tmp_path: Path
) -> None:
    made = archive(tmp_path / "a.warc.gz")
    headers = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
    made.add("http://a.com/1", gzip.compress(b"<html>" + bytes(70 * 1024 * 1024)), headers)
    assert urls_of(made.write()) == ([1], Losses(Counter({"record cut to 64 MiB": 1})))
