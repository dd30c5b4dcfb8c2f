"""What the commands' parsers share."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[[argparse.Namespace], int]


def command_parser(
    commands: Any, name: str, help_: str, run: Run, *examples: str
) -> argparse.ArgumentParser:
    """Add a command with examples below its help."""
    lines = "\n".join(f"  {example}" for example in examples)
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_,
        description=f"{help_[0].upper()}{help_[1:]}.",
        epilog=f"examples:\n{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_sites(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add packed sites to the arguments; with a *default*, there need not be any."""
    packed = "a packed site: a directory with site.json, map.json and truth.tsv"
    parser.add_argument(
        "sites",
        nargs="*" if default else "+",
        type=Path,
        metavar="SITE",
        help=f"{packed} (default: {default})" if default else packed,
    )


def parameter(text: str) -> tuple[str, Any]:
    """A method's parameter from the command line.

    >>> parameter("similarity=0.9"), parameter("most=100"), parameter("split=auto")
    (('similarity', 0.9), ('most', 100), ('split', 'auto'))
    """
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"not NAME=VALUE: {text!r}")
    for read in (int, float):
        try:
            return name, read(value)
        except ValueError:
            continue
    return name, value


def print_json(value: Any) -> None:
    """Print *value* for machines, on one line."""
    print(json.dumps(value, ensure_ascii=False))
