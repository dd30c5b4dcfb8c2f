"""The template graph as a drawing: from the start pages on the left to what they lead to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import networkx as nx

NODES = 40
"""Templates that are drawn: the largest ones."""

_FEW = 0.05
"""An edge is drawn if so large a share of the target's pages was found that way."""

_BOX, _TALL, _APART, _ROW = 132, 34, 78, 46
_BACK = 34
"""How far to the right edges go that lead back."""
_LAYERS = 6
_SWEEPS = 4


@dataclass(frozen=True, slots=True)
class Node:
    """A template in the drawing."""

    index: int
    """Its place among the templates, largest first."""
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Edge:
    """The way on which pages of a template were found."""

    source: int
    target: int
    path: str
    width: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A drawing of the template graph."""

    width: int
    height: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    box: int = _BOX
    tall: int = _TALL


def plan(coverage: dict[str, Any], graph: nx.DiGraph[str]) -> Plan:
    """Draw the ways on which pages were first found, layer by layer (Sugiyama's scheme): a
    template stands one layer behind the one that led to most of its pages; within a layer, near to
    those that lead to it."""
    templates = coverage["templates"][:NODES]
    index = {one["id"]: at for at, one in enumerate(templates)}
    ways = nx.DiGraph()
    ways.add_nodes_from(index)
    for a, b, edge in graph.edges(data=True):
        if a == b or a not in index or b not in index:
            continue
        if edge["found"] >= max(1, _FEW * templates[index[b]]["pages"]):
            ways.add_edge(a, b, found=edge["found"])
    layers = _layers(coverage, ways)
    tallest = max(map(len, layers), default=1)
    places: dict[str, Node] = {}
    for column, layer in enumerate(layers):
        top = (tallest - len(layer)) * _ROW / 2
        for row, name in enumerate(layer):
            x, y = 4 + column * (_BOX + _APART), round(4 + top + row * _ROW)
            places[name] = Node(index[name], x, y)
    return Plan(
        width=8 + len(layers) * (_BOX + _APART) - _APART + _BACK,
        height=8 + tallest * _ROW,
        nodes=tuple(places.values()),
        edges=tuple(_edges(ways, places)),
    )


def _layers(coverage: dict[str, Any], ways: nx.DiGraph[str]) -> list[list[str]]:
    """The names in each layer, from the top."""
    first: dict[str, int] = {}
    for depth in coverage["depths"]:
        for name in depth["templates"]:
            first.setdefault(name, depth["depth"])
    order = sorted(set(first.values()))
    layers: defaultdict[int, list[str]] = defaultdict(list)
    for name in ways:
        layers[min(order.index(first[name]), _LAYERS - 1)].append(name)
    found = [layers[number] for number in sorted(layers)]
    for _ in range(_SWEEPS):
        for before, layer in pairwise(found):
            rank = {name: at for at, name in enumerate(before)}
            centre = {}
            for at, name in enumerate(layer):
                above = [rank[one] for one in ways.predecessors(name) if one in rank]
                centre[name] = sum(above) / len(above) if above else float(at)
            layer.sort(key=lambda name: (centre[name], name))
    return found


def _edges(ways: nx.DiGraph[str], places: dict[str, Node]) -> Iterator[Edge]:
    most = max((one["found"] for _, _, one in ways.edges(data=True)), default=1)
    for a, b, edge in ways.edges(data=True):
        source, target = places[a], places[b]
        x1, y1 = source.x + _BOX, source.y + _TALL // 2
        x2, y2 = target.x, target.y + _TALL // 2
        if x2 > x1:
            bend = (x2 - x1) // 2
            path = f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"
        else:
            # Back, or within a layer: out on the right side, and in on the right side.
            x2 = target.x + _BOX
            out = max(x1, x2) + _BACK
            path = f"M{x1} {y1}C{out} {y1} {out} {y2} {x2} {y2}"
        width = round(1 + 5 * (edge["found"] / most) ** 0.5, 1)
        yield Edge(source.index, target.index, path, width)
