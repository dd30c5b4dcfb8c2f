"""``tplcrawl bench classify``: paper 000's ten-fold protocol on sites with known templates."""

from __future__ import annotations

import argparse
from typing import Any

from tplcrawl.commands.bench_tables import print_rows, show_progress
from tplcrawl.commands.parsing import add_sites, command_parser
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.classification import run_methods, teachable
from tplcrawl.evaluation.corpus import Corpus


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "classify",
        "how well each method tells the template of a page from examples, ten-fold",
        run,
        "tplcrawl bench classify corpora/*",
        "tplcrawl bench classify corpora/shop --methods lzw,tag-shingles --examples 10",
    )
    add_sites(parser)
    parser.add_argument("--methods", metavar="NAME,…", help=f"default: {', '.join(teachable())}")
    parser.add_argument("--pages", type=int, default=500, help="of each site (default: 500)")
    parser.add_argument(
        "--examples", type=int, default=10, help="taught of each template (default: 10)"
    )
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Measure, and print a table."""
    if options.pages < 1 or options.examples < 1:
        raise UsageError("--pages and --examples must be at least 1")
    methods = options.methods.split(",") if options.methods else teachable()
    for name in methods:
        if name not in teachable():
            raise UsageError(f"{name} cannot be taught; there are: {', '.join(teachable())}")
    corpora = [Corpus.open(folder) for folder in options.sites]
    verdicts = run_methods(corpora, methods, options.pages, options.examples, show_progress)
    rows = [verdict.as_dict() for verdict in verdicts]
    show_progress("")
    print_rows(rows, as_json=options.json)
    return 0
