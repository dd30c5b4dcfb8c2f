"""Archives cut by bytes: parts that are known without reading anything.

A part begins with the first record that begins in its span of bytes. Where that is, its reader
finds out by itself: a compressed record is a member of its own that unpacks to ``WARC/``. An
archive inside an archive looks the same, so the reader of each part tells where it began and where
it ended, and one that did not begin where the part before it ended is read again from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.members import is_packed, next_record
from tplcrawl.batch.record_reader import RecordReader
from tplcrawl.batch.volumes import Volume, volumes_of

Seen = TypeVar("Seen")
Look = Callable[[Any, Losses], Seen | None]
"""Makes something of a record, or nothing."""


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
        span = self._span
        start = span.start if span.sure else _first_record(span)
        if start is None:
            return
        self.first = start
        reader = RecordReader(
            span.volume, start, span.end, lambda record: self._look(record, self._losses),
            self._losses,
        )  # fmt: skip
        for _, seen in reader:
            if seen is not None:
                yield seen
        self.next = reader.next


def _first_record(span: WarcSpan) -> int | None:
    with span.volume.open() as file:
        return next_record(file, span.start, span.end)


def cut_warc(path: Path, size: int) -> Iterator[WarcSpan]:
    """The spans of *size* bytes of what archives *path* has; one of each whose records are not
    compressed each by itself with gzip."""
    for volume in volumes_of(path):
        with volume.open() as file:
            step = size if is_packed(file, volume.start) else max(volume.end, 1)
        for start in range(volume.start, max(volume.end, volume.start + 1), step):
            first = start == volume.start
            yield WarcSpan(volume, start, min(start + step, volume.end), sure=first)
