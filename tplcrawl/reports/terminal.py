"""The summary of a crawl for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tplcrawl.clustering.names import printable
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.reports.wording import counted
from tplcrawl.reports.written import Written

MOST = 25
"""Templates in the table; the rest are counted in one line."""


UNCUT = 1_000
"""The width of what is no terminal: nothing is cut, and nothing need be filled."""


def summary_table(templates: Sequence[TemplateRow], *, wide: bool) -> Table:
    """The templates of a crawl, largest first, over the whole width if that is *wide*."""
    table = Table(box=None, pad_edge=False, header_style="bold", expand=wide)
    table.add_column("id", style="cyan", no_wrap=True)
    table.add_column("name", no_wrap=True, max_width=24)
    table.add_column("pages", justify="right", no_wrap=True)
    table.add_column("share", justify="right", no_wrap=True)
    table.add_column("sample", no_wrap=True, overflow="ellipsis", ratio=1)
    for row in templates[:MOST]:
        share = f"{row.share:.1%}"
        sample = escape(printable(row.sample_urls[0])) if row.sample_urls else ""
        table.add_row(row.id, escape(printable(row.name)), f"{row.pages:,}", share, sample)
    return table


_LEVELS = {"bad": ("problem", "red"), "look": ("look", "yellow"), "good": ("fine", "green")}


def print_report(console: Console, written: Written) -> None:
    """Print what ``report.html`` begins with: how far the URLs came, what to look at, and the
    templates."""
    steps = ("discovered", "wanted", "asked", "fetched", "assigned")
    words = ("discovered", "wanted", "asked for", "fetched", "assigned")
    funnel = written.numbers["funnel"]
    line = " → ".join(f"{funnel[step]:,} {word}" for step, word in zip(steps, words, strict=True))
    lines = Table.grid(padding=(0, 1))
    lines.add_column(justify="right", no_wrap=True)
    lines.add_column()
    lines.add_row("URLs", line)
    _add_findings(lines, written.numbers["findings"])
    console.print(lines)
    console.print()
    print_summary(console, written.templates)


def print_problems(console: Console, written: Written) -> None:
    """Print what is wrong with a crawl that has ended, if anything is."""
    wrong = [one for one in written.numbers.get("findings", ()) if one["level"] == "bad"]
    if wrong:
        lines = Table.grid(padding=(0, 1))
        _add_findings(lines, wrong)
        console.print()
        console.print(lines)


def _add_findings(lines: Table, findings: Sequence[dict[str, Any]]) -> None:
    for finding in findings:
        word, style = _LEVELS[finding["level"]]
        lines.add_row(f"[{style}]{word}[/]", escape(printable(finding["text"])))


def print_diff(console: Console, numbers: dict[str, Any]) -> None:
    """Print what changed between two crawls; templates that stayed as they were are counted."""
    if numbers["redesign"]:
        console.print(
            f"[bold red]redesign[/] {numbers['moved']:.0%} of the old pages are of templates that"
            " changed or vanished",
            highlight=False,
        )
    wide = console.width < UNCUT
    table = Table(box=None, pad_edge=False, header_style="bold", expand=wide)
    table.add_column("what happened", no_wrap=True)
    table.add_column("name", no_wrap=True, max_width=24)
    table.add_column("before", justify="right", no_wrap=True)
    table.add_column("after", justify="right", no_wrap=True)
    table.add_column("alike", justify="right", no_wrap=True)
    table.add_column("URLs", no_wrap=True, overflow="ellipsis", ratio=1)
    moved = [one for one in numbers["templates"] if one["states"]]
    for one in moved[:MOST]:
        table.add_row(
            ", ".join(one["states"]),
            escape(printable(one["name"])),
            f"{one['pages_old']:,}",
            f"{one['pages_new']:,}",
            "" if one["alike"] is None else f"{one['alike']:.2f}",
            escape(printable(one["url_pattern"])),
        )
    if moved:
        console.print(table)
    if len(moved) > MOST:
        console.print(f"… and {counted(len(moved) - MOST, 'more template')} that changed")
    same = len(numbers["templates"]) - len(moved)
    console.print(f"{counted(same, 'template')} as before", highlight=False)


def print_summary(console: Console, templates: Sequence[TemplateRow]) -> None:
    """Print the table, and what it leaves out."""
    if not templates:
        console.print("no template was found")
        return
    console.print(summary_table(templates, wide=console.width < UNCUT))
    rest = templates[MOST:]
    if rest:
        pages = sum(row.pages for row in rest)
        console.print(f"… and {counted(len(rest), 'more template')} with {counted(pages, 'page')}")
