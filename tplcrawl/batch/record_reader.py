"""The records of an archive one after another, and those behind what is damaged of it."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.members import (
    GZIP,
    MEMBER,
    PLAIN,
    VERSION,
    begins,
    begins_packed,
    begins_plain,
    ends_with_lf,
    is_empty,
    is_otherwise,
    kind_of,
    next_record,
    sound_until,
)
from tplcrawl.batch.odd_heads import usual
from tplcrawl.batch.volumes import Volume, volumes_of
from tplcrawl.errors import InputError

DAMAGED, BYTES = "damaged place of an archive", "byte of damaged places"
"""Nobody knows how many records a place had: the bytes tell how much is lost."""

BROKEN, TRUNCATED = "broken archive", "truncated archive"
"""An archive of which nothing can be read from some place on, and one that breaks off."""

Seen = TypeVar("Seen")

_MAGIC = 5


class _NoType(ValueError):
    """A record does not say of what type it is, as each must: its head is damaged, and with that,
    what it says of its length."""


class RecordReader(Generic[Seen]):
    """Looks at the records of *volume* that begin from *start* on and before *end*.

    A reader of archives ends at what is damaged, often in silence. This one goes on with the next
    record that begins behind it, and counts in *losses* each such place and its bytes, and it if
    the archive breaks off. A record that cannot be looked at to its end is damaged.
    """

    def __init__(
        self, volume: Volume, start: int, end: int, look: Callable[[Any], Seen], losses: Losses
    ) -> None:
        self._volume = volume
        self._start = start
        self._end = end
        self._look = look
        self._losses = losses
        self._kind: bytes | None = None
        self._lost = -1
        """The end of the last place that was lost."""
        self.next = volume.end
        """Where the first record begins that was left for others; known at the end."""

    def __iter__(self) -> Iterator[tuple[int, Seen]]:
        """Where each record begins, and what was made of it."""
        seen = False
        with _opened(self._volume) as file, _opened(self._volume) as other:
            self._kind = kind_of(os.pread(file.fileno(), 8, self._volume.start))
            at: int | None = self._start
            while at is not None:
                last: tuple[int, int] | None = None
                problem: Exception | None = None
                behind: int | None = None
                lenient = ends_with_lf(other, at)
                file.seek(at)
                try:
                    for record in records_of(file, self._volume.path, lenient=lenient):
                        begin = record.stream_pos
                        if lenient:
                            self._check(other, at, last, begin)
                        if begin >= self._end and begins(file, begin):
                            self.next = begin
                            return
                        last = begin, record.content_length
                        untold = record.record_type == 0
                        if (untold or not last[1]) and begins(file, begin):
                            odd = usual(other, record, begin)
                            if odd is not None:
                                yield begin, self._look(_only_record(odd.raw, lenient=lenient))
                                seen, behind = True, odd.end
                                break
                            if untold:
                                raise _NoType("a record without a type")
                        yield begin, self._look(record)
                        seen = True
                except (OSError, ValueError) as error:
                    if isinstance(error, OSError) and error.errno is not None:
                        raise unreadable(self._volume.path, error) from None
                    problem = error
                at = self._behind(file, at, last, problem) if behind is None else behind
                if at is not None and at >= self._end:
                    self.next = at
                    return
                if at is None and problem is not None and not seen and self._is_first:
                    raise unreadable(self._volume.path, problem)

    def _check(self, file: IO[bytes], at: int, last: tuple[int, int] | None, begin: int) -> None:
        """Count what stands before a record that begins at *begin* and behind the *last* one, or
        behind *at* if it is the first: who is lenient passes over it in silence."""
        if begins(file, begin):
            sound = at if last is None else sound_until(file, *last, alone=True)
            if sound != begin:
                self._losses.add(DAMAGED)
                self._losses.add(BYTES, begin - sound)

    @property
    def _is_first(self) -> bool:
        """Whether there would be nothing else to read in the file."""
        return self._start == self._volume.start == 0

    def _behind(
        self, file: IO[bytes], at: int, last: tuple[int, int] | None, problem: Exception | None
    ) -> int | None:
        """Where to go on after reading ended, which began at *at*; count what is lost. ``None`` at
        the end."""
        if problem is None:
            if last is None:
                if not is_empty(file, at, self._volume.end):
                    self._losses.add(TRUNCATED)
                return None
            if not _broke_off(file, self._volume, *last):
                return None
        begin = at if last is None else last[0]
        sound = begin
        framed = not isinstance(problem, _NoType) and not is_otherwise(self._kind or b"")
        if last is not None and framed:
            sound = sound_until(file, *last, alone=True)
        found = self._next(file, begin, sound)
        if found is None:
            self._losses.add(BROKEN if problem else TRUNCATED)
            return None
        if found > sound:
            if sound != self._lost:
                self._losses.add(DAMAGED)
            self._losses.add(BYTES, found - sound)
            self._lost = found
        return found

    def _next(self, file: IO[bytes], begin: int, sound: int) -> int | None:
        """Where the first record begins behind *begin*, up to *sound* of which there is none. It
        may be compressed where those before are not: archives are put together from several."""
        if sound > begin and (begins_plain(file, sound) or begins_packed(file, sound)):
            return sound
        own = (self._kind,) if self._kind else ()
        for kind in dict.fromkeys((*own, MEMBER, VERSION)):
            found = next_record(file, max(begin + 1, sound), self._volume.end, kind)
            if found is not None:
                return found
        return None


def check_archive(path: Path) -> None:
    """Say so before anything is read, if *path* is no archive: if it is not empty and no record
    begins in it. Of a WACZ, whose archives stand one behind the other, a broken one is counted
    when it is read."""
    for volume in volumes_of(path):
        if volume.start == 0 and volume.end and not _begins_somewhere(volume):
            raise InputError(f"cannot read {path}: there is no record of an archive in it")


def _begins_somewhere(volume: Volume) -> bool:
    """Whether a record begins in *volume*, or what only looks like one when it is unpacked."""
    with _opened(volume) as file:
        if is_otherwise(os.pread(file.fileno(), 8, 0)):
            return True
        found = (next_record(file, 0, volume.end, kind) for kind in (MEMBER, PLAIN))
        return any(at is not None for at in found)


def _opened(volume: Volume) -> IO[bytes]:
    try:
        return volume.open()
    except OSError as error:
        raise unreadable(volume.path, error) from None


def records_of(file: IO[bytes], path: Path, *, lenient: bool = False) -> Iterator[Any]:
    """The records of an archive, from where *file* stands, up to the first damage. Who is *lenient*
    reads heads whose lines end with LF alone."""
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError:
        raise InputError(f"reading {path} needs: pip install 'tplcrawl[warc]'") from None
    # Payloads are decoded here: fastwarc ends in silence after some that it decoded.
    yield from ArchiveIterator(file, parse_http=False, quirks_mode=lenient)


def _only_record(raw: bytes, *, lenient: bool) -> Any:
    """The record that some bytes are, or begin with."""
    for record in records_of(BytesIO(raw), Path(), lenient=lenient):
        return record
    raise ValueError("no record")


def _broke_off(file: IO[bytes], volume: Volume, start: int, length: int) -> bool:
    """Whether anything but one whole record, whose content has a *length*, stands from *start*,
    where the last one begins: readers end in silence there."""
    begin = os.pread(file.fileno(), _MAGIC, start)
    if begin.startswith((GZIP, PLAIN)):
        return sound_until(file, start, length, alone=False) != volume.end
    if is_otherwise(begin):
        file.seek(start)
        record = next(records_of(file, Path()), None)
        return record is None or len(record.reader.read()) < length
    # It stands in an archive that is compressed as a whole.
    file.seek(volume.start)
    try:
        with gzip.GzipFile(fileobj=file) as whole:
            while whole.read(1 << 20):
                pass
    except (EOFError, OSError, zlib.error):
        return True
    return False


def unreadable(path: Path, error: Exception) -> InputError:
    """What to tell of an archive that cannot be read."""
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    line = told.partition("\n")[0] or type(error).__name__
    return InputError(f"cannot read {path}: {line}")
