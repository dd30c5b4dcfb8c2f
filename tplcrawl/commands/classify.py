"""``tplcrawl classify``: the template of pages that were not in the crawl."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tplcrawl.batch.documents import encoding_of
from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.template_ids import template_name
from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.errors import InputError
from tplcrawl.fingerprints.features import features_of
from tplcrawl.page.profile import profile_of
from tplcrawl.recollection import recalled
from tplcrawl.store.store import Store


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "classify",
        "say of which template of a crawl pages are, or none",
        run,
        "tplcrawl classify crawls/example.com page.html",
        "tplcrawl classify crawls/example.com saved/*.html --json",
        "curl -s http://example.com/p/1 | tplcrawl classify crawls/example.com -",
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="a crawl's directory")
    parser.add_argument(
        "pages", nargs="+", metavar="PAGE", help="files of HTML; - for standard input"
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each page")


def run(options: argparse.Namespace) -> int:
    """Print a line for each page: its template, how sure that is, and why."""
    with Store(options.dir, write=False) as store:
        if store.empty:
            raise InputError(f"the crawl in {options.dir} has no pages")
        documents = list(_bodies(options.pages))
        model = recalled(store)
        for name, body in documents:
            profile = profile_of("", body, None, encoding=encoding_of(body))
            features = features_of(profile.canonical, profile.outline, profile.lzw)
            given = model.ask(Arrival(features, profile.outline))
            template = template_name(given.template) if given.template is not None else None
            if options.json:
                print_json(
                    {
                        "page": name,
                        "template": template,
                        "confidence": given.confidence,
                        "reason": given.reason,
                    }
                )
            else:
                print(f"{name}\t{template or 'none'}\t{given.confidence:.2f}\t{given.reason}")
    return 0


def _bodies(names: list[str]) -> Iterator[tuple[str, bytes]]:
    for name in names:
        try:
            yield name, sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            raise InputError(f"cannot read {name}: {error.strerror}") from None
