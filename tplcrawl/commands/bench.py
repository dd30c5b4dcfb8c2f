"""``tplcrawl bench``: measurements, side by side in one run."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from tplcrawl.commands import (
    bench_archive,
    bench_budget,
    bench_classify,
    bench_mismatches,
    bench_online,
    bench_quality,
    bench_report,
    bench_similar,
    bench_soak,
    bench_speed,
    bench_wrappers,
)
from tplcrawl.commands.parsing import command_parser
from tplcrawl.evaluation.crawl_bench import Cost, compare


def add_parser(commands: Any) -> None:
    """Add this command and its parts."""
    parser = command_parser(
        commands,
        "bench",
        "measure what tplcrawl costs",
        lambda options: 0,
        "tplcrawl bench crawl",
        "tplcrawl bench quality corpora/*",
        "tplcrawl bench classify corpora/*",
        "tplcrawl bench online corpora/*",
        "tplcrawl bench budget corpora/*",
        "tplcrawl bench mismatches corpora/*",
        "tplcrawl bench speed",
        "tplcrawl bench report",
        "tplcrawl bench wrappers swde/*",
        "tplcrawl bench archive",
        "tplcrawl bench similar",
        "tplcrawl bench soak",
    )
    parts = parser.add_subparsers(title="benchmarks", metavar="WHAT", required=True)
    bench_quality.add_parser(parts)
    bench_classify.add_parser(parts)
    bench_online.add_parser(parts)
    bench_budget.add_parser(parts)
    bench_mismatches.add_parser(parts)
    bench_speed.add_parser(parts)
    bench_report.add_parser(parts)
    bench_wrappers.add_parser(parts)
    bench_archive.add_parser(parts)
    bench_similar.add_parser(parts)
    bench_soak.add_parser(parts)
    crawl = command_parser(
        parts,
        "crawl",
        "a crawl by stock Scrapy, by the same with the add-on, and by the site spider",
        _crawl,
        "tplcrawl bench crawl",
        "tplcrawl bench crawl --pages 2000 --rounds 3 --json",
    )
    crawl.add_argument("--pages", type=int, default=600, help="pages of a crawl (default: 600)")
    crawl.add_argument("--links", type=int, default=200, help="links of a page (default: 200)")
    crawl.add_argument("--rounds", type=int, default=2, help="the best counts (default: 2)")
    crawl.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def _crawl(options: argparse.Namespace) -> int:
    server = subprocess.Popen(
        [sys.executable, "-m", "tplcrawl.evaluation.sample",
         "--menu", str(max(options.links - 35, 0)), "--products", str(options.pages)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        short = max(options.pages // 6, 10)
        costs = compare(
            url, short=short, long=options.pages, rounds=options.rounds, progress=_progress
        )
    finally:
        server.terminate()
        server.wait()
    if options.json:
        print(json.dumps([asdict(cost) for cost in costs], indent=1))
    else:
        Console().print(_table(costs))
    return 0


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def _table(costs: list[Cost]) -> Table:
    first = costs[0]
    table = Table(box=None, pad_edge=False)
    for name in ("", "CPU ms/page", "× stock", "pages/CPU s", "× stock", "pages/s", "peak MB",
                 "kB/page"):  # fmt: skip
        table.add_column(name, justify="right" if name else "left")
    for cost in costs:
        table.add_row(
            cost.variant,
            f"{cost.cpu_ms:.2f}",
            f"{cost.cpu_ms / first.cpu_ms:.3f}",
            f"{cost.pages_per_cpu_second:.1f}",
            f"{cost.pages_per_cpu_second / first.pages_per_cpu_second:.2f}",
            f"{cost.pages_per_second:.1f}",
            f"{cost.rss_mb:.0f}",
            f"{cost.rss_kb_per_page:.1f}",
        )
    return table
