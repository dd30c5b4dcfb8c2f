"""What is printed, and whoever cannot take it."""

from __future__ import annotations

import io
import os
import sys


def print_anything() -> None:
    """Let what the encoding of a standard stream does not know be printed as a question mark, and
    what is printed to one that was closed go nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def print_no_more() -> None:
    """Let go of what is still to be printed: nobody reads it, or there is no room for it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
