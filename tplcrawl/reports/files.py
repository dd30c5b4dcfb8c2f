"""Files that appear whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from tplcrawl.errors import JobError


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of *path* when the block ends well, and leaves no trace
    when it does not."""
    aside = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as file:
            yield file
        aside.replace(path)
    except OSError as error:
        raise JobError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            aside.unlink()


def write_json(path: Path, value: Any) -> None:
    """Write *value* for machines and people."""
    with whole_file(path) as file:
        file.write(json.dumps(value, ensure_ascii=False, indent=1).encode(*_UTF8))
        file.write(b"\n")


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write a line of JSON for each of *rows*."""
    write_texts(path, map(as_json, rows))


def write_texts(path: Path, texts: Iterable[str]) -> None:
    """Write *texts*, each of them a line or more."""
    with whole_file(path) as file:
        for text in texts:
            file.write(text.encode(*_UTF8) + b"\n")


as_json = json.JSONEncoder(ensure_ascii=False).encode
"""A value as it stands in a line."""


_UTF8 = ("utf-8", "replace")
