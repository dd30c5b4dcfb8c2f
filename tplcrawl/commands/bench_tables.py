"""What the benchmarks print."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from tplcrawl.commands.parsing import print_json

WIDTH = 150
"""Columns of a table that goes to no terminal."""

_HEADINGS = {
    "assigned": "given", "precision": "P", "recall": "R", "f1": "F1", "worst_f1": "worst F1",
    "ri": "RI", "ari": "ARI", "v_measure": "V", "macro_recall": "macro R", "templates": "true",
    "learned_from": "compared", "pages_per_second": "pages/s", "memory_mb": "MB",
}  # fmt: skip


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """*rows* as a table, a column for each name."""
    made = Table(box=None, pad_edge=False)
    for name in rows[0]:
        left = name in ("site", "method")
        heading = _HEADINGS.get(name, name.replace("_", " "))
        made.add_column(heading, justify="left" if left else "right", no_wrap=True)
    for row in rows:
        made.add_row(*(f"{v:.3f}" if isinstance(v, float) else str(v) for v in row.values()))
    return made


def print_rows(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print *rows* for machines or for people."""
    if as_json:
        print_json(rows)
    else:
        Console(width=max(Console().width, WIDTH)).print(table(rows))


def show_progress(text: str) -> None:
    """Say what is going on, where somebody is looking; nothing takes it away."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
