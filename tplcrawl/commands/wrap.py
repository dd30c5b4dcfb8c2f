"""``tplcrawl wrap``: learn for each template of a crawl how its pages turn into records."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from tplcrawl.clustering.names import printable
from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.commands.printer import Printer
from tplcrawl.errors import InputError, UsageError
from tplcrawl.reports.templates import TemplateRow, template_rows
from tplcrawl.store.store import Store
from tplcrawl.wrappers.affixes import bared
from tplcrawl.wrappers.exports import EXPORTS, export
from tplcrawl.wrappers.library import FOLDER, bundle_of, learn_template, write_lesson
from tplcrawl.wrappers.structured import available
from tplcrawl.wrappers.wrapper import Field, Wrapper


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "wrap",
        "learn how the pages of each template turn into records",
        run,
        "tplcrawl wrap crawls/example.com",
        "tplcrawl wrap crawls/example.com --template t3 --json",
        "tplcrawl wrap crawls/example.com --export web-poet",
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="a crawl's directory")
    parser.add_argument("--template", metavar="ID", help="one template only (default: all)")
    parser.add_argument(
        "--export", choices=EXPORTS, default="json",
        help="also as page objects and fixtures for web-poet, templates for scrapely, or HTML with"
        " a manifest, below DIR/exports",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the wrappers, a line for each")


def run(options: argparse.Namespace) -> int:
    """Learn, write, tell."""
    with Store(options.dir, write=False) as store:
        if store.empty:
            raise InputError(f"the crawl in {options.dir} has no pages")
        store.need_structure()
        wrappers = list(wrap(store, options.template))
        exported = None
        if options.export != "json":
            bundles = [bundle_of(store, wrapper) for wrapper in wrappers if wrapper.fields]
            exported = export(options.export, options.dir, bundles)
    if options.json:
        for wrapper in wrappers:
            print_json(wrapper.as_dict())
    else:
        _print(wrappers, exported or options.dir / FOLDER)
    return 0


def wrap(store: Store, only: str | None = None) -> Iterator[Wrapper]:
    """Learn and write the wrapper of each template, or of one."""
    rows = template_rows(store, list(store.pages.rows()))
    templates = [row for row in rows if only in (None, row.id, *row.aliases)]
    if not templates:
        raise (
            UsageError(f"there is no template {only}")
            if only
            else InputError(f"the crawl in {store.folder} has no templates")
        )
    made = 0
    for number, template in enumerate(templates, 1):
        _progress(number, len(templates), template)
        lesson = learn_template(store, template)
        if lesson is not None:
            write_lesson(store.folder, lesson)
            made += 1
            yield lesson.wrapper
    _progress()
    if not made:
        pages, wanted = (f"of {only} ", "all") if only else ("", "samples or all")
        raise InputError(
            f"no HTML {pages}was kept in {store.folder}: crawl with TPLCRAWL_SAVE_HTML={wanted},"
            f" or cluster with --save-html {wanted}"
        )


def _progress(number: int = 0, of: int = 0, template: TemplateRow | None = None) -> None:
    if sys.stderr.isatty():
        told = f"template {template.id}, {number} of {of}" if template else ""
        sys.stderr.write(f"\r\x1b[K{told}")
        sys.stderr.flush()


def _print(wrappers: list[Wrapper], folder: Path) -> None:
    table = Table(box=None, pad_edge=False)
    for name in ("id", "name", "pages", "fields", "lists", "for example"):
        table.add_column(name, justify="right" if name in ("pages", "fields", "lists") else "left")
    for wrapper in wrappers:
        told = ", ".join(f"{name}: {value}" for name, value in _for_example(wrapper))
        lists = sum(not rows.low for rows in wrapper.lists)
        table.add_row(
            wrapper.template, escape(wrapper.name), str(len(wrapper.learned_from)),
            str(len(wrapper.shown)), str(lists), escape(told),
        )  # fmt: skip
    Printer().print(table)
    for wrapper in wrappers:
        for warning in wrapper.warnings:
            print(f"tplcrawl: {wrapper.template}: {printable(warning)}", file=sys.stderr)
        for syntax, agreed in wrapper.structured.items():
            found, of = agreed["found"], agreed["properties"]
            print(f"{wrapper.template}: {found} of {of} properties of its {syntax} are fields")
    if not available():
        told = "JSON-LD, microdata and the like were not read: pip install 'tplcrawl[wrappers]'"
        print(f"tplcrawl: {told}", file=sys.stderr)
    print(f"\n→ {folder}")


def _for_example(wrapper: Wrapper) -> list[tuple[str, str]]:
    """Some fields with a value, none of which is another one's text with what stands around it."""
    shown = [one for one in wrapper.shown if one.examples]
    best = sorted(shown, key=lambda one: (one.named_by == "position", -one.support))
    fields: dict[str, Field] = {}
    for one in best:
        fields.setdefault(one.examples[0], one)
    return [
        (one.name, printable(bared(text, one.prefix, one.suffix)[:24]))
        for text, one in list(fields.items())[:3]
    ]
