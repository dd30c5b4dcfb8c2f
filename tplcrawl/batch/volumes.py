"""Archives, each a file, or stored inside a WACZ: a zip with WARC files as they are.

What is stored in a zip is not compressed again, so its records have offsets in the zip itself.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tplcrawl.errors import InputError

WARC = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
WACZ = ".wacz"
_LOCAL = b"PK\x03\x04"
_NAMES, _HEADER = slice(26, 30), 30
"""Of a member of a zip: where the lengths of its name and of its extra field stand, and how long
all that is before these."""


@dataclass(frozen=True, slots=True)
class Volume:
    """One archive: some of the bytes of a file."""

    path: Path
    start: int
    end: int

    def open(self) -> IO[bytes]:
        """The archive, at its beginning. Offsets are those of the file; nothing stands behind the
        archive."""
        file = _Bounded(self.path, self.end)
        file.seek(self.start)
        return io.BufferedReader(file, 1 << 16)


def volumes_of(path: Path) -> Iterator[Volume]:
    """The archives in *path*: itself, or those that a WACZ has."""
    try:
        if path.suffix.lower() != WACZ:
            yield Volume(path, 0, path.stat().st_size)
            return
        with zipfile.ZipFile(path) as packed, path.open("rb") as file:
            for member in packed.infolist():
                if not member.filename.lower().endswith(WARC):
                    continue
                if member.compress_type != zipfile.ZIP_STORED:
                    raise InputError(
                        f"cannot read {path}: its archives are compressed twice; unzip it, and"
                        " name them"
                    )
                file.seek(member.header_offset)
                header = file.read(_HEADER)
                if not header.startswith(_LOCAL):
                    raise InputError(f"cannot read {path}: {member.filename} is not where it says")
                lengths = header[_NAMES]
                name, extra = (int.from_bytes(lengths[at : at + 2], "little") for at in (0, 2))
                start = member.header_offset + _HEADER + name + extra
                yield Volume(path, start, start + member.file_size)
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


class _Bounded(io.FileIO):
    """A file that ends early."""

    def __init__(self, path: Path, end: int) -> None:
        super().__init__(path)
        self._end = end

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        return super().readinto(view[: max(0, self._end - self.tell())]) or 0
