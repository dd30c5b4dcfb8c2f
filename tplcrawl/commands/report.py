"""``tplcrawl report``: write the reports of a crawl again."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path
from typing import Any

from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.commands.printer import Printer
from tplcrawl.reports.outputs import write_reports
from tplcrawl.reports.terminal import print_report
from tplcrawl.reports.wording import RUNNING
from tplcrawl.store.store import Store


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "report",
        "write report.html and coverage.json of a crawl again",
        run,
        "tplcrawl report crawls/example.com",
        "tplcrawl report crawls/example.com --open",
        "tplcrawl report crawls/example.com --json | jq .funnel",
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="a crawl's directory")
    parser.add_argument("--open", action="store_true", help="show the report in a browser")
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Write the reports; print a summary or the numbers."""
    with Store(options.dir, write=False) as store:
        store.need_structure()
        stopped = RUNNING if store.database.busy else str(store.meta("stopped", "unfinished"))
        store.database.hold()
        written = write_reports(store, stopped)
    report = options.dir / "report.html"
    if options.json:
        print_json(written.numbers)
    else:
        print_report(Printer(), written)
        print(f"\n→ {report}")
    if options.open:
        webbrowser.open(report.absolute().as_uri())
    return 0
