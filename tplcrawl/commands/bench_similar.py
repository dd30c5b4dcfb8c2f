"""``tplcrawl bench similar``: an index of similar pages, of any size."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tplcrawl.commands.bench_tables import print_rows, show_progress
from tplcrawl.commands.parsing import command_parser
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.similar_bench import index_measures


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "similar",
        "what an index of similar pages costs, and how much it finds",
        run,
        "tplcrawl bench similar",
        "tplcrawl bench similar --pages 1000000 --json",
    )
    parser.add_argument("--pages", type=int, default=50_000, help="made-up ones (default: 50000)")
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Measure, and print a table."""
    if options.pages < 1:
        raise UsageError("--pages must be at least 1")
    show_progress("building")
    with TemporaryDirectory() as folder:
        row = index_measures(Path(folder), options.pages)
    show_progress("")
    print_rows([row], as_json=options.json)
    return 0
