"""``tplcrawl bench budget``: what crawls spend when they spend themselves by template."""

from __future__ import annotations

import argparse
from typing import Any

from tplcrawl.commands.bench_sites import linked_sites
from tplcrawl.commands.bench_tables import print_rows, show_progress
from tplcrawl.commands.parsing import add_sites, command_parser
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.spending import searches, spending


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "budget",
        "what a crawl with budgets fetches and finds, or a search for one template",
        run,
        "tplcrawl bench budget corpora/*",
        "tplcrawl bench budget corpora/shop --pages-per-template 50 --json",
        "tplcrawl bench budget corpora/shop --like",
    )
    add_sites(parser)
    parser.add_argument(
        "--pages-per-template", type=int, default=20, metavar="N", help="budget (default: 20)"
    )
    parser.add_argument(
        "--like", action="store_true", help="search for each template, and compare with an oracle"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the random URLs (default: 0)")
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Measure, and print a table."""
    budget = options.pages_per_template
    if budget < 1:
        raise UsageError(f"--pages-per-template must be at least 1, not {budget}")
    rows: list[dict[str, Any]] = []
    for corpus in linked_sites(options.sites):
        show_progress(f"{corpus.name}: a crawl")
        if options.like:
            rows += [found.as_dict() for found in searches(corpus, options.seed)]
        else:
            rows.append(spending(corpus, budget, options.seed).as_dict())
    show_progress("")
    if not rows:
        raise UsageError("there is no template of which there are enough pages to look for")
    print_rows(rows, as_json=options.json)
    return 0
