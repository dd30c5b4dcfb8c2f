"""A skeleton as a file: what of a template is fixed, what varies, what is optional or repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tplcrawl.wrappers.leaves import Leaf
from tplcrawl.wrappers.skeleton import Part
from tplcrawl.wrappers.steps import xpath
from tplcrawl.wrappers.values import cleaned

FORMAT = 1
"""Raised whenever the JSON changes in a way that older readers cannot take."""

_LONGEST = 200
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The skeleton of some pages, as nodes in document order."""

    pages: tuple[str, ...]
    """The URLs of the pages that were laid over each other."""
    nodes: tuple[dict[str, Any], ...] = field(repr=False)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"pages": list(self.pages), "nodes": list(self.nodes)}


def anatomy(
    parts: Sequence[Part], leaves: Mapping[int, Sequence[Leaf]], urls: Sequence[str]
) -> Anatomy:
    """What is told of *parts*, parents first, which carry *leaves*. O(texts of all pages)."""
    numbers = {id(part): number for number, part in enumerate(parts)}
    nodes = (_node(part, numbers, leaves[id(part)]) for part in parts)
    return Anatomy(tuple(urls), tuple(nodes))


def _node(part: Part, numbers: Mapping[int, int], leaves: Sequence[Leaf]) -> dict[str, Any]:
    parent = part.parent
    told: dict[str, Any] = {
        "parent": None if parent is None else numbers[id(parent)],
        "tag": part.step.tag,
        "xpath": xpath(part.path()),
        "support": round(part.support, 3),
        "optional": part.support < 1.0,
        "repeated": part.many,
    }
    if part.many and parent is not None:
        told["rows"] = round(len(part.examples) / len(parent.examples), 1)
    texts = list(_texts(leaves))
    return {**told, "texts": texts} if texts else told


def _texts(leaves: Sequence[Leaf]) -> Iterator[dict[str, Any]]:
    for leaf in leaves:
        distinct = dict.fromkeys(cleaned(text) for texts in leaf.values for text in texts)
        distinct.pop("", None)
        if not distinct or leaf.minor:
            continue
        told = {
            "of": leaf.target.name or leaf.target.kind,
            "support": round(leaf.present / len(leaf.values), 3),
        }
        if len(distinct) == 1:
            yield {**told, "fixed": next(iter(distinct))[:_LONGEST]}
        else:
            examples = [text[:_LONGEST] for text in list(distinct)[:_EXAMPLES]]
            yield {**told, "values": len(distinct), "examples": examples}
