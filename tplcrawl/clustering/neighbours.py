"""Clusters of pages that share their near neighbours (Jarvis and Patrick 1973, in the form of paper
002, section 6)."""

from __future__ import annotations

import networkx as nx


def shared_neighbours(graph: nx.Graph[int], overlap: float) -> list[list[int]]:
    """Cluster the nodes of *graph*, whose edges join near neighbours.

    Every node is a cluster at first, and a neighbour of itself. Neighbouring clusters that have at
    least *overlap* of the neighbours of either in common are merged, all at once, and have the
    neighbours of both; until nothing merges. A node that hangs on a few of a cluster's only, an
    outlier, stays out. Neither the order of nodes nor of edges matters. Clusters and members are
    ascending. O(edges) comparisons a round; a round merges something.

    Of a chain, no two nodes have the same neighbours; of a clique, all have:

    >>> shared_neighbours(nx.path_graph(4), 0.7), shared_neighbours(nx.complete_graph(3), 0.7)
    ([[0], [1], [2], [3]], [[0, 1, 2]])
    """
    seen = {node: 1 << node | sum(1 << other for other in graph[node]) for node in graph}
    clusters = {node: [node] for node in graph}
    edges = sorted((min(pair), max(pair)) for pair in graph.edges if pair[0] != pair[1])
    while True:
        merged = nx.Graph((a, b) for a, b in edges if _overlap(seen[a], seen[b]) >= overlap)
        if not merged:
            return sorted(sorted(members) for members in clusters.values())
        home = {node: node for node in clusters}
        for group in nx.connected_components(merged):
            first = min(group)
            for node in sorted(group - {first}):
                home[node] = first
                seen[first] |= seen.pop(node)
                clusters[first] += clusters.pop(node)
        edges = sorted({(home[a], home[b]) for a, b in edges if home[a] != home[b]})


def _overlap(a: int, b: int) -> float:
    """The Jaccard coefficient of two sets, which are the bits of numbers."""
    return (a & b).bit_count() / (a | b).bit_count()
