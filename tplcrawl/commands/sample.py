"""``tplcrawl sample``: crawl the bundled sample site and score what was found."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tplcrawl.commands.parsing import command_parser
from tplcrawl.errors import JobError, StoreError
from tplcrawl.evaluation.crawls import score_crawl
from tplcrawl.evaluation.sample.server import sample_server
from tplcrawl.evaluation.sample.site import SampleSite
from tplcrawl.store.database import FILE
from tplcrawl.store.store import Store


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
    site = SampleSite()
    with _made_anew(options.dir, site), sample_server(site) as server:
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


@contextmanager
def _made_anew(folder: Path, site: SampleSite) -> Iterator[None]:
    """Take away an earlier crawl of the sample site; it comes back where no other one begins."""
    aside = folder.with_name(f".{folder.name}.before")
    if folder.exists():
        if not _is_sample(folder, site):
            raise JobError(f"{folder} is no crawl of the sample site; it is not overwritten")
        shutil.rmtree(aside, ignore_errors=True)
        folder.replace(aside)
    try:
        yield
    finally:
        if aside.exists():
            if (folder / FILE).exists():
                shutil.rmtree(aside)
            else:
                shutil.rmtree(folder, ignore_errors=True)
                aside.replace(folder)


def _is_sample(folder: Path, site: SampleSite) -> bool:
    """Whether *folder* holds a crawl of pages of the sample site."""
    try:
        with Store(folder, write=False) as store:
            fetched = [urlsplit(row.url) for row in store.pages.rows()]
    except StoreError:
        return False
    targets = {f"{url.path}?{url.query}" if url.query else url.path for url in fetched}
    return targets <= site.truth().keys()
