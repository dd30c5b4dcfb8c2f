"""Pages in WARC archives (ISO 28500), compressed or not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from tplcrawl.batch.documents import LARGEST, NO_HTML, NO_URL, Document, Losses, encoding_of
from tplcrawl.batch.members import begins
from tplcrawl.batch.payloads import unpacked
from tplcrawl.batch.record_reader import RecordReader
from tplcrawl.batch.volumes import Volume, volumes_of

_END = re.compile(r"[;,\s]")
_HTML = ("text/html", "application/xhtml+xml")
_ANSWERS = 4 | 8
"""``response`` and ``resource``, as fastwarc numbers the types of records."""
_UNREAD = 64 | 256 | 32768
"""``revisit``, ``continuation`` and what is not known: they may be of pages."""
_HEAD = 16 * 1024
"""Bytes of a record that surely hold its HTTP headers."""
_FURTHER = 64 * 1024
"""The same of a record of which more is wanted."""
_HTTP, _WEB = b"HTTP/", ("http://", "https://")
_STATUS = re.compile(rb"[^ \r\n]* (\d{1,9})(?=[ \r\n]|\Z)").match
_FIELDS = re.compile(
    rb"\n[ \t]*+(content-type|content-encoding|transfer-encoding)[ \t]*+:([^\r\n]*+)"
).findall
"""All that is looked at of HTTP headers."""


@dataclass(frozen=True, slots=True)
class WarcRange:
    """Some records of an archive: all that a worker is told of them."""

    volume: Volume
    start: int
    """Where the first one begins."""
    end: int
    """Before which the last one begins."""

    def documents(self, losses: Losses) -> Iterator[Document]:
        """The pages of HTML among them, and behind what is damaged of them."""
        reader = RecordReader(
            self.volume, self.start, self.end, lambda record: document_of(record, losses), losses
        )
        return (document for _, document in reader if document is not None)


def read_warc(path: Path, losses: Losses) -> Iterator[Document]:
    """Every answered page of HTML in *path*, in order. A record that ends before its stated length
    is counted, and a truncated or damaged archive is read wherever it can be."""
    for volume in volumes_of(path):
        yield from WarcRange(volume, volume.start, volume.end).documents(losses)


def survey_warc(volume: Volume, size: int, see: Callable[[str], object]) -> Iterator[WarcRange]:
    """The ranges of *size* records that *volume* falls into; one, where records cannot be found by
    their offsets. *see* is told the URL of each page. What is lost is counted by whoever reads the
    ranges."""
    starts, losses = list[int](), Losses()
    reader = RecordReader(
        volume, volume.start, volume.end, lambda record: begun_page(record, losses), losses
    )
    for count, (start, begun) in enumerate(reader):
        if count % size == 0:
            starts.append(start if count else volume.start)
        if begun is not None:
            see(begun.message.url)
    if losses.counts and not starts:
        starts.append(volume.start)
    if starts:
        with volume.open() as file:
            if not all(begins(file, start) for start in starts[1:]):
                starts = starts[:1]
    for start, end in zip(starts, [*starts[1:], volume.end], strict=False):
        yield WarcRange(volume, start, end)


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


def begun_page(record: Any, losses: Losses) -> Begun | None:
    """Begin to read a record, if it holds an answered page of HTML."""
    if not record.record_type & _ANSWERS:
        if record.record_type & _UNREAD or record.record_type == 0:
            losses.add(f"{record.record_type} record")
        return None
    raw = record.reader.read(_HEAD)
    http = record.is_http or raw.startswith(_HTTP)
    if len(raw) == _HEAD and http and _split(raw) is None:
        raw += _more(record, _HEAD)
    found = _message(record, raw) if http else _saved(record, raw)
    if isinstance(found, Message):
        return Begun(record, raw, found)
    losses.add(found)
    return None


def further(begun: Begun) -> Begun:
    """Read on."""
    record, raw, message, _ = begun
    more = _more(record, len(raw), _FURTHER)
    return Begun(record, raw + more, message._replace(body=message.body + more), _FURTHER)


def document_of(record: Any, losses: Losses) -> Document | None:
    """The page of HTML that *record* holds, if it holds one."""
    begun = begun_page(record, losses)
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
    more = _more(record, len(raw)) if len(raw) >= _HEAD else b""
    body = message.body + more[: LARGEST - len(raw)]
    payload = unpacked(body, message.transfer, message.coding, LARGEST)
    if payload is None:
        losses.add("broken record")
        return None
    cut = _cut(record, len(raw) + len(more))
    if not cut and len(payload.body) >= LARGEST:
        cut = _LARGE
    if cut or not payload.whole:
        losses.add(cut or CUT)
    return payload.body


def _more(record: Any, read: int, most: int = LARGEST + 1) -> bytes:
    """What stands in a record behind the bytes that were *read*, up to *most* bytes of it. No more
    is asked for than there is: fastwarc makes room for all that it is asked for."""
    left = min(record.content_length, most) - read
    more: bytes = record.reader.read(left) if left > 0 else b""
    return more


def pass_over(begun: Begun, losses: Losses) -> None:
    """Leave out what is left of a page, but count it if it is not whole."""
    record, raw, *_ = begun
    cut = _cut(record, len(raw) + record.reader.consume(LARGEST + 1 - len(raw)))
    if cut:
        losses.add(cut)


def _cut(record: Any, size: int) -> str:
    """How a page of which *size* bytes were there is not whole."""
    if size < min(record.content_length, LARGEST + 1) or was_cut(record):
        return CUT
    return _LARGE if size > LARGEST else ""


CUT = "truncated record"
_LARGE = "record cut to 64 MiB"


def was_cut(record: Any) -> bool:
    """Whether the archive itself says that a page was cut when it was fetched."""
    return bool(record.headers.get(_fields().WARC_TRUNCATED))


@cache
def _fields() -> Any:
    """The names of headers by which fastwarc finds them forty times faster than by text."""
    from fastwarc.warc import WarcHeader

    return WarcHeader


def _url(record: Any) -> str | None:
    """What a record is of, if that is a page of the web."""
    url: str = (record.headers.get(_fields().WARC_TARGET_URI) or "").strip()
    if url[:1] == "<" and url[-1:] == ">":
        url = url[1:-1]  # as WARC 1.0 has it
    return url if url.startswith(_WEB) or url[:8].lower().startswith(_WEB) else None


def _saved(record: Any, raw: bytes) -> Message | str:
    """A page without its headers, from its beginning, or why it is none."""
    url = _url(record)
    if url is None:
        return NO_URL
    told = record.headers.get(_fields().CONTENT_TYPE) or ""
    return Message(url, 200, told, "", "", raw) if _is_html(told) else _no_html(told)


def _message(record: Any, raw: bytes) -> Message | str:
    """An answer of HTTP, from its beginning, or why it is no page."""
    url = _url(record)
    if url is None:
        return NO_URL
    start, end = _split(raw) or (len(raw), len(raw))
    head = raw[:start]
    code = _STATUS(head)
    status = int(code[1]) if code else 200
    if not 200 <= status < 300:
        return f"status {status}"
    told, transfer, coding = _told(tuple(_FIELDS(head.lower())))
    if not _is_html(told):
        return _no_html(told)
    return Message(url, status, told, transfer, coding, raw[end:])


@lru_cache(maxsize=256)
def _told(fields: tuple[tuple[bytes, bytes], ...]) -> tuple[str, str, str]:
    """What headers say of a page's type, its transfer encoding and its content encoding. The first
    one of a name counts."""
    headers: dict[bytes, str] = {}
    for name, value in fields:
        headers.setdefault(name, value.decode("latin-1").strip())
    names = (b"content-type", b"transfer-encoding", b"content-encoding")
    return tuple(headers.get(name, "") for name in names)  # type: ignore[return-value]


def _split(raw: bytes) -> tuple[int, int] | None:
    """Where the headers of HTTP end and the body begins. Lines should end with CR and LF; some who
    write archives leave the CR out."""
    crlf = raw.find(b"\n\r\n")
    lf = raw.find(b"\n\n", 0, crlf if crlf >= 0 else len(raw))
    if lf >= 0:
        return lf, lf + 2
    return (crlf, crlf + 3) if crlf >= 0 else None


@lru_cache(maxsize=256)
def _is_html(content_type: str) -> bool:
    return _END.split(content_type.strip(), maxsplit=1)[0].lower() in _HTML


def _no_html(content_type: str) -> str:
    return NO_HTML if content_type else "no content type"
