"""Payloads of HTTP, packed or cut into chunks."""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import NamedTuple

_GZIP = b"\x1f\x8b"


class Payload(NamedTuple):
    """What a payload was before it was packed."""

    body: bytes
    whole: bool = True
    """Whether it came to its own end."""


def unpacked(body: bytes, transfer: str, coding: str, most: int) -> Payload | None:
    """A payload as its headers say, at most *most* bytes of it; as it is where it was decoded
    before it was archived, and ``None`` where it cannot be decoded."""
    whole = True
    if "chunked" in transfer:
        # What is not cut into chunks was put together before it was archived.
        with suppress(ValueError):
            body, whole = _unchunked(body)
    try:
        for one in reversed(coding.split(",")):
            body, ended = _decoded(body, one.strip(), most)
            whole = whole and ended
    except (ValueError, zlib.error, OSError):
        return Payload(body) if body.lstrip()[:1] == b"<" else None
    return Payload(body, whole)


def _unchunked(body: bytes) -> Payload:
    parts: list[bytes] = []
    at = 0
    while True:
        line, end, _ = body[at : at + 64].partition(b"\r\n")
        if parts and not end:
            return Payload(b"".join(parts), whole=False)
        size = int(line.partition(b";")[0], 16)
        if size < 0:
            raise ValueError(size)  # it would lead back, and round for ever
        if not size or not end:
            return Payload(b"".join(parts))
        at += len(line) + 2
        parts.append(body[at : at + size])
        at += size + 2


def _decoded(body: bytes, coding: str, most: int) -> Payload:
    if coding in ("gzip", "x-gzip"):
        return _gunzipped(body, most) if body.startswith(_GZIP) else Payload(body)
    if coding == "deflate":
        try:
            return _inflated(body, 15, most)
        except zlib.error:
            return _inflated(body, -15, most)
    if coding in ("br", "zstd"):
        from io import BytesIO

        from fastwarc.stream_io import BrotliReader, ZstdReader

        reader = (BrotliReader if coding == "br" else ZstdReader)(BytesIO(body))
        return Payload(bytes(reader.read(most)))
    if coding in ("", "identity"):
        return Payload(body)
    raise ValueError(coding)


def _gunzipped(body: bytes, most: int) -> Payload:
    """What several members hold that stand one behind the other; most bodies are a single one."""
    parts: list[bytes] = []
    room = most
    while True:
        unpack = zlib.decompressobj(31)
        try:
            parts.append(unpack.decompress(body, room))
        except zlib.error:
            if not parts:
                raise
            return Payload(b"".join(parts), whole=False)
        room -= len(parts[-1])
        body = unpack.unused_data
        if room <= 0 or not body.startswith(_GZIP):
            return Payload(b"".join(parts), room <= 0 or unpack.eof)


def _inflated(body: bytes, bits: int, most: int) -> Payload:
    unpack = zlib.decompressobj(bits)
    found = unpack.decompress(body, most)
    return Payload(found, unpack.eof or len(found) >= most)
