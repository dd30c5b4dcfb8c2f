"""Pages in WARC archives (ISO 28500), compressed or not."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from tplcrawl.batch.documents import Document, Losses, encoding_of
from tplcrawl.batch.volumes import Volume, volumes_of
from tplcrawl.errors import InputError

_HTML = ("text/html", "application/xhtml+xml")
_LARGEST = 64 * 1024 * 1024
_GZIP = b"\x1f\x8b"
_BEGINNINGS = (_GZIP, b"WARC/", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")
"""Of records that are compressed each by itself (gzip, Zstandard, LZ4), or not."""
_ANSWERS = ("response", "resource")
_STATUS = re.compile("[0-9]{1,9}").fullmatch
_HEAD = 16 * 1024
"""Bytes of a record that surely hold its HTTP headers."""


@dataclass(frozen=True, slots=True)
class WarcRange:
    """Some records of an archive: all that a worker is told of them."""

    volume: Volume
    start: int
    """Where the first one begins."""
    records: int

    def documents(self, losses: Losses) -> Iterator[Document]:
        """The pages of HTML among them."""
        try:
            with self.volume.open() as file:
                file.seek(self.start)
                for record in islice(records_of(file, self.volume.path), self.records):
                    document = document_of(record, losses)
                    if document is not None:
                        yield document
        except (OSError, ValueError):
            losses.add("broken archive")


def read_warc(path: Path, losses: Losses) -> Iterator[Document]:
    """Every answered page of HTML in *path*, in order. A record that ends before its stated length
    is counted, and a truncated or broken archive is read as far as it goes."""
    for volume in volumes_of(path):
        for record in _all_records(volume, losses):
            document = document_of(record, losses)
            if document is not None:
                yield document


def survey_warc(
    volume: Volume, losses: Losses, size: int, see: Callable[[str], object]
) -> Iterator[WarcRange]:
    """The ranges of *size* records that *volume* falls into; one, where records cannot be found by
    their offsets. *see* is told the URL of each page."""
    count, starts = 0, list[int]()
    for record in _all_records(volume, losses):
        if count % size == 0:
            starts.append(record.stream_pos)
        count += 1
        if record.headers.get("WARC-Type") in _ANSWERS:
            message = _message(record, record.reader.read(_HEAD))
            if message is not None:
                see(message.url)
    if not all(_begins(volume.path, start) for start in starts):
        starts, size = starts[:1], count
    for number, start in enumerate(starts):
        yield WarcRange(volume, start, min(size, count - number * size))


def _begins(path: Path, start: int) -> bool:
    """Whether a record, or a compressed one, begins at *start*."""
    with path.open("rb") as file:
        file.seek(start)
        return file.read(8).startswith(_BEGINNINGS)


def _all_records(volume: Volume, losses: Losses) -> Iterator[Any]:
    last: tuple[int, int] | None = None
    try:
        with volume.open() as file:
            for record in records_of(file, volume.path):
                last = record.stream_pos, record.content_length
                yield record
            tail_of(file, last, losses)
    except (OSError, ValueError) as error:
        if last is None:
            raise unreadable(volume.path, error) from None
        losses.add("broken archive")


def records_of(file: IO[bytes], path: Path) -> Iterator[Any]:
    """The records of an archive, from where *file* stands."""
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError:
        raise InputError(f"reading {path} needs: pip install 'tplcrawl[warc]'") from None
    # Payloads are decoded here: fastwarc ends in silence after some that it decoded.
    yield from ArchiveIterator(file, parse_http=False)


def tail_of(file: IO[bytes], last: tuple[int, int] | None, losses: Losses) -> None:
    """Count it if *file* broke off in its *last* record, of which begin and length are known."""
    if last is not None and _broke_off(file, *last):
        losses.add("truncated archive")


def _broke_off(file: IO[bytes], start: int, length: int) -> bool:
    """Whether anything but one whole record stands from *start*, where the last one begins: readers
    end in silence there."""
    file.seek(start)
    rest = file.read(len(_GZIP))
    compressed = rest == _GZIP
    unpack = zlib.decompressobj(31)
    content, size = b"", 0
    while block := rest:
        if compressed:
            block = unpack.decompress(rest)
        content += block if len(content) < 65536 else b""
        size += len(block)
        if compressed and unpack.eof:
            break
        rest = file.read(1 << 20)
    after = bool(unpack.unused_data or file.read(1))
    head = content.find(b"\r\n\r\n") + 4
    if compressed:
        return after or not unpack.eof or size < head + length
    return size != head + length + 4


@dataclass(frozen=True, slots=True)
class _Message:
    """An answered page of HTML, as it was sent."""

    url: str
    status: int
    headers: dict[str, str]
    content_type: str | None
    body: bytes


def document_of(record: Any, losses: Losses) -> Document | None:
    if record.headers.get("WARC-Type") not in _ANSWERS:
        return None
    raw = record.reader.read(_LARGEST + 1)
    if len(raw) < min(record.content_length, _LARGEST + 1) or record.headers.get("WARC-Truncated"):
        cut = "truncated record"
    else:
        cut = "record cut to 64 MiB" if len(raw) > _LARGEST else ""
    message = _message(record, raw[:_LARGEST])
    if message is None:
        return None
    decoded = _decoded(message.body, message.headers)
    if decoded is None:
        losses.add("broken record")
        return None
    if cut:
        losses.add(cut)
    encoding = encoding_of(decoded, message.content_type)
    return Document(message.url, decoded, encoding, message.status)


def _message(record: Any, raw: bytes) -> _Message | None:
    """What *record* holds, from its beginning; ``None`` if that is no answered page of HTML."""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    headers: dict[str, str] = {}
    status, body = 200, raw
    if record.is_http:
        head, _, body = body.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        code = first.split(" ", 2)[1:2]
        status = int(code[0]) if code and _STATUS(code[0]) else 200
        for name, colon, value in (line.partition(":") for line in lines):
            if colon:
                headers.setdefault(name.strip().lower(), value.strip())
    told = headers.get("content-type") or (
        None if record.is_http else record.headers.get("Content-Type")
    )
    if not url.startswith(("http://", "https://")) or not 200 <= status < 300:
        return None
    if (told or "").partition(";")[0].strip().lower() not in _HTML:
        return None
    return _Message(url, status, headers, told, body)


def _decoded(body: bytes, headers: dict[str, str]) -> bytes | None:
    """A payload as its headers say; as it is where it was decoded before it was archived."""
    try:
        if "chunked" in headers.get("transfer-encoding", "").lower():
            body = _unchunked(body)
        for coding in reversed(headers.get("content-encoding", "").lower().split(",")):
            body = _unpacked(body, coding.strip())
    except (ValueError, zlib.error, OSError):
        return body if body.lstrip()[:1] == b"<" else None
    return body


def _unchunked(body: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while True:
        line, end, _ = body[at : at + 64].partition(b"\r\n")
        size = int(line.partition(b";")[0], 16)
        if size < 0:
            raise ValueError(size)  # it would lead back, and round for ever
        if not size or not end:
            return b"".join(parts)
        at += len(line) + 2
        parts.append(body[at : at + size])
        at += size + 2


def _unpacked(body: bytes, coding: str) -> bytes:
    if coding in ("gzip", "x-gzip"):
        return zlib.decompressobj(31).decompress(body, _LARGEST)
    if coding == "deflate":
        try:
            return zlib.decompressobj(15).decompress(body, _LARGEST)
        except zlib.error:
            return zlib.decompressobj(-15).decompress(body, _LARGEST)
    if coding in ("br", "zstd"):
        from io import BytesIO

        from fastwarc.stream_io import BrotliReader, ZstdReader

        return bytes((BrotliReader if coding == "br" else ZstdReader)(BytesIO(body)).read(_LARGEST))
    if coding in ("", "identity"):
        return body
    raise ValueError(coding)


def unreadable(path: Path, error: Exception) -> InputError:
    """What to tell of an archive of which not even the first record can be read."""
    line = str(error).partition("\n")[0] or type(error).__name__
    return InputError(f"cannot read {path}: {line}")
