"""``tplcrawl bench wrappers``: how well wrappers find labelled values."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.evaluation.wrapping import SiteScore, score_site


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "wrappers",
        "learn wrappers without labels from ten pages of each site and compare the others' records"
        " with the labels",
        run,
        "tplcrawl bench wrappers swde/*",
        "tplcrawl bench wrappers swde/job-dice --json",
    )
    parser.add_argument(
        "sites", nargs="+", type=Path, metavar="SITE", help="directories with pages/ and truth.json"
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each site")


def run(options: argparse.Namespace) -> int:
    """Score each site; print."""
    scores = [score_site(site) for site in options.sites]
    if options.json:
        for score in scores:
            print_json(
                {**asdict(score), "speed": score.speed, "speed_with_parse": score.speed_with_parse}
            )
    else:
        _print(scores)
    return 0


def _print(scores: Sequence[SiteScore]) -> None:
    values = Table(box=None, pad_edge=False)
    for name in ("site", "attribute", "pages", "exact", "all of them", "field"):
        values.add_column(name, justify="right" if name in ("pages", "exact") else "left")
    for score in scores:
        for one in score.attributes:
            values.add_row(
                one.site, one.attribute, str(one.pages), f"{one.exact:.2f}", f"{one.whole:.2f}",
                one.field,
            )  # fmt: skip
    costs = Table(box=None, pad_edge=False)
    for name in (
        "site",
        "fields",
        "noise",
        "learning s",
        "parse ms",
        "speed",
        "with parse",
        "misfits",
    ):
        costs.add_column(name, justify="right" if name != "site" else "left")
    for score in scores:
        costs.add_row(
            score.site, f"{score.fields:.0f}", f"{score.noise:.2f}",
            f"{score.learning_seconds:.2f}", f"{1000 * score.parse_seconds / score.pages:.2f}",
            f"{score.speed:.2f}", f"{score.speed_with_parse:.2f}", str(score.misfits),
        )  # fmt: skip
    console = Console()
    console.print(values)
    console.print()
    console.print(costs)
    every = [one for score in scores for one in score.attributes]
    found = sum(one.found for one in every)
    console.print(
        f"\n{found} of {len(every)} attributes found ({found / max(1, len(every)):.0%});"
        f" median noise {median(score.noise for score in scores):.0%} of fields",
        highlight=False,
    )
