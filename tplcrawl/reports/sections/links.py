"""Which template leads to which: the site's plan."""

from __future__ import annotations

from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.sampling import spread
from tplcrawl.reports.crawl import Crawl

READ = 40
"""Pages of each template whose links are read."""

Way = tuple[str, str]
"""The ids of two templates."""

HUB = 3
"""A hub was the first to lead to pages of so many other templates."""


def links(crawl: Crawl) -> dict[str, Any]:
    """The edges between templates: how many of some pages of the one link to the other, how many
    links these are, and how many pages were first found so. And each template's part in the site:

    ``hub``: was the first to lead to pages of three or more other templates; ``list``: was the
    first to lead to at least as many pages as it has itself; ``dead end``: no links to other pages
    of the site; ``detail``: all others.
    """
    ids = {template.number: template.id for template in crawl.templates}
    found = {
        (ids[a], ids[b]): count
        for a, b, count in crawl.store.figures.found_through()
        if a in ids and b in ids
    }
    linking, total, read = _read(crawl)
    edges = [
        {
            "from": a,
            "to": b,
            "pages": linking[a, b],
            "links": total[a, b],
            "found": found.get((a, b), 0),
        }
        for a, b in sorted({*linking, *found}, key=lambda one: [int(id_[1:]) for id_ in one])
    ]
    return {"read": read, "edges": edges, "roles": _roles(crawl, found, linking)}


def _read(crawl: Crawl) -> tuple[Counter[Way], Counter[Way], dict[str, int]]:
    """Pages that link, and links, for each pair of templates, and how many pages were read."""
    size = max((page.docid for page in crawl.pages), default=0) + 1
    home = np.full(size, -1, np.int64)
    for number, template in enumerate(crawl.templates):
        home[template.docids] = number
    linking: Counter[Way] = Counter()
    total: Counter[Way] = Counter()
    for template in crawl.templates:
        targets: list[npt.NDArray[np.int64]] = []
        for docid, links in crawl.store.pages.sightings(spread(template.docids, READ)):
            targets.append(home[links.targets[(links.targets < size) & (links.targets != docid)]])
        # A number for each page and template that it links to.
        pairs = np.concatenate(
            [own[own >= 0] + at * len(crawl.templates) for at, own in enumerate(targets)]
        )
        numbers, counts = np.unique(pairs, return_counts=True)
        for number, count in zip(
            (numbers % len(crawl.templates)).tolist(), counts.tolist(), strict=True
        ):
            way = template.id, crawl.templates[number].id
            linking[way] += 1
            total[way] += count
    read = {one.id: min(READ, one.pages) for one in crawl.templates}
    return linking, total, read


def _roles(crawl: Crawl, found: dict[Way, int], linking: Counter[Way]) -> dict[str, str]:
    roles = {}
    others = Counter(a for a, b in found if a != b)
    led: Counter[str] = Counter()
    for (a, _), count in found.items():
        led[a] += count
    linked = {a for a, _ in linking}
    for template in crawl.templates:
        if others[template.id] >= HUB:
            role = "hub"
        elif others[template.id] and led[template.id] >= template.pages:
            role = "list"
        elif template.id not in linked:
            role = "dead end"
        else:
            role = "detail"
        roles[template.id] = role
    return roles


def link_graph(coverage: dict[str, Any]) -> nx.DiGraph[str]:
    """The template graph of ``coverage.json``."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    roles = coverage["links"]["roles"]
    for template in coverage["templates"]:
        graph.add_node(
            template["id"],
            label=template["name"],
            pages=template["pages"],
            role=roles[template["id"]],
        )
    for edge in coverage["links"]["edges"]:
        weights = {name: edge[name] for name in ("pages", "links", "found")}
        graph.add_edge(edge["from"], edge["to"], weight=edge["links"], **weights)
    return graph
