from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

Headers = dict[str, str]


class Archive:
    """Writes a WARC archive, record by record."""

    def __init__(self, path: Path, *, gzip: bool = True) -> None:
        self.path = path
        self._file = BytesIO()
        self._writer = WARCWriter(self._file, gzip=gzip)
        self.ends: list[int] = []
        """Where each record ends."""

    def add(
        self,
        url: str,
        body: bytes,
        headers: Headers | None = None,
        *,
        status: str = "200 OK",
        kind: str = "response",
        warc: Headers | None = None,
    ) -> None:
        """Write a record with the headers of HTTP, or one without where *kind* has none."""
        told = {"Content-Type": "text/html; charset=utf-8"} if headers is None else headers
        http = None
        if kind in ("response", "revisit"):
            http = StatusAndHeaders(status, list(told.items()), protocol="HTTP/1.1")
        elif kind == "request":
            http = StatusAndHeaders("GET / HTTP/1.1", list(told.items()), is_http_request=True)
        record = self._writer.create_warc_record(
            url,
            kind,
            payload=BytesIO(body),
            length=len(body),
            http_headers=http,
            warc_headers_dict=warc or {},
            warc_content_type=told.get("Content-Type", "") if http is None else "",
        )
        self._writer.write_record(record)
        self.ends.append(self._file.tell())

    @property
    def content(self) -> bytes:
        return self._file.getvalue()

    def write(self, content: bytes | None = None) -> Path:
        """Write the file, with other bytes where they are given."""
        self.path.write_bytes(self.content if content is None else content)
        return self.path


def make_page(*links: str, text: str = "text", head: str = "") -> bytes:
    """A page with a list of links."""
    rows = "".join(f'<li><a href="{link}">x</a></li>' for link in links)
    body = f"<body><ul>{rows}</ul>{text}</body>"
    return f"<!doctype html><html><head>{head}</head>{body}</html>".encode()


@pytest.fixture(scope="session")
def archive() -> Callable[..., Archive]:
    """Makes archives."""
    return Archive


@pytest.fixture(scope="session")
def page() -> Callable[..., bytes]:
    """Makes pages with links."""
    return make_page


@pytest.fixture
def fill(tmp_path: Path) -> Callable[[dict[str, bytes]], Path]:
    """Makes a folder of files from their paths and contents."""

    def fill(files: dict[str, bytes], name: str = "site") -> Path:
        for path, content in files.items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return tmp_path / name

    return fill
