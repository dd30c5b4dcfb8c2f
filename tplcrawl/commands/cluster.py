"""``tplcrawl cluster``: the templates of pages that somebody else has fetched."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tplcrawl.batch.aside import aside
from tplcrawl.batch.documents import Losses
from tplcrawl.batch.folders import check_folder
from tplcrawl.batch.ingest import copy_crawl
from tplcrawl.batch.parts import Survey, survey
from tplcrawl.batch.workers import Progress, profile_parts
from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.commands.bench_tables import show_progress
from tplcrawl.commands.clusters import check_room, write_clusters
from tplcrawl.commands.parsing import command_parser, parameter
from tplcrawl.errors import InputError, UsageError
from tplcrawl.store.database import FILE

_WARC = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "cluster",
        "find the templates of pages in WARC archives, directories of HTML, or a crawl",
        run,
        "tplcrawl cluster archive.warc.gz -o clusters/archive",
        "tplcrawl cluster CC-MAIN-*.warc.gz -o clusters/cc --jobs 8",
        "tplcrawl cluster mirror/example.com -o clusters/example",
        "tplcrawl cluster crawls/example.com -o clusters/lzw --method lzw",
        "tplcrawl cluster pages/ -o clusters/strict --method common-paths --set similarity=0.9",
    )
    parser.add_argument(
        "inputs", nargs="+", type=Path, metavar="INPUT",
        help=".warc(.gz) files, directories of HTML, or one crawl's directory",
    )  # fmt: skip
    parser.add_argument(
        "-o", dest="dir", type=Path, metavar="DIR", required=True, help="where the result goes"
    )
    parser.add_argument(
        "--method", default="hybrid", metavar="NAME", help=f"one of {', '.join(METHODS)}"
    )
    parser.add_argument(
        "--set", dest="parameters", action="append", default=[], type=parameter,
        metavar="NAME=VALUE", help="a parameter of the method; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--save-html", choices=("all", "samples", "none"), default="all",
        help="the pages whose HTML is kept, for wrap and extract (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--positional", action="store_true", help="group by positional locations, as paper 001 does"
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N",
        help="processes that read pages (default: 1); the result is the same",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the templates, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Read, cluster, write."""
    if options.jobs < 1:
        raise UsageError("--jobs must be at least 1")
    method = make_method(options.method, **dict(options.parameters))
    kinds = [_kind(path) for path in options.inputs]
    if "crawl" in kinds and len(kinds) > 1:
        raise UsageError("a crawl's directory must be the only input")
    check_room(options.dir, options.inputs)
    losses = Losses()
    found = None if kinds == ["crawl"] else _survey(options.inputs)
    with aside(options.dir, None if found is None else found.key) as folder:
        try:
            if found is None:
                copy_crawl(options.inputs[0], folder)
            else:
                save_html = options.save_html != "none"
                losses = profile_parts(
                    folder, found, options.jobs, save_html=save_html, progress=_progress
                )
        finally:
            show_progress("")
        if not (folder / FILE).is_file():
            raise InputError(f"no page of HTML in {', '.join(map(str, options.inputs))}")
        told = write_clusters(
            folder, method, shown=options.dir, stopped="not in the input",
            positional=options.positional, save_html=options.save_html, as_json=options.json,
        )  # fmt: skip
    sys.stdout.write(told)
    for reason, count in sorted(losses.counts.items()):
        print(f"tplcrawl: left out {count:,}: {reason}", file=sys.stderr)
    return 0


def _survey(inputs: Sequence[Path]) -> Survey:
    def seen(pages: int) -> None:
        if pages % 1000 == 0:
            show_progress(f"{pages:,} pages found")

    return survey(inputs, seen)


def _progress(now: Progress) -> None:
    minutes, seconds = divmod(round(now.seconds), 60)
    show_progress(
        f"{now.pages:,} pages read, {now.rate:,.0f}/s,"
        f" {now.parts / now.all_parts:.0%} done, {minutes}:{seconds:02} to go"
    )


def _kind(path: Path) -> str:
    if path.is_dir():
        if (path / FILE).is_file():
            return "crawl"
        check_folder(path)
        return "folder"
    if not path.exists():
        raise InputError(f"there is no {path}")
    if path.name.lower().endswith(_WARC):
        return "warc"
    raise InputError(f"{path} is neither a directory nor a WARC archive")
