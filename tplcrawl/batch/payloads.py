"""Payloads of HTTP, packed or cut into chunks."""

from __future__ import annotations

import zlib


def unpacked(body: bytes, transfer: str, coding: str, most: int) -> bytes | None:
    """A payload as its headers say, at most *most* bytes of it; as it is where it was decoded
    before it was archived, and ``None`` where it cannot be decoded."""
    try:
        if "chunked" in transfer:
            body = _unchunked(body)
        for one in reversed(coding.split(",")):
            body = _decoded(body, one.strip(), most)
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


def _decoded(body: bytes, coding: str, most: int) -> bytes:
    if coding in ("gzip", "x-gzip"):
        return zlib.decompressobj(31).decompress(body, most)
    if coding == "deflate":
        try:
            return zlib.decompressobj(15).decompress(body, most)
        except zlib.error:
            return zlib.decompressobj(-15).decompress(body, most)
    if coding in ("br", "zstd"):
        from io import BytesIO

        from fastwarc.stream_io import BrotliReader, ZstdReader

        return bytes((BrotliReader if coding == "br" else ZstdReader)(BytesIO(body)).read(most))
    if coding in ("", "identity"):
        return body
    raise ValueError(coding)
