"""``tables/``, and the summary for a terminal."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from rich.console import Console

from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.formulas import formula_safe
from tplcrawl.reports.report import Report
from tplcrawl.reports.tables import write_tables
from tplcrawl.reports.terminal import print_problems, print_report
from tplcrawl.reports.urls import UrlRow, UrlTable, packed
from tplcrawl.reports.written import Written
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State

Write = Callable[..., int]

URL = "http://a.com/"
NASTY = "=1+1<&>\"'\x0b\x1b\ud800\n,;"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def report(store: Store, write: Write) -> Report:
    write(store, URL, 1, links=[f"/p/{n}" for n in range(5)] + ["/later"])
    for n in range(5):
        write(store, f"{URL}p/{n}", 2, html=f"<title>{NASTY}</title>", links=["/"], depth=1)
    report = Report.of(Crawl.read(store, "max-pages"))
    report.numbers["templates"][0]["name"] = NASTY
    return report


def test_graph_tools_can_read_the_graph(report: Report, tmp_path: Path) -> None:
    """Whatever the templates are called; and no file says when it was written."""
    write_tables(report, tmp_path / "tables")
    found: list[Any] = [
        nx.read_graphml(tmp_path / "tables" / "links.graphml"),
        nx.read_gexf(tmp_path / "tables" / "links.gexf"),
    ]
    for graph in found:
        assert set(graph) == {"t1", "t2"}
        assert graph.nodes["t2"]["pages"] == 5
        assert graph.nodes["t2"]["label"].startswith("=1+1<&>")
        assert graph.edges["t1", "t2"]["found"] == 5
        assert graph.edges["t2", "t1"]["pages"] == 5
    before = {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()}
    write_tables(report, tmp_path / "tables")
    assert {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()} == before
    assert b"lastmodified" not in before["links.gexf"]


def test_tables_have_what_the_report_has_and_no_formulas(report: Report, tmp_path: Path) -> None:
    write_tables(report, tmp_path / "tables")
    (first, _) = rows(tmp_path / "tables" / "templates.csv")
    assert first["name"].startswith("'=1+1")
    assert (first["id"], first["pages"]) == ("t2", "5")
    assert {row["url"]: row["state"] for row in rows(tmp_path / "tables" / "urls.csv")} == {
        URL: "page", URL + "later": "max-pages", **{f"{URL}p/{n}": "page" for n in range(5)},
    }  # fmt: skip
    states = {
        (row["template"], row["state"]): row["urls"]
        for row in rows(tmp_path / "tables" / "states.csv")
    }
    assert states["t2", "fetched"] == "5"
    assert states["t2", "queued"] == "1"
    assert rows(tmp_path / "tables" / "titles.csv")[0]["pages"] == "5"
    for path in (tmp_path / "tables").glob("*.csv"):
        for row in rows(path):
            assert all(formula_safe(cell) == cell for cell in row.values())


@pytest.mark.parametrize("room", [0, 50, 400, 3000, 10**6])
def test_the_packed_table_fits_and_is_a_fair_part(room: int) -> None:
    """Of each template there is something, as long as there is room."""
    table = UrlTable(
        ("page",),
        tuple(sorted(UrlRow(f"{URL}{n * 7919 % 9973}", n % 10 % 7, 0, 1, 9) for n in range(2000))),
    )
    found = packed(table, room)
    assert len(found.text) <= room or found.shown == 0
    if room >= 3000:
        assert found.shown > 100
    if room == 10**6:
        assert found.shown == 2000


def test_a_crawl_that_ends_tells_what_is_wrong_and_no_more(report: Report) -> None:
    """Catches a crawl of which half the requests failed, and that says how many pages came."""
    console = Console(file=StringIO(), width=90, force_terminal=False)
    assert isinstance(console.file, StringIO)
    print_problems(console, Written((), report.numbers))
    assert console.file.getvalue() == ""
    report.numbers["findings"].insert(0, {"level": "bad", "section": "left-out", "text": "Gone"})
    print_problems(console, Written((), report.numbers))
    assert console.file.getvalue().split() == ["problem", "Gone"]


def test_the_terminal_tells_what_to_look_at_first(report: Report, store: Store) -> None:
    console = Console(file=StringIO(), width=90, force_terminal=False)
    report.numbers["findings"][0]["text"] = "[red]\x1b[2Jx"
    print_report(console, Written(Crawl.read(store, "max-pages").templates, report.numbers))
    assert isinstance(console.file, StringIO)
    lines = console.file.getvalue().splitlines()
    assert lines[0].strip().split(maxsplit=1) == [
        "URLs", "7 discovered → 7 wanted → 6 asked for → 6 fetched → 6 assigned"
    ]  # fmt: skip
    assert lines[1].strip().startswith("look [red]")
    assert all(line.isprintable() for line in lines)
    assert any(line.startswith("t2 ") for line in lines)


def test_every_url_that_led_to_another_one_is_in_a_table(
    store: Store, write: Write, tmp_path: Path
) -> None:
    """Also those on the way to others. Catches a table of the examples in the report only."""
    write(store, URL, 1, links=[f"/old/{n}" for n in range(30)])
    ids = store.urls.known([f"{URL}old/{n}" for n in range(30)])
    for n in range(29):
        store.urls.settle(
            ids[f"{URL}old/{n}"], State.REDIRECTED, status=301, target=ids[f"{URL}old/{n + 1}"]
        )
    write_tables(Report.of(Crawl.read(store, "finished")), tmp_path / "tables")
    assert [
        (row["url"], row["status"], row["to"])
        for row in rows(tmp_path / "tables" / "redirects.csv")
    ] == [(f"{URL}old/{n}", "301", f"{URL}old/{n + 1}") for n in range(29)]
