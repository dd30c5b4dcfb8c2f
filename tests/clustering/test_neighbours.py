from __future__ import annotations

from collections.abc import Collection

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.neighbours import shared_neighbours

Edges = Collection[tuple[int, int]]

NODES = 9
EDGES = st.sets(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)))
OVERLAPS = st.sampled_from([0.2, 0.5, 0.6, 0.85, 1.0])


def graph_of(edges: Edges, nodes: int = NODES) -> nx.Graph[int]:
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)
    return graph


def slowly(edges: Edges, overlap: float) -> list[list[int]]:
    """Round after round, over sets: whatever neighbouring clusters share enough are merged."""
    near = {node: {node} for node in range(NODES)}
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    clusters = [{node} for node in range(NODES)]
    while True:
        seen = [set().union(*(near[node] for node in cluster)) for cluster in clusters]
        parts = [{i} for i in range(len(clusters))]
        for i, one in enumerate(clusters):
            for j, other in enumerate(clusters):
                share = len(seen[i] & seen[j]) / len(seen[i] | seen[j])
                if i < j and share >= overlap and any(near[node] & other for node in one):
                    touched = [part for part in parts if {i, j} & part]
                    parts = [part for part in parts if part not in touched]
                    parts.append(set().union(*touched))
        if len(parts) == len(clusters):
            return sorted(sorted(cluster) for cluster in clusters)
        clusters = [set().union(*(clusters[i] for i in part)) for part in parts]


@given(edges=EDGES, overlap=OVERLAPS)
def test_clusters_are_those_of_the_definition(edges: Edges, overlap: float) -> None:
    assert shared_neighbours(graph_of(edges), overlap) == slowly(edges, overlap)


@given(edges=EDGES, overlap=OVERLAPS, order=st.permutations(range(NODES)))
def test_the_order_of_nodes_does_not_matter(edges: Edges, overlap: float, order: list[int]) -> None:
    moved = shared_neighbours(graph_of([(order[a], order[b]) for a, b in edges]), overlap)
    expected = shared_neighbours(graph_of(edges), overlap)
    assert moved == sorted(sorted(order[node] for node in cluster) for cluster in expected)


@given(edges=EDGES)
def test_without_an_overlap_all_that_hangs_together_is_one(edges: Edges) -> None:
    graph = graph_of(edges)
    assert shared_neighbours(graph, 0) == sorted(map(sorted, nx.connected_components(graph)))


def test_an_outlier_stays_out() -> None:
    """It has one neighbour in a cluster of twenty; single link would take it in."""
    graph = nx.complete_graph(20)
    graph.add_edge(19, 20)
    assert shared_neighbours(graph, 0.85) == [[*range(20)], [20]]


def test_two_templates_with_one_page_between_them_are_two() -> None:
    graph = nx.barbell_graph(10, 1)
    assert shared_neighbours(graph, 0.85) == [[*range(10)], [10], [*range(11, 21)]]


@pytest.mark.parametrize("shared", [17, 16])
def test_the_overlap_is_the_share_of_all_neighbours(shared: int) -> None:
    """Two pages with *shared* neighbours in common, themselves among them, of twenty in all."""
    graph = graph_of([(0, 1), *((0, n) for n in range(2, 20)), *((1, n) for n in range(2, shared))],
                     nodes=20)  # fmt: skip
    together = [0, 1] in shared_neighbours(graph, 0.85)
    assert together == (shared >= 17)
