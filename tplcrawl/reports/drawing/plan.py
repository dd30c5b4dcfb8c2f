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

_BOX, _TALL, _ROW = 146, 34, 46
_WIDE, _NEAR, _FAR = 1090, 78, 170
"""The width that columns are spread over, and how near and how far apart they may be."""
_BACK = 34
"""How far to the right edges go within a column."""
_ASIDE = 9
_LAYERS = 7
_SWEEPS = 4
_START = ""
"""What leads to the start pages."""


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
    back: bool
    """Whether it leads back towards the start."""


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
        if a != b and a in index and b in index and edge["found"]:
            share = edge["found"] / templates[index[b]]["pages"]
            ways.add_edge(a, b, found=edge["found"], share=share)
    tree = _tree(coverage, ways)
    # What led to a template is drawn in any case: else it would seem to come from nowhere.
    few = [way for way in ways.edges if ways.edges[way]["share"] < _FEW and way not in tree.edges]
    ways.remove_edges_from(few)
    layers = _layers(tree, ways)
    tallest = max(map(len, layers), default=1)
    apart = _WIDE - _BACK - len(layers) * _BOX
    apart = min(max(apart // max(len(layers) - 1, 1), _NEAR), _FAR)
    places: dict[str, Node] = {}
    for column, layer in enumerate(layers):
        top = (tallest - len(layer)) * _ROW / 2
        for row, name in enumerate(layer):
            x, y = 4 + column * (_BOX + apart), round(4 + top + row * _ROW)
            places[name] = Node(index[name], x, y)
    return Plan(
        width=8 + len(layers) * (_BOX + apart) - apart + _BACK,
        height=8 + tallest * _ROW,
        nodes=tuple(places.values()),
        edges=tuple(_edges(ways, places)),
    )


def _tree(coverage: dict[str, Any], ways: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """One way to each template, so that all begin at the start and together found as large a share
    of each one's pages as can be (the maximum spanning arborescence of Edmonds)."""
    first = coverage["depths"][0]["templates"] if coverage["depths"] else {}
    choice = nx.DiGraph()
    for name in ways:
        # Of all ways, the least: for what nothing else leads to.
        choice.add_edge(_START, name, share=1.0 + len(ways) if name in first else 1e-9)
    choice.add_weighted_edges_from(ways.edges(data="share"), weight="share")
    if not choice:
        return choice
    return nx.maximum_spanning_arborescence(choice, attr="share")


def _layers(tree: nx.DiGraph[str], ways: nx.DiGraph[str]) -> list[list[str]]:
    """The names in each layer, from the top."""
    far = nx.single_source_shortest_path_length(tree, _START) if tree else {}
    layers: defaultdict[int, list[str]] = defaultdict(list)
    for name in ways:
        layers[min(far[name], _LAYERS)].append(name)
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
        y1, y2 = source.y + _TALL // 2, target.y + _TALL // 2
        if target.x == source.x:
            x = source.x + _BOX
            path = f"M{x} {y1}C{x + _BACK} {y1} {x + _BACK} {y2} {x} {y2}"
        else:
            back = target.x < source.x
            x1, x2 = source.x + _BOX * (not back), target.x + _BOX * back
            if back:
                # Below the way forth, if there is one.
                y1, y2 = y1 + _ASIDE, y2 + _ASIDE
            bend = (x2 - x1) // 2
            path = f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"
        width = round(1 + 5 * (edge["found"] / most) ** 0.5, 1)
        yield Edge(source.index, target.index, path, width, target.x < source.x)
