"""``tplcrawl model``: the templates of a crawl in one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tplcrawl.commands.parsing import command_parser
from tplcrawl.reports.files import whole_file
from tplcrawl.reports.models import read_model
from tplcrawl.reports.wording import counted


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "model",
        "write the templates of a crawl to one file, from which others can start",
        run,
        "tplcrawl model crawls/example.com -o example.json",
        "scrapy crawl site -a url=http://example.com/ -s TPLCRAWL_MODEL=example.json",
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="a crawl's directory")
    parser.add_argument(
        "-o", dest="file", type=Path, metavar="FILE", required=True, help="where the model goes"
    )


def run(options: argparse.Namespace) -> int:
    """Read the crawl, write the file."""
    model = read_model(options.dir)
    if options.file.is_file():
        # Whatever else it is, it is not overwritten.
        read_model(options.file)
    with whole_file(options.file) as file:
        file.write(model.encode().encode("utf-8", "surrogatepass"))
        file.write(b"\n")
    templates = len({row[0] for row in model.rows})
    print(f"{counted(templates, 'template')}, {counted(len(model.rows), 'page')} → {options.file}")
    return 0
