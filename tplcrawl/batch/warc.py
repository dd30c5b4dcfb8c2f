"""Pages in WARC archives (ISO 28500), compressed or not."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from tplcrawl.batch.documents import Document, Losses, encoding_of
from tplcrawl.batch.payloads import unpacked
from tplcrawl.batch.volumes import Volume, volumes_of
from tplcrawl.errors import InputError

_HTML = ("text/html", "application/xhtml+xml")
_LARGEST = 64 * 1024 * 1024
_GZIP = b"\x1f\x8b"
_PLAIN, _OTHERS, _MAGIC = b"WARC/", (b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"), 5
_BEGINNINGS = (_GZIP, _PLAIN, *_OTHERS)
"""Of records that are compressed each by itself (gzip, Zstandard, LZ4), or not."""
_ANSWERS = 4 | 8
"""``response`` and ``resource``, as fastwarc numbers the types of records."""
_HEAD, _FURTHER = 16 * 1024, 64 * 1024
"""Bytes of a record that surely hold its HTTP headers, and what is read if these do not do."""
_HEADERS_END = b"\r\n\r\n"
_STATUS = re.compile(rb"[^ \r\n]* (\d{1,9})(?=[ \r\n]|\Z)").match
_FIELDS = re.compile(
    rb"\r\n[ \t]*(content-type|content-encoding|transfer-encoding)[ \t]*:([^\r\n]*)", re.IGNORECASE
).findall
"""All that is looked at of HTTP headers."""


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
                    if (document := document_of(record, losses)) is not None:
                        yield document
        except (OSError, ValueError):
            losses.add("broken archive")


def read_warc(path: Path, losses: Losses) -> Iterator[Document]:
    """Every answered page of HTML in *path*, in order. A record that ends before its stated length
    is counted, and a truncated or broken archive is read as far as it goes."""
    for volume in volumes_of(path):
        for record in _all_records(volume, losses):
            if (document := document_of(record, losses)) is not None:
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
        if (begun := begun_page(record)) is not None:
            see(begun.message.url)
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
    rest = file.read(_MAGIC)
    if not rest.startswith((_GZIP, _PLAIN)):
        return _ends_early(file, length, rest)
    compressed = rest.startswith(_GZIP)
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


def _ends_early(file: IO[bytes], length: int, begin: bytes) -> bool:
    """The same for a last record that is compressed otherwise, as its *begin* tells, or that stands
    in an archive that is compressed as a whole."""
    if begin.startswith(_OTHERS):
        file.seek(-len(begin), os.SEEK_CUR)
        record = next(records_of(file, Path()), None)
        return record is None or len(record.reader.read()) < length
    file.seek(0)
    try:
        with gzip.GzipFile(fileobj=file) as whole:
            while whole.read(1 << 20):
                pass
    except (EOFError, OSError, zlib.error):
        return True
    return False


class Message(NamedTuple):
    """An answered page of HTML, as it was sent."""

    url: str
    status: int
    content_type: str
    transfer: str
    """Its transfer encoding, and its content encoding, in lower case."""
    coding: str
    body: bytes


class Begun(NamedTuple):
    """A page of HTML of which the beginning has been read: *size* bytes, or all."""

    record: Any
    raw: bytes
    message: Message
    size: int = _HEAD

    @property
    def plain(self) -> bool:
        """Whether the body that is there is how the page begins, and no less than was told is."""
        whole = len(self.raw) >= min(self.size, self.record.content_length)
        return whole and not self.message.transfer and not self.message.coding


def begun_page(record: Any) -> Begun | None:
    """Begin to read a record, if it holds an answered page of HTML."""
    if not record.record_type & _ANSWERS:
        return None
    raw = record.reader.read(_HEAD)
    if len(raw) == _HEAD and record.is_http and _HEADERS_END not in raw:
        raw += record.reader.read(_LARGEST + 1 - _HEAD)
    message = _message(record, raw)
    return None if message is None else Begun(record, raw, message)


def further(begun: Begun) -> Begun:
    """Read on."""
    record, raw, message, _ = begun
    more = record.reader.read(_FURTHER - len(raw)) if len(raw) < _FURTHER else b""
    return Begun(record, raw + more, message._replace(body=message.body + more), _FURTHER)


def document_of(record: Any, losses: Losses) -> Document | None:
    """The page of HTML that *record* holds, if it holds one."""
    begun = begun_page(record)
    return None if begun is None else whole_document(begun, losses)


def whole_document(begun: Begun, losses: Losses) -> Document | None:
    """Read what is left of a page; ``None`` if it cannot be decoded."""
    body = whole_body(begun, losses)
    if body is None:
        return None
    message = begun.message
    return Document(message.url, body, encoding_of(body, message.content_type), message.status)


def whole_body(begun: Begun, losses: Losses) -> bytes | None:
    """Read what is left of a page's bytes; ``None`` if they cannot be decoded."""
    record, raw, message, _ = begun
    more = record.reader.read(_LARGEST + 1 - len(raw)) if len(raw) >= _HEAD else b""
    body = message.body + more[: _LARGEST - len(raw)]
    decoded = unpacked(body, message.transfer, message.coding, _LARGEST)
    if decoded is None:
        losses.add("broken record")
        return None
    _count_cut(record, len(raw) + len(more), losses)
    return decoded


def pass_over(begun: Begun, losses: Losses) -> None:
    """Leave out what is left of a page, but count it if it is not whole."""
    record, raw, *_ = begun
    _count_cut(record, len(raw) + record.reader.consume(_LARGEST + 1 - len(raw)), losses)


def _count_cut(record: Any, size: int, losses: Losses) -> None:
    if size < min(record.content_length, _LARGEST + 1) or was_cut(record):
        losses.add(CUT)
    elif size > _LARGEST:
        losses.add("record cut to 64 MiB")


CUT = "truncated record"


def was_cut(record: Any) -> bool:
    """Whether the archive itself says that a page was cut when it was fetched."""
    return bool(record.headers.get(_fields().WARC_TRUNCATED))


@cache
def _fields() -> Any:
    """The names of headers by which fastwarc finds them forty times faster than by text."""
    from fastwarc.warc import WarcHeader

    return WarcHeader


def _message(record: Any, raw: bytes) -> Message | None:
    """What *record* holds, from its beginning; ``None`` if that is no answered page of HTML."""
    url = (record.headers.get(_fields().WARC_TARGET_URI) or "").strip("<>")
    if not url.startswith(("http://", "https://")):
        return None
    if not record.is_http:
        told = record.headers.get(_fields().CONTENT_TYPE) or ""
        return Message(url, 200, told, "", "", raw) if _is_html(told) else None
    head, _, body = raw.partition(_HEADERS_END)
    code = _STATUS(head)
    status = int(code[1]) if code else 200
    if not 200 <= status < 300:
        return None
    headers: dict[bytes, str] = {}
    for name, value in _FIELDS(head):
        headers.setdefault(name.lower(), value.decode("latin-1").strip())
    told = headers.get(b"content-type", "")
    if not _is_html(told):
        return None
    transfer = headers.get(b"transfer-encoding", "").lower()
    return Message(url, status, told, transfer, headers.get(b"content-encoding", "").lower(), body)


@lru_cache(maxsize=256)
def _is_html(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() in _HTML


def unreadable(path: Path, error: Exception) -> InputError:
    """What to tell of an archive of which not even the first record can be read."""
    line = str(error).partition("\n")[0] or type(error).__name__
    return InputError(f"cannot read {path}: {line}")
