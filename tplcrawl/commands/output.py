"""What is printed, and whoever cannot take it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from tplcrawl.errors import JobError


def print_anything() -> None:
    """Let what the encoding of a standard stream does not know be printed as a question mark, and
    what is printed to one that was closed go nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class OutputLost(JobError):
    """What is printed cannot be written."""


class _Output:
    """Standard output, whose errors are told from those of files. That nobody reads is none."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with _told():
            return self._stream.write(text)

    def flush(self) -> None:
        with _told():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(f"cannot write to standard output: {error.strerror}") from error


def printing() -> None:
    """From now on, raise :class:`OutputLost` where standard output cannot be written."""
    if not isinstance(sys.stdout, _Output):
        sys.stdout = cast(TextIO, _Output(sys.stdout))


@contextmanager
def if_anybody_reads() -> Iterator[None]:
    """Let what is printed here go nowhere if nobody reads it."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        print_no_more()


def print_no_more() -> None:
    """Let go of what is still to be printed: nobody reads it, or there is no room for it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
