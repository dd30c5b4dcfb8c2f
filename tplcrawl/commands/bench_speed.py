"""``tplcrawl bench speed``: the parts, against lxml's parse and as their input doubles."""

from __future__ import annotations

import argparse
from typing import Any

from rich.console import Console

from tplcrawl.commands.bench_tables import WIDTH, show_progress, table
from tplcrawl.commands.parsing import add_sites, command_parser, print_json
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.speed import (
    all_sites,
    corpus_pages,
    growths,
    page_speed,
    sample_pages,
)


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "speed",
        "what reading a page costs against parsing it, and how clustering grows",
        run,
        "tplcrawl bench speed",
        "tplcrawl bench speed corpora/* --pages 300 --most 0",
    )
    add_sites(parser, default="the sample site")
    parser.add_argument("--pages", type=int, default=300, help="of each site (default: 300)")
    parser.add_argument(
        "--most", type=int, default=1_000_000,
        help="of what is clustered; 0 for none (default: 1000000)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Measure, and print tables."""
    if options.pages < 1 or options.most < 0:
        raise UsageError("--pages must be at least 1, and --most at least 0")
    corpora = [Corpus.open(folder) for folder in options.sites if folder.name != "swde"]
    show_progress("reading pages")
    speeds = [page_speed(one.name, corpus_pages(one, options.pages)) for one in corpora]
    if not corpora:
        speeds.append(page_speed("sample", sample_pages(options.pages)))
    if len(speeds) > 1:
        speeds.append(all_sites(speeds))
    grown = []
    for one in growths(options.most) if options.most else ():
        grown.append(one)
        show_progress(f"{one.what}: {one.size:,}")
    show_progress("")
    pages, sizes = [one.as_dict() for one in speeds], [one.as_dict() for one in grown]
    if options.json:
        print_json({"pages": pages, "growth": sizes})
        return 0
    console = Console(width=max(Console().width, WIDTH))
    console.print(table(pages))
    if sizes:
        console.print()
        console.print(table(sizes))
    return 0
