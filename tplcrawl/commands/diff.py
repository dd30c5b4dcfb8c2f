"""``tplcrawl diff``: what changed from one crawl of a site to another."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tplcrawl.commands.check import print_drift
from tplcrawl.commands.output import if_anybody_reads
from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.commands.printer import Printer
from tplcrawl.reports.comparison import REDESIGN, STATES, alarms, compare
from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.diff import diff_html
from tplcrawl.reports.files import whole_file
from tplcrawl.reports.terminal import print_diff
from tplcrawl.store.store import Store
from tplcrawl.wrappers.drift import BROKE, TemplateDrift, drift
from tplcrawl.wrappers.library import learnt_wrappers, read_wrappers, todays

_KINDS = (REDESIGN, *STATES, BROKE, "any")


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "diff",
        "tell which templates appeared, vanished, grew, shrank or changed between two crawls",
        run,
        "tplcrawl diff crawls/may crawls/june",
        "tplcrawl diff crawls/may crawls/june -o changes.html",
        "tplcrawl diff crawls/may crawls/june --fail-on redesign,vanished",
        "tplcrawl diff crawls/may crawls/june --json | jq .counts",
    )
    parser.add_argument("old", type=Path, metavar="OLD", help="the directory of the earlier crawl")
    parser.add_argument("new", type=Path, metavar="NEW", help="the directory of the later crawl")
    parser.add_argument("-o", dest="file", type=Path, metavar="FILE", help="write it as HTML too")
    parser.add_argument(
        "--fail-on", type=_kinds, default=(), metavar="WHAT[,…]",
        help=f"exit with 1 if this happened: {', '.join(_KINDS)}",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Compare, tell, and raise the alarm that was asked for."""
    with Store(options.old, write=False) as old, Store(options.new, write=False) as new:
        old.need_structure()
        new.need_structure()
        pairs, numbers = compare(Crawl.read(old, ""), Crawl.read(new, ""))
        drifted = _drift(old, new)
    numbers["wrappers"] = [one.as_dict() for one in drifted]
    if drifted:
        numbers["counts"][BROKE] = sum(bool(one.broken) for one in drifted)
    if options.file is not None:
        with whole_file(options.file) as file:
            file.write(diff_html(pairs, numbers).encode("utf-8", "replace"))
    # An alarm is one even if nobody reads to the end what it is about.
    with if_anybody_reads():
        if options.json:
            print_json(numbers)
        else:
            print_diff(Printer(), numbers)
            for one in drifted:
                if one.broken:
                    print_drift(one)
            if options.file is not None:
                print(f"\n→ {options.file}")
    found = alarms(numbers, options.fail_on)
    if found:
        print(f"tplcrawl: {options.new}: {', '.join(found)}", file=sys.stderr)
    return 1 if found else 0


def _drift(old: Store, new: Store) -> list[TemplateDrift]:
    """What became of the fields of the old wrappers, if either crawl has any."""
    wrappers = read_wrappers(old.folder)
    if not wrappers and read_wrappers(new.folder):
        wrappers = learnt_wrappers(old)
    return drift(wrappers, todays(new, wrappers.values())) if wrappers else []


def _kinds(text: str) -> tuple[str, ...]:
    words = tuple(text.split(","))
    for word in words:
        if word not in _KINDS:
            raise argparse.ArgumentTypeError(f"not one of {', '.join(_KINDS)}: {word!r}")
    return words
