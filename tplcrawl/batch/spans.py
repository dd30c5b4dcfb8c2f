"""Archives cut by bytes: parts that are known without reading anything.

A part begins with the first record that begins in its span of bytes. Where that is, its reader
finds out by itself: a compressed record is a member of its own that unpacks to ``WARC/``. An
archive inside an archive looks the same, so the reader of each part tells where it began and where
it ended, and one that did not begin where the part before it ended is read again from there.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.volumes import Volume, volumes_of
from tplcrawl.batch.warc import records_of, tail_of, unreadable

Seen = TypeVar("Seen")
Look = Callable[[Any, Losses], Seen | None]
"""Makes something of a record, or nothing."""

_MEMBER = b"\x1f\x8b\x08"
_BEGIN = b"WARC/"
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class WarcSpan:
    """The records of an archive that begin in a span of its bytes."""

    volume: Volume
    start: int
    end: int
    sure: bool = False
    """Whether a record is known to begin at *start*."""

    def read(self, look: Look[Seen], losses: Losses) -> SpanReader[Seen]:
        """Begin to look at its records."""
        return SpanReader(self, look, losses)

    def after(self, end: int) -> WarcSpan:
        """The same span, where the part before it ended at *end*."""
        return replace(self, start=end, sure=True)


class SpanReader(Generic[Seen]):
    """Looks at the records of a span, and knows where they began and ended."""

    def __init__(self, span: WarcSpan, look: Look[Seen], losses: Losses) -> None:
        self._span = span
        self._look = look
        self._losses = losses
        self.first = self.next = span.end
        """Where its first record begins, and the first one after it."""

    def __iter__(self) -> Iterator[Seen]:
        span, look, losses = self._span, self._look, self._losses
        last: tuple[int, int] | None = None
        try:
            with span.volume.open() as file:
                start = span.start if span.sure else _first_record(file, span)
                if start is None:
                    return
                self.first = start
                file.seek(start)
                for record in records_of(file, span.volume.path):
                    at = record.stream_pos
                    if at >= span.end and _begins(span.volume.path, at):
                        self.next = at
                        return
                    last = at, record.content_length
                    seen = look(record, losses)
                    if seen is not None:
                        yield seen
                self.next = span.volume.end
                tail_of(file, last, losses)
        except (OSError, ValueError) as error:
            if last is None and span.sure and span.start == span.volume.start:
                raise unreadable(span.volume.path, error) from None
            self.next = span.volume.end
            losses.add("broken archive")


def _first_record(file: IO[bytes], span: WarcSpan) -> int | None:
    at = span.start
    file.seek(at)
    window = b""
    while at < span.end:
        block = file.read(_BLOCK)
        if not block:
            return None
        window += block
        found = window.find(_MEMBER)
        while 0 <= found < span.end - at:
            if _begins(span.volume.path, at + found):
                return at + found
            found = window.find(_MEMBER, found + 1)
        kept = min(len(_MEMBER) - 1, len(window))
        at += len(window) - kept
        window = window[len(window) - kept :]
        file.seek(at + kept)
    return None


def _begins(path: Path, at: int) -> bool:
    with path.open("rb") as file:
        file.seek(at)
        try:
            return zlib.decompressobj(31).decompress(file.read(1024), len(_BEGIN)) == _BEGIN
        except zlib.error:
            return False


def cut_warc(path: Path, size: int) -> Iterator[WarcSpan]:
    """The spans of *size* bytes of what archives *path* has; one of each whose records are not
    compressed each by itself with gzip."""
    for volume in volumes_of(path):
        with volume.open() as file:
            step = size if file.read(len(_MEMBER)) == _MEMBER else max(volume.end, 1)
        for start in range(volume.start, max(volume.end, volume.start + 1), step):
            first = start == volume.start
            yield WarcSpan(volume, start, min(start + step, volume.end), sure=first)
