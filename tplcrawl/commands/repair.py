"""``tplcrawl repair``: a crawl again from a damaged database."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tplcrawl.batch.repair import DAMAGED, repair
from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.reports.wording import counted


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "repair",
        "check the database of a crawl, and save what can be read of a damaged one",
        run,
        "tplcrawl repair crawls/example.com",
        "tplcrawl repair crawls/example.com --json",
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="a crawl's directory")
    parser.add_argument("--json", action="store_true", help="print the outcome, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Check, repair, tell."""
    done = repair(options.dir)
    if options.json:
        print_json(asdict(done))
    elif not done.problems:
        print(f"{options.dir}/crawl.db is sound: nothing to repair")
    else:
        print(
            f"{options.dir}/crawl.db was damaged ({_first_line(done.problems[0])}):"
            f" saved {counted(done.pages, 'page')} and {counted(done.urls, 'URL')};"
            f" the next run asks again for {counted(done.again, 'URL')}."
            f" The damaged file is {options.dir}/{DAMAGED}"
        )
    return 0


def _first_line(problem: str) -> str:
    """The first line that says something: SQLite begins with the name of the database."""
    lines = [line for line in problem.splitlines() if not line.startswith("***")]
    return lines[0] if lines else problem
