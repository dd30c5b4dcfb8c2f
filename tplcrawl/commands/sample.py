"""``tplcrawl sample``: crawl the bundled sample site and score what was found."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tplcrawl.commands.parsing import command_parser
from tplcrawl.errors import JobError
from tplcrawl.evaluation.crawls import score_crawl
from tplcrawl.evaluation.sample.server import sample_server
from tplcrawl.evaluation.sample.site import SampleSite


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "sample",
        "crawl the bundled sample site, served on loopback, and score the result",
        run,
        "tplcrawl sample",
        "tplcrawl sample -o /tmp/sample -- -s TPLCRAWL_METHOD=uxclust",
    )
    parser.add_argument(
        "-o", dest="dir", type=Path, metavar="DIR", default=Path("crawls/sample"),
        help="the crawl's directory, made anew (default: crawls/sample)",
    )  # fmt: skip
    parser.add_argument("arguments", nargs="*", metavar="ARG", help="passed on to scrapy crawl")


def run(options: argparse.Namespace) -> int:
    """Serve, crawl, score."""
    if options.dir.exists():
        if not (options.dir / "crawl.db").is_file():
            raise JobError(f"{options.dir} is no crawl; it is not overwritten")
        shutil.rmtree(options.dir)
    site = SampleSite()
    with sample_server(site) as server:
        command = [
            sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={server.url}",
            "-s", f"TPLCRAWL_DIR={options.dir}", *options.arguments,
        ]  # fmt: skip
        settings = {**os.environ, "SCRAPY_SETTINGS_MODULE": "tplcrawl.crawl.defaults"}
        code = subprocess.call(command, env=settings)
    if code:
        return code
    scores = score_crawl(options.dir, site.truth())
    print(
        f"against the truth ({scores.templates} templates): F1 {scores.f1:.3f}, "
        f"precision {scores.precision:.3f}, recall {scores.recall:.3f}, ARI {scores.ari:.3f}"
    )
    return 0
