"""``tplcrawl bench report``: what the report of a large crawl costs."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tplcrawl.commands.bench_tables import print_rows, show_progress
from tplcrawl.commands.parsing import command_parser
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.made_crawl import make_crawl
from tplcrawl.store.database import FILE
from tplcrawl.store.store import Store


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "report",
        "time, memory and size of the report of a crawl that is made for it",
        run,
        "tplcrawl bench report",
        "tplcrawl bench report --pages 10000 --templates 20 --json",
        "tplcrawl bench report --keep /tmp/made",
    )
    parser.add_argument("--pages", type=int, default=100_000, help="default: 100000")
    parser.add_argument("--templates", type=int, default=200, help="at most; default: 200")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="make the crawl there, unless one is there already"
    )
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Make a crawl, write its report in a process of its own, and print what that took."""
    if options.pages < 1 or options.templates < 1:
        raise UsageError("--pages and --templates must be at least 1")
    with TemporaryDirectory() as passing:
        folder = options.keep or Path(passing)
        if not (folder / FILE).exists():
            make_crawl(
                folder, options.pages, options.templates,
                lambda pages: show_progress(f"{pages:,} pages made"),
            )  # fmt: skip
            show_progress("")
        with Store(folder, write=False) as store:
            pages = len(store.pages)
        code = f"from tplcrawl.commands import main; main(['report', {str(folder)!r}])"
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        row = {
            "pages": pages,
            "cpu_s": round(used.ru_utime + used.ru_stime, 1),
            "peak_mb": round(used.ru_maxrss / 1024),
            "html_kb": round((folder / "report.html").stat().st_size / 1024),
        }
    print_rows([row], as_json=options.json)
    return 0
