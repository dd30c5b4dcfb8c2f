"""Pages in WARC archives (ISO 28500), compressed or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tplcrawl.batch.documents import Document, Losses, encoding_of
from tplcrawl.errors import InputError

_HTML = ("text/html", "application/xhtml+xml")
_LARGEST = 64 * 1024 * 1024


def read_warc(path: Path, losses: Losses) -> Iterator[Document]:
    """Every answered page of HTML in *path*, in order. A record that ends before its stated length
    is counted, and a truncated or broken archive is read as far as it goes."""
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        raise InputError(f"reading {path} needs: pip install 'tplcrawl[warc]'") from None
    found = False
    try:
        with path.open("rb") as file:
            wanted = WarcRecordType.response | WarcRecordType.resource
            for record in ArchiveIterator(file, record_types=wanted, auto_decode="all"):
                found = True
                document = _document(record, losses)
                if document is not None:
                    yield document
    except (OSError, ValueError) as error:
        if not found:
            raise InputError(f"cannot read {path}: {_line(error)}") from None
        losses.add("broken archive")


def _document(record: Any, losses: Losses) -> Document | None:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    headers = record.http_headers
    status = (headers.status_code if headers is not None else None) or 200
    kind = record.http_content_type or record.headers.get("Content-Type") or ""
    if not url.startswith(("http://", "https://")) or not 200 <= status < 300:
        return None
    if kind.partition(";")[0].strip().lower() not in _HTML:
        return None
    try:
        body = record.reader.read(_LARGEST)
    except (OSError, ValueError):
        losses.add("broken record")
        return None
    if record.headers.get("WARC-Truncated"):
        losses.add("truncated record")
    told = headers.get("Content-Type") if headers is not None else None
    return Document(url, body, encoding_of(body, told), status)


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
