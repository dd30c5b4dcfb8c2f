from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from rich.console import Console

from tplcrawl.reports.templates import TemplateRow
from tplcrawl.reports.terminal import MOST, print_summary

MakeRow = Callable[..., TemplateRow]


def printed(rows: list[TemplateRow], width: int = 120) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=False)
    print_summary(console, rows)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("count", [0, 1, MOST - 1, MOST, MOST + 1, MOST + 2, 90])
def test_every_template_is_shown_or_counted(row: MakeRow, count: int) -> None:
    rows = [row(n, 1000 - n, name=f"kind{chr(97 + n % 26)}") for n in range(1, count + 1)]
    lines = printed(rows).splitlines()
    shown = [line for line in lines[1:] if line.startswith("t")]
    assert [line.split()[0] for line in shown] == [one.id for one in rows[:MOST]]
    rest = [line for line in lines if line.startswith("…")]
    if count <= MOST:
        assert rest == []
    else:
        left = count - MOST
        pages = sum(one.pages for one in rows[MOST:])
        noun = "template" if left == 1 else "templates"
        assert rest == [f"… and {left} more {noun} with {pages:,} pages"]


@pytest.mark.parametrize("text", ["[red]x[/red]", "[/]", "[link=http://evil.com]x", "\\[b]"])
def test_markup_in_names_and_urls_is_text(row: MakeRow, text: str) -> None:
    out = printed([row(1, 3, name=text, url=f"http://[::1]/{text}")])
    assert out.count(text) == 2


@pytest.mark.parametrize("text", ["\x1b]0;gone\x07", "\x1b[2J", "a\nb", "\x9b31m", "\r"])
def test_nothing_that_a_site_writes_steers_the_terminal(row: MakeRow, text: str) -> None:
    out = printed([row(1, 3, name=f"x{text}y", url=f"http://a.com/{text}")])
    assert all(line.isprintable() for line in out.split("\n"))
    assert len(out.splitlines()) == 2


def test_a_narrow_terminal_loses_no_template(row: MakeRow) -> None:
    out = printed([row(n, 5, url="http://a.com/" + "x" * 200) for n in range(1, 10)], width=60)
    assert len(out.splitlines()) == 10
    assert all(len(line) <= 60 for line in out.splitlines())
