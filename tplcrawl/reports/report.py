"""``report.html``: what a crawl found, for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tplcrawl.reports.coverage import coverage
from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.drawing.plan import NODES, plan
from tplcrawl.reports.drawing.scatter import Dots, dots, labels
from tplcrawl.reports.drawing.steps import steps
from tplcrawl.reports.drawing.wireframe import Wireframe, wireframes
from tplcrawl.reports.html import COLOURS, clip, render
from tplcrawl.reports.sections.links import link_graph
from tplcrawl.reports.sections.neighbourhood import page_map
from tplcrawl.reports.urls import UrlTable, packed, squeezed, url_table
from tplcrawl.similarity.threads import one_thread

SIZE = 2_900_000
"""Characters of a report: the table of URLs takes what the rest leaves."""

URLS = "[URLS]"
"""Where the template of the page wants this table."""

LEAST = 100_000
"""Characters that the table of URLs takes in any case."""

NAMED, NAME = 40, 20
"""Templates whose names stand on the map, the largest ones, and the characters of a name."""

DEPTHS = 40
"""Depths that are shown; the exports have all."""

WAYS = 300
"""Edges of the template graph that are listed; the exports have all."""


@dataclass(frozen=True, slots=True)
class Report:
    """A crawl's report: its numbers, and its pictures."""

    numbers: dict[str, Any]
    """The content of ``coverage.json``."""
    wireframes: tuple[Wireframe, ...] = field(repr=False)
    """Of a typical page of each template."""
    kept: tuple[bool, ...] = field(repr=False)
    """Whether the HTML of some of its pages was kept."""
    dots: tuple[Dots, ...] = field(repr=False)
    urls: UrlTable = field(repr=False)
    redirects: tuple[tuple[str, int | None, str], ...] = field(repr=False)
    """Every URL that led to another one: where from, the status, where to."""

    @classmethod
    def of(cls, crawl: Crawl) -> Report:
        """Compute all that the report tells and shows."""
        with one_thread():
            map_ = page_map(crawl)
        bodies = set(crawl.store.pages.bodies())
        return cls(
            coverage(crawl, map_),
            tuple(wireframes(crawl.store.pages.outline(one.typical) for one in crawl.templates)),
            tuple(not bodies.isdisjoint(template.docids) for template in crawl.templates),
            tuple(dots(map_)),
            url_table(crawl),
            tuple(crawl.store.figures.redirects()),
        )

    def html(self, *, live: bool = False) -> str:
        """The report as one file."""
        numbers = self.numbers
        index = {int(one["id"][1:]): at for at, one in enumerate(numbers["templates"])}
        names = {
            int(one["id"][1:]): clip(one["name"], NAME) for one in numbers["templates"][:NAMED]
        }
        values = {
            "wireframes": self.wireframes,
            "kept": self.kept,
            "dots": [(index.get(one.template or 0, -1), one) for one in self.dots],
            "labels": labels(self.dots, names),
            "dot_urls": squeezed("\n".join(url for one in self.dots for url in one.urls)),
            "steps": steps(_discovered(numbers), numbers["funnel"]["pages"]),
            "found": steps(_found(numbers), numbers["funnel"]["pages"]),
            "plan": plan(numbers, link_graph(numbers)),
            "drawn": NODES,
            "ways": _ways(numbers["links"]["edges"]),
            "most_depths": DEPTHS,
            "index": {one["id"]: at for at, one in enumerate(numbers["templates"])},
            "states": self.urls.states,
            "table_of_urls": URLS,
            "rows": len(self.urls.rows),
            "coloured": COLOURS if live else len(numbers["templates"]),
            "colours": COLOURS,
        }
        page = render("report.html.j2", numbers, live=live, **values)
        room = max(SIZE - len(page.encode("utf-8", "replace")), LEAST)
        # Nothing that a site has written comes after it.
        before, _, after = page.rpartition(URLS)
        return before + packed(self.urls, room).text + after


def _discovered(numbers: dict[str, Any]) -> list[tuple[int, int]]:
    """After how many pages how many templates had been met."""
    return [(one["page"], met) for met, one in enumerate(numbers["discovery"]["curve"], 1)]


def _found(numbers: dict[str, Any]) -> list[tuple[int, int]]:
    """After how many pages how many of those had come that were looked for."""
    told = numbers["search"]
    return [] if told is None else [(one["page"], one["found"]) for one in told["curve"]]


def _ways(edges: Sequence[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    """The edges by which most pages were found, each with its place."""
    found = [(at, edge) for at, edge in enumerate(edges) if edge["found"]]
    return sorted(found, key=lambda one: (-one[1]["found"], one[0]))[:WAYS]
