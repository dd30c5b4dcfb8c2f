"""The children of like elements, told apart: which child of one is which child of another.

What is taken to tell them apart is what still will when the page is another: an id, classes, a
label that stands beside, something that only one of them holds; and their order only where all the
pages agree on it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tplcrawl.wrappers.alike import alike
from tplcrawl.wrappers.holders import Found, Holders, holders_of
from tplcrawl.wrappers.labels import inner_labels, outer_labels
from tplcrawl.wrappers.nodes import Node
from tplcrawl.wrappers.stable import Stable
from tplcrawl.wrappers.steps import Label, Step

MOST_ORDINALS = 12
"""Positions that are told apart by number alone."""

MOST_CELLS = 4
"""Cells of a row that each mean something else; a row of more compares several things."""

_SHAPED = 12
"""Cells that are looked at."""

_RICH = 4
"""Elements below a cell that holds much."""

ALL = 0.95
USUAL = 0.5
_TELLING = 0.3
"""Shares of the examples."""


@dataclass(slots=True)
class Slot:
    """One child, or one list of children, of all the examples."""

    step: Step
    found: Found = field(repr=False)

    @property
    def many(self) -> bool:
        return self.step.nth == 0


def enough(examples: int, share: float = 0.2) -> int:
    """On how many examples something must be to be no accident."""
    return max(2, round(share * examples))


def split(examples: Sequence[Node], stable: Stable, *, rows: bool) -> Iterator[Slot]:
    """The slots of the children of *examples*. *rows*: whether these are rows of one list, where
    ids say nothing."""
    tags: dict[str, Found] = {}
    for i, example in enumerate(examples):
        for child in example.children:
            tags.setdefault(child.tag, [[] for _ in examples])[i].append(child)
    for tag, found in tags.items():
        if not rows:
            yield from _by_id(tag, found, stable)
        if any(found):
            yield from _by_kind(tag, found, stable)


def _by_id(tag: str, found: Found, stable: Stable) -> Iterator[Slot]:
    ids: defaultdict[str, Found] = defaultdict(lambda: [[] for _ in found])
    for i, nodes in enumerate(found):
        for node in nodes:
            if node.id in stable.ids:
                ids[node.id][i].append(node)
    for name, own in ids.items():
        taken = {id(node) for nodes in own for node in nodes}
        for nodes in found:
            nodes[:] = [node for node in nodes if id(node) not in taken]
        yield Slot(Step(tag, id=name), own)


def _by_kind(tag: str, found: Found, stable: Stable) -> Iterator[Slot]:
    kinds: dict[frozenset[str], Found] = {}
    for i, nodes in enumerate(found):
        for node in nodes:
            kind = stable.classes_of(node)
            kinds.setdefault(kind, [[] for _ in found])[i].append(node)
    for classes, own in _merged(kinds, found):
        plain = all("class" not in node.element.attrib for nodes in own for node in nodes)
        bare = not classes and any(kinds) and plain
        step = Step(tag, classes=tuple(sorted(classes)), bare=bare)
        fitting = [[n for n in nodes if _fits(n, step)] for nodes in found]
        yield from _numbered(step, own, fitting)


def _fits(node: Node, step: Step) -> bool:
    if step.bare:
        return "class" not in node.element.attrib
    return not step.classes or set(step.classes) <= set(node.classes)


def _merged(
    kinds: dict[frozenset[str], Found], found: Found
) -> Iterator[tuple[frozenset[str], Found]]:
    """Kinds, those taken together that only differ in what changes from row to row, or of which an
    example has either one or the other."""
    names = list(kinds)
    leader = {name: name for name in names}

    def lead(name: frozenset[str]) -> frozenset[str]:
        while leader[name] != name:
            name = leader[name]
        return name

    of = {id(node): name for name, own in kinds.items() for nodes in own for node in nodes}
    if 1 < len(names) <= 30:
        turns: Counter[tuple[frozenset[str], frozenset[str]]] = Counter()
        for nodes in found:
            order = [of[id(node)] for node in nodes]
            turns.update(
                {(a, b) for a, b, c in zip(order, order[1:], order[2:], strict=False)
                 if a == c and a != b}
            )  # fmt: skip
        for a, b in turns:
            if (b, a) in turns or turns[a, b] >= enough(len(found)):
                leader[lead(b)] = lead(a)
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                if lead(a) != lead(b) and _either(kinds[a], kinds[b]):
                    leader[lead(b)] = lead(a)
    groups: dict[frozenset[str], list[frozenset[str]]] = {}
    for name in names:
        groups.setdefault(lead(name), []).append(name)
    # Groups that are called alike in the end cannot be told apart: they are one.
    called = {leading: frozenset.intersection(*own) for leading, own in groups.items()}
    for common in dict.fromkeys(called.values()):
        own = [[n for n in nodes if called[lead(of[id(n)])] == common] for nodes in found]
        yield common, own


def _either(a: Found, b: Found) -> bool:
    """Whether every example has one of one kind, or one of the other, and they look alike."""
    if any(len(x) + len(y) > 1 for x, y in zip(a, b, strict=True)):
        return False
    return alike([n for nodes in (*a, *b) for n in nodes])


def _numbered(step: Step, own: Found, fitting: Found) -> Iterator[Slot]:
    """The slots of the elements *own*; *fitting* are all that *step* would choose from."""
    if all(len(nodes) <= 1 for nodes in own) and all(
        not nodes or nodes[0] is among[0] for nodes, among in zip(own, fitting, strict=True)
    ):
        yield Slot(step, own)
        return
    counts = {len(nodes) for nodes in own if nodes}
    labelled, rest = _by_label(step, own, fitting, enough(len(own)))
    # One label is that of a list, and stands before its first entry; what few pages have may be
    # values that happen to be the same.
    told = sum(_tells(slot, enough(len(own), _TELLING)) for slot in labelled)
    mostly = told > 1 and 2 * sum(map(len, rest)) <= sum(map(len, own))
    likely = alike([node for nodes in own for node in nodes])
    if not likely:
        rest = [list(nodes) for nodes in own]
        yield from _layout(step, rest, fitting, fixed=len(counts) == 1)
    elif mostly:
        yield from labelled
        yield from _by_content(step, rest, holders_of(fitting), enough(len(own), USUAL))
    elif (len(counts) > 1 or min(counts) > 2) and not _columns(step, own):
        # Entries that all examples call the same are more than entries: they are told apart, too.
        slots, _ = _by_label(step, own, fitting, enough(len(own), ALL))
        yield from slots
        yield Slot(_with(step, nth=0), own)
        return
    else:
        rest = [list(nodes) for nodes in own]
        yield from _by_content(step, rest, holders_of(fitting), enough(len(own), USUAL))
    if any(rest):
        yield from _by_position(step, rest, fitting)


def _tells(slot: Slot, least: int) -> bool:
    """Whether *least* examples have an element with this label, and with something beside it."""
    label = slot.step.label
    return label is not None and least <= sum(
        any(node.text != label.text for node in nodes) for nodes in slot.found
    )


def _layout(step: Step, rest: Found, fitting: Found, *, fixed: bool) -> Iterator[Slot]:
    """The slots of elements that are unlike each other, taken out of *rest*: what tells most of
    them apart comes first. A text that few have may be a value, not a label; where their number is
    *fixed*, their order tells more."""
    holders = holders_of(fitting)
    for share in (ALL, USUAL):
        least = enough(len(rest), share)
        slots, rest[:] = _by_label(step, rest, fitting, least)
        yield from slots
        yield from _by_content(step, rest, holders, least)
    if not fixed:
        slots, rest[:] = _by_label(step, rest, fitting, enough(len(rest)))
        yield from slots


def _columns(step: Step, own: Found) -> bool:
    """Whether elements are a row's cells, of which the order says what they are. A cell that holds
    much is an entry of a list that is laid out as a table."""
    if step.tag not in ("td", "th") or max(map(len, own)) > MOST_CELLS:
        return False
    cells = [node for nodes in own for node in nodes][:_SHAPED]
    return sum(len(list(cell.below(_RICH))) for cell in cells) < _RICH * len(cells)


def _with(step: Step, **changes: object) -> Step:
    values = {name: getattr(step, name) for name in Step.__slots__}
    return Step(**{**values, **changes})


def _by_label(step: Step, own: Found, fitting: Found, least: int) -> tuple[list[Slot], Found]:
    """The slots of those of *own* that have a label that *least* examples have, and that no other
    of *fitting* has; and what is left."""
    slots: list[Slot] = []
    rest = [list(nodes) for nodes in own]
    for read in (inner_labels, outer_labels):
        told: dict[Label, Found] = {}
        spoilt: set[Label] = set()
        for i, nodes in enumerate(rest):
            open_ = {id(node) for node in nodes}
            seen: set[Label] = set()
            for node in fitting[i]:
                for label in read(node):
                    if label in seen:
                        spoilt.add(label)
                    seen.add(label)
                    if id(node) in open_:
                        told.setdefault(label, [[] for _ in own])[i].append(node)
        taken: set[int] = set()
        for label, found in told.items():
            if label in spoilt or sum(map(bool, found)) < least:
                continue
            if any(id(node) in taken for nodes in found for node in nodes):
                continue
            taken.update(id(node) for nodes in found for node in nodes)
            slots.append(Slot(_with(step, label=label), found))
        rest = [[node for node in nodes if id(node) not in taken] for nodes in rest]
    return slots, rest


def _by_content(step: Step, rest: Found, holders: Holders, least: int) -> Iterator[Slot]:
    """The slots of those that hold an element which no other of them holds; takes them out of
    *rest*."""
    for held in sorted(holders, key=lambda one: (not one[1], one)):
        found = holders[held]
        if sum(map(bool, found)) < least or any(len(nodes) > 1 for nodes in found):
            continue
        if any(n not in rest[i] for i, ns in enumerate(found) for n in ns):
            continue
        for nodes, mine in zip(rest, found, strict=True):
            nodes[:] = [node for node in nodes if node not in mine]
        yield Slot(_with(step, has=held), found)


def _by_position(step: Step, rest: Found, fitting: Found) -> Iterator[Slot]:
    """The slots of those that keep their number, from the start or the end."""
    for sign in (1, -1):
        if sign < 0 and len({len(nodes) for nodes in fitting if nodes}) == 1:
            return
        longest = min(max(map(len, fitting)), MOST_ORDINALS if sign > 0 else 2)
        for number in range(1, longest + 1):
            nth = number * sign
            index = nth - 1 if nth > 0 else nth
            found = [
                [nodes[index]] if len(nodes) >= number and nodes[index] in rest[i] else []
                for i, nodes in enumerate(fitting)
            ]
            if sum(map(bool, found)) >= enough(len(rest), 0.5) and alike(
                [node for nodes in found for node in nodes]
            ):
                yield Slot(_with(step, nth=nth), found)
