"""Where the records of an archive begin and end, by its bytes alone.

A record is compressed by itself (gzip, Zstandard, LZ4), as a member of the file, or it is not.
"""

from __future__ import annotations

import os
import re
import zlib
from typing import IO

GZIP, PLAIN = b"\x1f\x8b", b"WARC/"
MEMBER = b"\x1f\x8b\x08"
"""How a member begins that is compressed with gzip."""
VERSION = b"WARC/1."
_OTHERS = (b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")
_BEGINNINGS = (GZIP, PLAIN, *_OTHERS)
_BLOCK = 1 << 16
_SPACE = b"\r\n"
_HEAD_END = re.compile(rb"\r?\n\r?\n").search


def begins(file: IO[bytes], at: int) -> bool:
    """Whether a record, or what may be a compressed one, begins at *at*."""
    return os.pread(file.fileno(), 8, at).startswith(_BEGINNINGS)


def is_packed(file: IO[bytes], start: int) -> bool:
    """Whether what begins at *start* is compressed with gzip."""
    return os.pread(file.fileno(), len(MEMBER), start) == MEMBER


def ends_with_lf(file: IO[bytes], start: int) -> bool:
    """Whether the lines of the head of the record that begins at *start* end with LF alone: some
    who write archives leave out the CR."""
    some = os.pread(file.fileno(), 1024, start)
    if some.startswith(MEMBER):
        try:
            some = zlib.decompressobj(31).decompress(some, 64)
        except zlib.error:
            return False
    line, lf, _ = some.partition(b"\n")
    return line.startswith(VERSION) and bool(lf) and not line.endswith(b"\r")


def kind_of(begin: bytes) -> bytes | None:
    """What each record of an archive begins with whose first one begins like that; ``None`` for
    what is no record."""
    kinds = (MEMBER, VERSION, *_OTHERS)
    return next((one for one in kinds if begin.startswith(one)), None)


def is_otherwise(begin: bytes) -> bool:
    """Whether *begin* is how Zstandard or LZ4 begin."""
    return begin.startswith(_OTHERS)


def begins_packed(file: IO[bytes], at: int) -> bool:
    """Whether a record that is compressed with gzip begins at *at*."""
    try:
        some = os.pread(file.fileno(), 1024, at)
        return zlib.decompressobj(31).decompress(some, len(PLAIN)) == PLAIN
    except zlib.error:
        return False


def begins_plain(file: IO[bytes], at: int) -> bool:
    """Whether a record that is not compressed begins at *at*."""
    return os.pread(file.fileno(), len(VERSION), at) == VERSION


def next_record(file: IO[bytes], start: int, end: int, kind: bytes = MEMBER) -> int | None:
    """Where the first record begins that begins from *start* on, before *end*; ``None`` if none
    does. Each begins with *kind*. What looks like the beginning of a record may be part of another
    one."""
    at = start
    file.seek(at)
    window = b""
    while at < end:
        block = file.read(_BLOCK)
        if not block:
            return None
        window += block
        found = window.find(kind)
        while 0 <= found < end - at:
            if kind != MEMBER or begins_packed(file, at + found):
                return at + found
            found = window.find(kind, found + 1)
        kept = min(len(kind) - 1, len(window))
        at += len(window) - kept
        window = window[len(window) - kept :]
        file.seek(at + kept)
    return None


def sound_until(file: IO[bytes], start: int, length: int, *, alone: bool) -> int:
    """The end of the record that begins at *start*, whose content has a *length*, and of the empty
    lines and empty members behind it; *start* if it is not whole, or is not *alone* in its member
    where it must be.

    Of records that are not compressed, or are with gzip; the file is read, not its beginning only.
    """
    file.seek(start)
    if not is_packed(file, start):
        return _plain_end(file, start, length)
    end, content, size = _member(file, start)
    head = _head_end(content)
    if end == start or size < head + length or (alone and size > head + length + 4):
        return start
    return _past_empty(file, end)


def beginning_of(file: IO[bytes], start: int, most: int) -> bytes:
    """The first bytes of the record that begins at *start*, *most* at the most, unpacked."""
    if is_packed(file, start):
        return _member(file, start, most)[1][:most]
    file.seek(start)
    return file.read(most)


def is_empty(file: IO[bytes], start: int, end: int) -> bool:
    """Whether nothing but empty lines and empty members stands from *start* to *end*."""
    at = _past_empty(file, start)
    file.seek(at)
    while at < end and (block := file.read(_BLOCK)):
        if block.strip(_SPACE):
            return False
        at += len(block)
    return True


def _past_empty(file: IO[bytes], at: int) -> int:
    """Where what is no empty member begins, from *at* on."""
    while is_packed(file, at):
        after, content, size = _member(file, at)
        if after == at or size > len(content) or content.strip(_SPACE):
            break
        at = after
    return at


def _plain_end(file: IO[bytes], start: int, length: int) -> int:
    head = _head_end(file.read(65536))
    end = start + head + length
    if not head or end > os.fstat(file.fileno()).st_size:
        return start
    file.seek(end)
    behind = _HEAD_END(file.read(4))
    if behind is None or behind.start():
        return start
    end += behind.end()
    file.seek(end)
    while (some := file.read(_BLOCK)) and not some.strip(_SPACE):
        end += len(some)
    return end + len(some) - len(some.lstrip(_SPACE))


def _head_end(content: bytes) -> int:
    """Where a record's content begins, behind its head; 0 where the head does not end."""
    found = _HEAD_END(content)
    return found.end() if found else 0


def _member(file: IO[bytes], start: int, least: int = 65536) -> tuple[int, bytes, int]:
    """The end of the member that begins at *start* (*start* if it is not whole), *least* bytes of
    its content, if there are as many, and how many there are."""
    file.seek(start)
    unpack = zlib.decompressobj(31)
    content, size, end = b"", 0, start
    try:
        while not unpack.eof and (block := file.read(_BLOCK)):
            end += len(block)
            while block and not unpack.eof:
                some = unpack.decompress(block, 1 << 20)
                block = unpack.unconsumed_tail
                content += some if len(content) < least else b""
                size += len(some)
    except zlib.error:
        return start, b"", 0
    if not unpack.eof:
        return start, content, size
    return end - len(unpack.unused_data), content, size
