"""``tplcrawl check``: whether wrappers still find what they found."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tplcrawl.clustering.names import printable
from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.errors import InputError
from tplcrawl.store.store import Store
from tplcrawl.wrappers.drift import TemplateDrift, drift
from tplcrawl.wrappers.library import read_wrappers, todays


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "check",
        "say which fields of wrappers broke on a later crawl, and where their values are now",
        run,
        "tplcrawl check crawls/october crawls/november",
        "tplcrawl check crawls/october/wrappers crawls/november --json",
    )
    parser.add_argument(
        "wrappers", type=Path, metavar="WRAPPERS", help="a crawl's directory with wrappers, or them"
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="the later crawl's directory")
    parser.add_argument("--json", action="store_true", help="print a line of JSON a template")


def run(options: argparse.Namespace) -> int:
    """Try all wrappers; tell of each."""
    wrappers = read_wrappers(options.wrappers)
    if not wrappers:
        raise InputError(f"there are no wrappers in {options.wrappers}: tplcrawl wrap makes them")
    with Store(options.dir, write=False) as store:
        store.need_structure()
        found = drift(wrappers, todays(store, wrappers.values()))
    for one in found:
        if options.json:
            print_json(one.as_dict())
        else:
            print_drift(one)
    changed = sum(one.changed for one in found)
    if changed:
        print(f"tplcrawl: {changed} of {len(found)} templates changed", file=sys.stderr)
    return 0


def print_drift(one: TemplateDrift) -> None:
    """Tell what became of one template's wrapper."""
    if one.now is None:
        print(f"{one.template}\tgone: no template has its fields")
        return
    if not one.pages:
        print(f"{one.template}\t→ {one.now}\tnot tried: no HTML of it was kept")
        return
    told = "as before" if not one.broken else f"{len(one.broken)} of {one.fields} fields broke"
    print(f"{one.template}\t→ {one.now}\t{told}\t({one.pages} pages)")
    for broken in one.broken:
        print(f"  {broken.name}: on {broken.found:.0%} of the pages, was {broken.was:.0%}")
        print(f"    was  {printable(broken.xpath)}")
        if broken.proposed is not None:
            print(f"    now? {printable(broken.proposed)}")
            print(f"         {printable(', '.join(broken.examples))[:90]}")
