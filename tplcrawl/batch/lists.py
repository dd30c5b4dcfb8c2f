"""Lists of inputs: text files with a path or ``file:`` URI in each line."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote_to_bytes

from tplcrawl.errors import InputError

_LISTS = (".txt", ".txt.gz", ".paths", ".paths.gz")
_LOCAL = "file:"


def listed(inputs: Iterable[Path]) -> list[Path]:
    """*inputs*, with what is listed in place of lists. Relative paths are those of the command."""
    found: list[Path] = []
    for path in inputs:
        if path.name.lower().endswith(_LISTS) and path.is_file():
            found += _read(path)
        else:
            found.append(path)
    return found


def _read(path: Path) -> list[Path]:
    try:
        content = path.read_bytes()
        if path.name.lower().endswith(".gz"):
            content = gzip.decompress(content)
        lines = content.decode().splitlines()
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"cannot read the list {path}: {error}") from None
    found = [_path(line.strip()) for line in lines if line.strip()]
    if not found:
        raise InputError(f"{path} lists nothing")
    return found


def _path(told: str) -> Path:
    """A path, or a ``file:`` URI as one.

    >>> _path("file:///data/a%20b.warc.gz").as_posix(), _path("b.warc").as_posix()
    ('/data/a b.warc.gz', 'b.warc')
    """
    if told.startswith(_LOCAL):
        plain = unquote_to_bytes(told.removeprefix(_LOCAL)).decode("utf-8", "surrogateescape")
        return Path("/" + plain.lstrip("/"))
    if "://" in told:
        raise InputError(f"cannot read {told}: only files that all machines see can be read")
    return Path(told)
