"""Records whose heads are not written as fastwarc reads them.

The names of headers count in any case (ISO 28500), but fastwarc knows one spelling of the two that
tell what a record is and where it ends. Archives with others are rare: each of their records is
found out when it seems to be without a type or without content, and written anew.
"""

from __future__ import annotations

import re
from typing import IO, Any, NamedTuple

from tplcrawl.batch.documents import LARGEST
from tplcrawl.batch.members import beginning_of, sound_until

_USUAL = {name.lower(): name for name in (b"WARC-Type", b"Content-Length")}
_NAME = re.compile(rb"(?i)^(" + b"|".join(_USUAL) + rb")(?=[ \t]*:)", re.MULTILINE)
_HEAD = 1 << 16
"""Bytes that a record's head surely does not exceed."""


class Usual(NamedTuple):
    """A record as fastwarc reads it."""

    raw: bytes
    end: int
    """Where the record ends in its archive, and what is empty behind it."""


def usual(file: IO[bytes], record: Any, start: int) -> Usual | None:
    """The *record* that begins at *start* with the names in its head as usual; ``None`` if it does
    not tell of a type and a length, if these were read, or if it is not whole."""
    told = {name.lower(): value for name, value in record.headers.items()}
    length = told.get("content-length", "")
    if not told.get("warc-type") or not length.isdecimal() or len(length) > 18:
        return None
    size = int(length)
    if record.record_type != 0 and record.content_length == size:
        return None
    end = sound_until(file, start, size, alone=True)
    if end == start:
        return None
    raw = beginning_of(file, start, _HEAD + min(size, LARGEST + 1))
    head = raw[:_HEAD].partition(b"\n\r\n")[0].partition(b"\n\n")[0]
    return Usual(_NAME.sub(lambda name: _USUAL[name[0].lower()], head) + raw[len(head) :], end)
