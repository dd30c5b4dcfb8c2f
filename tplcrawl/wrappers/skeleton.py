"""The skeleton of a template: the pages' trees laid over each other.

A node of it stands for one element of each page, or for the rows of one list; its support is the
share of its parent's examples that have it: what is not on every page is optional. The simplest
form of it are the essential paths of paper 004, which are the ones with enough support; here each
step also knows which of several like elements it is.

Pages are aligned from the root down, so an element is compared only with those that have the same
place in the pages so far: O(elements of all pages), but for the telling apart of siblings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tplcrawl.wrappers.landmarks import Landmark, landmarks
from tplcrawl.wrappers.nodes import Node, Tree
from tplcrawl.wrappers.siblings import Slot, enough, split
from tplcrawl.wrappers.stable import Stable
from tplcrawl.wrappers.steps import Path, Step

MOST_ROWS = 120
"""Rows of a list that are learnt from."""

DEEPEST_LIST = 2
"""Lists within lists, beyond which a list is content."""


@dataclass(eq=False, slots=True)
class Part:
    """A node of the skeleton."""

    step: Step
    parent: Part | None = field(repr=False)
    examples: list[Node] = field(repr=False)
    """What it stands for, in the order of the pages."""
    support: float
    """The share of its parent's examples that have it."""
    lists: int = 0
    """In how many lists it stands, itself counted."""
    parts: list[Part] = field(default_factory=list, repr=False)
    landmark: Step | None = None
    """What it is told by, wherever it stands, if it can be."""

    @property
    def many(self) -> bool:
        """Whether it stands for rows."""
        return self.step.nth == 0

    def path(self, above: Part | None = None) -> Path:
        """The steps that lead to it, from the root or from *above*."""
        steps: list[Step] = []
        part: Part | None = self
        while part is not None and part is not above:
            steps.append(part.step)
            if part.step.first:
                break
            part = part.parent
        return tuple(reversed(steps))

    def detour(self) -> Path | None:
        """The steps that lead to it from a landmark, if that is another way than :meth:`path`."""
        steps: list[Step] = []
        part: Part | None = self
        while part is not None and not part.step.first:
            if part.landmark is not None:
                return (part.landmark, *reversed(steps))
            if part.lists:
                break
            steps.append(part.step)
            part = part.parent
        return None

    def walk(self) -> Iterator[Part]:
        """It and all parts below, parents first."""
        stack = [self]
        while stack:
            part = stack.pop()
            yield part
            stack.extend(reversed(part.parts))


def skeleton(trees: Sequence[Tree], stable: Stable) -> Part:
    """Lay *trees* over each other."""
    root = Part(Step(trees[0].root.tag), None, [tree.root for tree in trees], 1.0)
    _grow(root, stable)
    _set_landmarks(root, landmarks(trees, stable), stable)
    return root


def _grow(top: Part, stable: Stable) -> None:
    stack = [top]
    while stack:
        part = stack.pop()
        for slot in split(part.examples, stable, rows=part.lists > 0):
            made = _part(slot, part)
            if made is not None:
                part.parts.append(made)
                stack.append(made)


def _set_landmarks(root: Part, found: Sequence[Landmark], stable: Stable) -> None:
    """Tell the parts that are landmarks; add those that are not yet aligned."""
    owner: dict[int, Part] = {}
    _own(root, owner)
    pages = len(root.examples)
    for one in found:
        owners = {id(owner.get(id(node))): owner.get(id(node)) for node in one.nodes}
        part = next(iter(owners.values()))
        if len(owners) == 1 and part is not None:
            if part.landmark is None and len(one.nodes) == len(part.examples):
                part.landmark = one.step
        else:
            above = _above(one.nodes[0], owner)
            made = Part(one.step, above, list(one.nodes), len(one.nodes) / pages)
            above.parts.append(made)
            _grow(made, stable)
            _own(made, owner)


def _above(node: Node, owner: Mapping[int, Part]) -> Part:
    """The nearest part around *node*: the root holds everything."""
    around = node.parent
    while around is not None and id(around) not in owner:
        around = around.parent
    assert around is not None
    return owner[id(around)]


def _own(top: Part, owner: dict[int, Part]) -> None:
    """Note which part each element belongs to, unless it is a row, or in one."""
    for part in top.walk():
        if not part.lists:
            owner.update((id(node), part) for node in part.examples)


def _part(slot: Slot, parent: Part) -> Part | None:
    with_it = sum(map(bool, slot.found))
    if with_it < enough(len(slot.found)) or parent.lists + slot.many > DEEPEST_LIST:
        return None
    nodes = [node for nodes in slot.found for node in nodes]
    if slot.many:
        nodes = _spread_rows(slot.found)
    return Part(slot.step, parent, nodes, with_it / len(slot.found), parent.lists + slot.many)


def _spread_rows(found: Sequence[Sequence[Node]]) -> list[Node]:
    """Rows of all examples, the first ones of each: later ones are more of the same."""
    each = max(3, MOST_ROWS // max(1, sum(map(bool, found))))
    return [node for nodes in found for node in nodes[:each]]
