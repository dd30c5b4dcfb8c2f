"""``tplcrawl similar``: the pages of a crawl that are most like a given one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tplcrawl.batch.documents import encoding_of
from tplcrawl.batch.likeness import branches_in, index_of, nearest_in
from tplcrawl.clustering.names import printable
from tplcrawl.clustering.template_ids import template_name
from tplcrawl.commands.pages import body_of, docid_of
from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.errors import InputError, UsageError
from tplcrawl.fingerprints.branches import Branches, branches
from tplcrawl.page.profile import profile_of
from tplcrawl.store.store import Store


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "similar",
        "find the pages of a crawl that are most like a given one",
        run,
        "tplcrawl similar crawls/example.com http://example.com/p/1",
        "tplcrawl similar crawls/example.com page.html -k 25 --json",
        "curl -s http://example.com/p/1 | tplcrawl similar crawls/example.com -",
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="a crawl's directory")
    parser.add_argument(
        "page", metavar="PAGE", help="a file of HTML or a URL of the crawl; - for standard input"
    )
    parser.add_argument(
        "-k", dest="most", type=int, default=10, metavar="N", help="how many (default: 10)"
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each page")


def run(options: argparse.Namespace) -> int:
    """Print a line for each page that is found, the most similar first."""
    if options.most < 1:
        raise UsageError("-k must be at least 1")
    with Store(options.dir, write=False) as store:
        if store.empty:
            raise InputError(f"the crawl in {options.dir} has no pages")
        store.need_structure()
        own = docid_of(store, options.page)
        asked = _branches(options.page) if own is None else branches_in(store, own)
        index = index_of(store, _progress)
        found = dict(nearest_in(store, index, asked, options.most + 1))
        if own is not None:
            found.pop(own, None)
        if not found:
            print(f"tplcrawl: no page of the crawl is like {options.page}", file=sys.stderr)
        for docid, cosine in list(found.items())[: options.most]:
            (row,) = store.pages.rows([docid])
            template = row.assignment.template
            name = None if template is None else template_name(template)
            if options.json:
                score = round(cosine, 6)
                print_json({"url": row.url, "docid": docid, "template": name, "cosine": score})
            else:
                print(f"{cosine:.4f}\t{name or 'none'}\t{printable(row.url)}")
    return 0


def _branches(name: str) -> Branches:
    body = body_of(name)
    return branches(profile_of("", body, None, encoding=encoding_of(body)).outline)


def _progress(done: int, all_: int) -> None:
    if sys.stderr.isatty() and (done % 100 == 0 or done == all_):
        text = f"{done:,} of {all_:,} pages indexed" if done < all_ else ""
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
