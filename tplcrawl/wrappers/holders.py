"""Which of like elements hold what: that may tell them apart."""

from __future__ import annotations

from tplcrawl.wrappers.nodes import Node

MOST_HOLDERS = 60
"""Elements of an example that are told apart by what they hold."""

_HELD = 300
"""Elements below one that are looked through for what only it holds."""

Found = list[list[Node]]
"""For each example, the nodes that stand for one thing."""

Holders = dict[tuple[str, str], Found]
"""For each tag and class, the elements that hold such an element."""


def holders_of(fitting: Found) -> Holders:
    """The holders among *fitting*; none where these are too many."""
    holders: Holders = {}
    if sum(map(len, fitting)) <= MOST_HOLDERS * len(fitting):
        for i, nodes in enumerate(fitting):
            for node in nodes:
                for held in _held(node):
                    holders.setdefault(held, [[] for _ in fitting])[i].append(node)
    return holders


def _held(node: Node) -> set[tuple[str, str]]:
    found = set()
    for below in node.below(_HELD):
        found.add((below.tag, ""))
        found.update((below.tag, name) for name in below.classes if name.isascii())
    return found
