"""``tplcrawl classify``: the template of pages that were not in the crawl."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any

from tplcrawl.batch.asking import classified, documents_in
from tplcrawl.batch.documents import Document, Losses, encoding_of
from tplcrawl.batch.volumes import WACZ, WARC
from tplcrawl.clustering.names import printable
from tplcrawl.clustering.template_ids import template_name
from tplcrawl.commands.bench_tables import show_progress
from tplcrawl.commands.pages import body_of, is_folder
from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.errors import InputError
from tplcrawl.recollection import recalled
from tplcrawl.records import Assignment
from tplcrawl.store.store import Store

_OFTEN = 100
"""Pages between two lines of progress."""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "classify",
        "say of which template of a crawl pages are, or none",
        run,
        "tplcrawl classify crawls/example.com page.html",
        "tplcrawl classify crawls/example.com saved/*.html --json",
        "tplcrawl classify crawls/example.com new.warc.gz mirror/ --json",
        "curl -s http://example.com/p/1 | tplcrawl classify crawls/example.com -",
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="a crawl's directory")
    parser.add_argument(
        "pages",
        nargs="+",
        metavar="PAGE",
        help="files of HTML, archives (.warc.gz, .wacz) or directories; - for standard input",
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each page")


def run(options: argparse.Namespace) -> int:
    """Print a line for each page: its template, how sure that is, and why."""
    with Store(options.dir, write=False) as store:
        if store.empty:
            raise InputError(f"the crawl in {options.dir} has no pages")
        losses = Losses()
        inputs = [_documents(name, losses) for name in options.pages]
        model = recalled(store)
        began = monotonic()
        try:
            answers = classified(model, chain.from_iterable(inputs))
            for done, (name, given) in enumerate(answers, 1):
                _tell(name, given, as_json=options.json)
                if done % _OFTEN == 0:
                    rate = done / max(monotonic() - began, 1e-3)
                    show_progress(f"{done:,} pages classified, {rate:,.0f}/s")
        finally:
            show_progress("")
    for reason, count in sorted(losses.counts.items()):
        print(f"tplcrawl: left out {count:,}: {reason}", file=sys.stderr)
    return 0


def _documents(name: str, losses: Losses) -> Iterable[tuple[str, Document]]:
    """The pages that *name* stands for, named. A single one is read at once, so that nothing is
    done where another cannot be read."""
    path = Path(name)
    if name not in ("", "-") and (is_folder(path) or name.lower().endswith((*WARC, WACZ))):
        if not path.exists():
            raise InputError(f"there is no {name}")
        return ((document.url, document) for document in documents_in(path, losses))
    body = body_of(name)
    return [(name, Document("", body, encoding_of(body)))]


def _tell(name: str, given: Assignment, *, as_json: bool) -> None:
    template = template_name(given.template) if given.template is not None else None
    if as_json:
        print_json(
            {
                "page": name,
                "template": template,
                "confidence": given.confidence,
                "reason": given.reason,
            }
        )
    else:
        print(f"{printable(name)}\t{template or 'none'}\t{given.confidence:.2f}\t{given.reason}")
