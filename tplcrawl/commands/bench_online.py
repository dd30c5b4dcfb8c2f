"""``tplcrawl bench online``: templates while a crawl goes on."""

from __future__ import annotations

import argparse
from typing import Any

from tplcrawl.commands.bench_sites import linked_sites
from tplcrawl.commands.bench_tables import print_rows, show_progress
from tplcrawl.commands.parsing import add_sites, command_parser
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.online import course


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "online",
        "how templates come to be while a crawl goes on, and what that costs",
        run,
        "tplcrawl bench online corpora/*",
        "tplcrawl bench online corpora/shop --pages 3000 --json",
    )
    add_sites(parser)
    parser.add_argument(
        "--pages", type=int, default=1000, help="pages of each site (default: 1000)"
    )
    parser.add_argument("--method", default="hybrid", metavar="NAME", help="default: hybrid")
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Measure, and print a table."""
    if options.pages < 1:
        raise UsageError(f"--pages must be at least 1, not {options.pages}")
    rows = []
    for corpus in linked_sites(options.sites):
        show_progress(f"{corpus.name}: {options.pages} pages")
        rows.append(course(corpus, options.pages, options.method).as_dict())
    show_progress("")
    print_rows(rows, as_json=options.json)
    return 0
