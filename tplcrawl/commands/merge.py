"""``tplcrawl merge``: the crawls of several workers as one."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tplcrawl.batch.aside import aside
from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.commands.bench_tables import show_progress
from tplcrawl.commands.clusters import check_room, write_clusters
from tplcrawl.commands.parsing import command_parser, parameter
from tplcrawl.errors import InputError, UsageError
from tplcrawl.store.merging import absorb
from tplcrawl.store.ordering import arrange
from tplcrawl.store.store import Store


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "merge",
        "make one crawl of several, and find its templates",
        run,
        "tplcrawl merge crawls/worker-1 crawls/worker-2 -o crawls/example.com",
        "tplcrawl merge crawls/worker-* -o crawls/example.com --method lzw --json",
    )
    parser.add_argument("dirs", nargs="+", type=Path, metavar="DIR", help="directories of crawls")
    parser.add_argument(
        "-o", dest="dir", type=Path, metavar="DIR", required=True, help="where the result goes"
    )
    parser.add_argument(
        "--method", metavar="NAME",
        help=f"one of {', '.join(METHODS)} (default: that of the first crawl)",
    )  # fmt: skip
    parser.add_argument(
        "--set", dest="parameters", action="append", default=[], type=parameter,
        metavar="NAME=VALUE", help="a parameter of the method; may be given several times",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the templates, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Merge, cluster, write."""
    if len({path.resolve() for path in options.dirs}) < len(options.dirs):
        raise UsageError("a crawl can be merged with others only")
    if len(options.dirs) < 2:
        raise UsageError("there must be two crawls at least")
    known = dict(options.parameters)
    if options.method is not None:
        make_method(options.method, **known)
    check_room(options.dir, options.dirs)
    with Store(options.dirs[0], write=False) as first:
        name = options.method or str(first.meta("method", "hybrid"))
        if not options.method and not known:
            known = dict(first.meta("parameters", {}))  # type: ignore[call-overload]
        positional = bool(first.meta("positional"))
        stopped = str(first.meta("stopped", "unfinished"))
    method = make_method(name, **known)
    with aside(options.dir) as folder:
        doubled = _merge(folder, options.dirs)
        show_progress("")
        found = write_clusters(folder, method, stopped=stopped, positional=positional)
    if doubled:
        print(f"tplcrawl: left out {doubled:,}: in several of the crawls", file=sys.stderr)
    found.tell(options.dir, "report.html", as_json=options.json)
    return 0


def _merge(folder: Path, dirs: list[Path]) -> int:
    """Make in *folder* one store of all crawls; return how many pages were there twice."""
    doubled, sites, begun = 0, list[str](), dict[str, object]()
    lost = Counter[str]()
    gathered = folder / "gathered"
    with Store(gathered) as store:
        for path in dirs:
            show_progress(f"{len(store.pages):,} pages; merging {path}")
            with Store(path, write=False) as source:
                source.need_structure()
                doubled += absorb(store, source)
                for name in ("model", "names"):
                    begun.setdefault(name, source.meta(name))
                sites.append(source.site or "")
                lost.update(source.lost)
            store.commit()
        if store.empty:
            raise InputError(f"no pages in {', '.join(map(str, dirs))}")
        show_progress(f"{len(store.pages):,} pages; ordering them")
        with Store(folder) as arranged:
            arrange(arranged, store)
            for name, value in begun.items():
                if value is not None:
                    arranged.set_meta(name, value)
            arranged.lost = lost
            arranged.claim(", ".join(dict.fromkeys(filter(None, sites))))
    shutil.rmtree(gathered)
    return doubled
