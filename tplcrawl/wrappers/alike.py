"""Whether elements look like each other."""

from __future__ import annotations

from collections.abc import Sequence

from tplcrawl.wrappers.nodes import Node

ALIKE = 0.5
"""Mean Jaccard similarity from which repeated elements are rows of one list."""

_SHAPED = 12
"""Elements that are compared for that."""


def alike(nodes: Sequence[Node]) -> bool:
    """Whether nodes look like each other: they hold the same elements, by and large."""
    spread = nodes[:: max(1, len(nodes) // _SHAPED)][:_SHAPED]
    shapes = [frozenset((n.tag, *n.classes[:2]) for n in node.below(60)) for node in spread]
    total, pairs = 0.0, 0
    for i, one in enumerate(shapes):
        for other in shapes[i + 1 :]:
            union = len(one | other)
            total += len(one & other) / union if union else 1.0
            pairs += 1
    return not pairs or total >= ALIKE * pairs
