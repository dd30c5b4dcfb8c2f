"""``tplcrawl bench mismatches``: how well it is told what goes wrong on a site."""

from __future__ import annotations

import argparse
from typing import Any

from tplcrawl.commands.bench_sites import linked_sites
from tplcrawl.commands.bench_tables import print_rows, show_progress
from tplcrawl.commands.parsing import add_sites, command_parser
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.detection import detections
from tplcrawl.evaluation.faults import FAULTS


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "mismatches",
        "what is told of soft 404s, redirects, walls and waves that are planted into packed sites",
        run,
        "tplcrawl bench mismatches corpora/*",
        "tplcrawl bench mismatches corpora/shop --faults framed,menus --json",
    )
    add_sites(parser)
    parser.add_argument("--pages", type=int, default=600, help="pages of a crawl (default: 600)")
    parser.add_argument(
        "--faults", metavar="NAME,…", help=f"which (default: all): {', '.join(FAULTS)}"
    )
    parser.add_argument("--seed", type=int, default=0, help="of what is planted (default: 0)")
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Measure, and print a table."""
    faults = options.faults.split(",") if options.faults else list(FAULTS)
    if unknown := [name for name in faults if name not in FAULTS]:
        raise UsageError(f"there is no fault {unknown[0]!r}, but {', '.join(FAULTS)}")
    if options.pages < 1:
        raise UsageError(f"--pages must be at least 1, not {options.pages}")
    rows: list[dict[str, Any]] = []
    for corpus in linked_sites(options.sites):
        show_progress(f"{corpus.name}: crawls")
        rows += [one.as_dict() for one in detections(corpus, faults, options.pages, options.seed)]
    show_progress("")
    print_rows(rows, as_json=options.json)
    return 0
