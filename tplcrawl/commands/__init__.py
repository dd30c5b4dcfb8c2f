"""The command line, thin: one module for each command of the ``tplcrawl`` tool."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tplcrawl import __version__
from tplcrawl.commands.output import OutputLost, print_anything, print_no_more, printing
from tplcrawl.errors import TplcrawlError
from tplcrawl.store.database import DAMAGE, FILE, unusable

COMMANDS = (
    "cluster",
    "classify",
    "similar",
    "wrap",
    "extract",
    "check",
    "report",
    "diff",
    "merge",
    "model",
    "repair",
    "sample",
    "bench",
)
"""The modules of the commands, by name."""


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of the ``tplcrawl`` tool, or of those of its commands that are asked for: to
    import the others takes longer than most of them run."""
    top = argparse.ArgumentParser(
        prog="tplcrawl",
        description="Find the templates of web sites. To crawl one: scrapy crawl site -a url=…",
    )
    top.add_argument("--version", action="version", version=f"tplcrawl {__version__}")
    commands = top.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    for name in names:
        import_module(f"tplcrawl.commands.{name}").add_parser(commands)
    return top


def _options(words: Sequence[str]) -> argparse.Namespace:
    """What *words* say. Where a command takes pages that may be left out, the parser takes none if
    an option stands before them: ``extract DIR --json PAGE``. They come back as left over."""
    top = parser(words[:1] if words and words[0] in COMMANDS else COMMANDS)
    options, left = top.parse_known_args(words)
    if left and (options.command != "extract" or any(_is_option(word) for word in left)):
        top.error(f"unrecognized arguments: {' '.join(left)}")
    if left:
        options.pages += left
    return options


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def _damaged(options: argparse.Namespace) -> Path:
    """The database that is damaged, of those that *options* name."""
    from tplcrawl.batch.repair import problems_of

    values = vars(options).values()
    named = [one for value in values for one in (value if isinstance(value, list) else [value])]
    found = [one / FILE for one in named if isinstance(one, Path) and (one / FILE).is_file()]
    own = [*found, getattr(options, "dir", Path()) / FILE]
    return next((path for path in found if problems_of(path.parent)), own[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the ``tplcrawl`` tool; return its exit code: 0 done, 1 failed, 2 wrong usage."""
    print_anything()
    printing()
    words = sys.argv[1:] if arguments is None else arguments
    options = _options(words)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except TplcrawlError as error:
        if isinstance(error, OutputLost):
            print_no_more()
        print(f"tplcrawl: {error}", file=sys.stderr)
        return error.exit_code
    except DAMAGE as error:
        print(f"tplcrawl: {unusable(_damaged(options), error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("tplcrawl: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        print_no_more()  # whoever read it has had enough; there is nobody to tell
        return 0
    except OSError as error:
        print_no_more()
        print(f"tplcrawl: {error}", file=sys.stderr)
        return 1
