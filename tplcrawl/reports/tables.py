"""``tables/``: every table of the report for spreadsheets, the template graph for graph tools."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import networkx as nx
from networkx.readwrite.gexf import GEXFWriter

from tplcrawl.clustering.names import printable
from tplcrawl.reports.files import whole_file
from tplcrawl.reports.formulas import formula_safe
from tplcrawl.reports.report import Report
from tplcrawl.reports.sections.links import link_graph

Row = Sequence[Any]

_TEMPLATE = ("id", "name", "pages", "share", "role", "cohesion", "confidence", "judged", "agree",
             "fetched", "queued", "url_pattern", "nearest", "why")  # fmt: skip


def write_tables(report: Report, folder: Path) -> None:
    """Write every table as CSV, and the template graph as GraphML and GEXF."""
    for name, rows in tables(report.numbers).items():
        _write_csv(folder / f"{name}.csv", ([_cell(one) for one in row] for row in rows))
    _write_csv(folder / "urls.csv", _urls(report))
    redirects = ([_cell(value) for value in one] for one in report.redirects)
    _write_csv(folder / "redirects.csv", chain([("url", "status", "to")], redirects))
    graph = _xml_safe(link_graph(report.numbers))
    with whole_file(folder / "links.graphml") as file:
        nx.write_graphml_lxml(graph, file)
    with whole_file(folder / "links.gexf") as file:
        writer = GEXFWriter(prettyprint=False)
        writer.add_graph(graph)
        # It would say when it was written.
        for meta in writer.xml.findall("meta"):
            writer.xml.remove(meta)
        file.write(str(writer).encode())


def tables(numbers: dict[str, Any]) -> dict[str, list[Row]]:
    """The tables by name, each with its head as the first row."""
    return {
        "templates": [
            _TEMPLATE,
            *([one[name] for name in _TEMPLATE] for one in numbers["templates"]),
        ],
        "states": [("template", "state", "reason", "urls"), *_states(numbers)],
        "left_out": [
            ("reason", "state", "urls", "example"),
            *(
                (one["reason"], one["state"], one["urls"], one["examples"][0])
                for one in numbers["left_out"]
            ),
        ],
        "depths": [("depth", "template", "pages"), *_depths(numbers)],
        "discovery": [
            ("page", "template"),
            *((one["page"], one["template"]) for one in numbers["discovery"]["curve"]),
        ],
        "search": [
            ("page", "found"),
            *((one["page"], one["found"]) for one in (numbers["search"] or {}).get("curve", ())),
        ],
        "links": [
            ("from", "to", "found", "pages", "links"),
            *(
                [edge[name] for name in ("from", "to", "found", "pages", "links")]
                for edge in numbers["links"]["edges"]
            ),
        ],
        "mismatches": [
            ("expected", "found", "pages"),
            *(
                (one["expected"], one["found"], one["pages"])
                for one in numbers["mismatches"]["pairs"]
            ),
        ],
        "statuses": [("status", "urls"), *numbers["answers"]["statuses"].items()],
        "titles": [
            ("title", "pages"),
            *(
                (one["title"], one["pages"])
                for one in numbers["answers"]["duplicates"]["titles"]
            ),
        ],
        "unassigned": [
            ("url", "title", "reason"),
            *(
                (one["url"], one["title"], one["reason"])
                for one in numbers["unassigned"]["examples"]
            ),
        ],
    }  # fmt: skip


def _states(numbers: dict[str, Any]) -> Iterator[Row]:
    rows = [(one["id"], one) for one in numbers["templates"]]
    for id_, row in [*rows, ("", numbers["unassigned"])]:
        yield id_, "fetched", "", row["fetched"]
        yield id_, "queued", "", row["queued"]
        for state in ("skipped", "failed"):
            for reason, count in row[state].items():
                yield id_, state, reason, count


def _depths(numbers: dict[str, Any]) -> Iterator[Row]:
    for one in numbers["depths"]:
        for template, count in one["templates"].items():
            yield one["depth"], template, count
        if one["unassigned"]:
            yield one["depth"], "", one["unassigned"]


def _urls(report: Report) -> Iterator[Row]:
    yield "url", "template", "state", "depth", "confidence"
    # The last one is that of no template: -1.
    ids = [*(one["id"] for one in report.numbers["templates"]), ""]
    states = [_cell(state) for state in report.urls.states]
    for url, template, state, depth, confidence in report.urls.rows:
        yield _cell(url), ids[template], states[state], depth, confidence / 100


def _write_csv(path: Path, rows: Iterable[Row]) -> None:
    with whole_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerows(rows)
        text.flush()
        text.detach()


def _cell(value: Any) -> Any:
    return formula_safe(value.replace("\0", "\ufffd")) if isinstance(value, str) else value


def _xml_safe(graph: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """*graph* without characters that XML does not know."""
    for _, values in graph.nodes(data=True):
        values["label"] = printable(values["label"])
    return graph
