"""Landmarks: elements that a page has once, told by their tag, a class or a label, wherever they
stand.

Pages are aligned from the root down; where some of them are built otherwise at the top, or where
what looks like a list swallows half of a page, what lies below is lost. A heading of which there is
one, or the cell after the only ``ISBN:``, can be found all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from tplcrawl.wrappers.labels import inner_labels, outer_labels
from tplcrawl.wrappers.nodes import IGNORED, Node, Tree, whole_text
from tplcrawl.wrappers.stable import Stable
from tplcrawl.wrappers.steps import Step

LEAST = 0.5
"""The share of pages that must have a landmark."""

LARGEST = 500
"""Characters, blanks among them, of an element that its first text names."""

MOST = 300
"""Landmarks of one template."""

_FRAME = frozenset(("html", "head", "body", "title", "meta", "link", "base"))
_PLAIN = frozenset(
    "a b br div em font form i img input li ol option p small span strong table tbody td tfoot th"
    " thead tr u ul".split()
)
"""Elements that may be anything: that a page has but one says nothing of the next page."""
_ENTRIES = frozenset(("li", "tr", "td", "th", "dd", "dt", "option"))
"""Elements of lists, of which a class marks the first or the last, not the only one."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """An element that pages have once."""

    step: Step
    nodes: Sequence[Node] = field(repr=False)
    """At most one of each page, in their order."""


def landmarks(trees: Sequence[Tree], stable: Stable) -> list[Landmark]:
    """The landmarks of *trees*: ids first, then tags, classes, labels. O(elements)."""
    found: dict[Step, list[Node]] = {}
    spoilt: set[Step] = set()
    for number, tree in enumerate(trees):
        spoilt.update(_hidden(tree))
        for node in tree.root.every():
            if node.tag in _FRAME:
                continue
            for step in _steps(node, stable):
                own = found.setdefault(step, [])
                if own and own[-1].page == number:
                    spoilt.add(step)
                own.append(node)
    least = max(2, LEAST * len(trees))
    lasting = [
        Landmark(step, nodes)
        for step, nodes in found.items()
        if step not in spoilt and len(nodes) >= least
    ]
    return sorted(lasting, key=lambda one: _rank(one.step))[:MOST]


def _rank(step: Step) -> int:
    return 3 if step.label is not None else 2 if step.classes else 0 if step.id else 1


def _steps(node: Node, stable: Stable) -> Iterator[Step]:
    if node.id in stable.ids:
        yield Step(node.tag, id=node.id)
    if node.tag not in _PLAIN:
        yield Step(node.tag, anywhere=True)
    if node.tag not in _ENTRIES:
        for name in sorted(stable.classes_of(node)):
            if not _shared(node, name):
                yield Step(node.tag, classes=(name,), anywhere=True)
    if node.tag not in ("tr", "li", "option"):  # what stands before a row is another row
        for label in outer_labels(node):
            yield Step(node.tag, label=label, anywhere=True)
    if len(whole_text(node.element)) <= LARGEST:
        for label in inner_labels(node):
            if label.text != node.text:
                yield Step(node.tag, label=label, anywhere=True)


def _hidden(tree: Tree) -> Iterator[Step]:
    """What stands in frames, scripts and the like, where a selector would find it."""
    for around in tree.root.element.iter(*sorted(IGNORED)):
        for element in around.iter(etree.Element):
            yield Step(element.tag, anywhere=True)
            for name in (element.get("class") or "").split():
                yield Step(element.tag, classes=(name,), anywhere=True)


def _shared(node: Node, name: str) -> bool:
    """Whether a sibling looks like *node* but for that class: both are of one list."""
    own = set(node.classes) - {name}
    return node.parent is not None and any(
        other is not node and other.tag == node.tag and (own & set(other.classes))
        for other in node.parent.children
    )
