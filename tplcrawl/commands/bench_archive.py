"""``tplcrawl bench archive``: reading, parsing and profiling an archive, side by side."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tplcrawl.commands.bench_tables import print_rows, show_progress
from tplcrawl.commands.parsing import command_parser
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.archives import archive_steps, write_archive


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "archive",
        "what the pages of an archive cost, by one process and by several",
        run,
        "tplcrawl bench archive",
        "tplcrawl bench archive CC-MAIN-1.warc.gz --jobs 8",
    )
    parser.add_argument(
        "archive", nargs="?", type=Path, metavar="FILE",
        help="an archive (default: one of the sample site is written)",
    )  # fmt: skip
    parser.add_argument("--pages", type=int, default=5000, help="of that one (default: 5000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Measure, and print a table."""
    if options.pages < 1 or options.jobs < 1:
        raise UsageError("--pages and --jobs must be at least 1")
    with TemporaryDirectory() as folder:
        path = options.archive
        if path is None:
            show_progress("writing an archive")
            path = Path(folder, "sample.warc.gz")
            write_archive(path, options.pages)
        rows = []
        for step in archive_steps(path, options.jobs):
            rows.append(step.as_dict())
            show_progress(step.what)
    show_progress("")
    print_rows(rows, as_json=options.json)
    return 0
