"""``tplcrawl bench soak``: whether a long crawl stays as it began."""

from __future__ import annotations

import argparse
from itertools import pairwise
from typing import Any

from tplcrawl.commands.bench_tables import print_rows, show_progress
from tplcrawl.commands.parsing import command_parser
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.soak import Stage, soak


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "soak",
        "memory, open files and speed of a long crawl of a synthetic site, while it runs",
        run,
        "tplcrawl bench soak",
        "tplcrawl bench soak --pages 5000 --stages 5 --json",
    )
    parser.add_argument("--pages", type=int, default=200_000, help="default: 200000")
    parser.add_argument("--stages", type=int, default=10, help="rows of the table (default: 10)")
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Crawl, and print a row for each stage."""
    if options.stages < 1 or options.pages < options.stages:
        raise UsageError("--stages must be at least 1, and --pages as many")
    begin = Stage(0, 0.0, 0.0, 0, 0)
    stages = [begin, *soak(options.pages, options.stages, show_progress)]
    show_progress("")
    print_rows([_row(*pair) for pair in pairwise(stages)], as_json=options.json)
    return 0


def _row(before: Stage, after: Stage) -> dict[str, Any]:
    pages = max(after.pages - before.pages, 1)
    return {
        "pages": after.pages,
        "pages_per_second": round(pages / max(after.seconds - before.seconds, 0.001), 1),
        "pages_per_cpu_second": round(pages / max(after.cpu - before.cpu, 0.001), 1),
        "memory_mb": round(after.rss / 1e6, 1),
        "kb_per_page": round((after.rss - before.rss) / pages / 1e3, 2),
        "open_files": after.files,
    }
