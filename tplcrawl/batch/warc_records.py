"""Pages as records of a WARC archive (ISO 28500), compressed each by itself."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from datetime import UTC, datetime
from http import HTTPStatus
from uuid import UUID, uuid4


def response_record(
    url: str,
    status: int,
    headers: Iterable[tuple[bytes, bytes]],
    body: bytes,
    *,
    date: datetime | None = None,
    identity: UUID | None = None,
    level: int = 6,
) -> bytes:
    """The answer of *url* as a record. *body* is as it was decoded, so headers that tell of its
    coding or length are left out of *headers*."""
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = ""
    lines = [f"HTTP/1.1 {status} {phrase}".encode()]
    lines += [
        b"%s: %s" % (name, value.replace(b"\r", b" ").replace(b"\n", b" "))
        for name, value in headers
        if name.lower() not in _OF_THE_WAY
    ]
    lines += [b"Content-Length: %d" % len(body), b"", body]
    return _record(
        "response", "application/http; msgtype=response", b"\r\n".join(lines),
        (("WARC-Target-URI", url),), date, identity, level,
    )  # fmt: skip


def info_record(software: str) -> bytes:
    """What an archive begins with: what wrote it."""
    content = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
    return _record("warcinfo", "application/warc-fields", content, (), None, None)


_OF_THE_WAY = frozenset((b"content-length", b"content-encoding", b"transfer-encoding"))


def _record(
    kind: str,
    content_type: str,
    content: bytes,
    more: Iterable[tuple[str, str]],
    date: datetime | None,
    identity: UUID | None,
    level: int = 6,
) -> bytes:
    fields = (
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<urn:uuid:{identity or uuid4()}>"),
        ("WARC-Date", (date or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")),
        *more,
        ("Content-Type", content_type),
        ("Content-Length", str(len(content))),
    )
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return gzip.compress(
        b"WARC/1.1\r\n" + head.encode("utf-8", "replace") + b"\r\n" + content + b"\r\n\r\n",
        level,
        mtime=0,
    )
