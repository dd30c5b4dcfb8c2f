"""What an element of the skeleton carries itself: texts and attributes, told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from statistics import median

from tplcrawl.wrappers.labels import is_label, prefix_of
from tplcrawl.wrappers.nodes import Node
from tplcrawl.wrappers.prose import LONG
from tplcrawl.wrappers.siblings import enough
from tplcrawl.wrappers.skeleton import Part
from tplcrawl.wrappers.steps import Label, Target

_ATTRIBUTES = {
    "a": ("href",), "img": ("src", "data-src"), "time": ("datetime",), "meta": ("content",),
    "data": ("value",), "video": ("src",), "audio": ("src",), "source": ("src",),
}  # fmt: skip
_NUMBERED = 6
"""Texts of one element that are told apart by number."""

Values = list[list[str]]
"""For each example, the texts that are one thing."""


@dataclass(eq=False, slots=True)
class Leaf:
    """Something that may be data."""

    part: Part = field(repr=False)
    target: Target
    values: Values = field(repr=False)
    """For each example of the part."""
    minor: bool = False
    """Whether another leaf of the same part says the same and more."""

    @property
    def distinct(self) -> set[str]:
        """The different values."""
        return {" ".join(" ".join(texts).split()) for texts in self.values if texts} - {""}

    @property
    def present(self) -> int:
        """The examples that have it."""
        return sum(map(bool, self.values))


def leaves_of(part: Part, *, rich: bool = False) -> Iterator[Leaf]:
    """The leaves of *part*, texts first; if it is *rich* text, that as a whole."""
    if rich:
        values = [[node.text] if node.text else [] for node in part.examples]
        yield Leaf(part, Target("html"), values)
    else:
        yield from _called(part)
        yield from _sorted_out([Leaf(part, *text) for text in _texts(part.examples)])
    for name in _ATTRIBUTES.get(part.step.tag, ()):
        given = [node.element.get(name) for node in part.examples]
        yield Leaf(part, Target("attribute", name), [[v.strip()] if v else [] for v in given])
    if any("itemprop" in node.element.attrib for node in part.examples):
        given = [node.element.get("content") for node in part.examples]
        if any(given) and part.step.tag != "meta":
            values = [[v.strip()] if v else [] for v in given]
            yield Leaf(part, Target("attribute", "content"), values)


def _called(part: Part) -> Iterator[Leaf]:
    """All of an element that microdata says is a value, if it is made of others."""
    nodes = part.examples
    if part.lists or not all(_is_value(node) for node in nodes):
        return
    if 2 * sum(any(node.children) for node in nodes) >= len(nodes):
        long = median(len(node.text) for node in nodes) > LONG
        values = [[node.text] if node.text else [] for node in nodes]
        yield Leaf(part, Target("html" if long else "string"), values)


def _is_value(node: Node) -> bool:
    given = node.element.attrib
    return "itemprop" in given and "itemscope" not in given and "content" not in given


def _sorted_out(leaves: list[Leaf]) -> list[Leaf]:
    """Texts that are numbered parts of running text are minor beside the whole."""
    whole = leaves[-1] if leaves and leaves[-1].target.kind == "string" else None
    if whole is None:
        return leaves
    long = median(len(texts[0]) if texts else 0 for texts in whole.values) > LONG
    for leaf in leaves[:-1]:
        if leaf.target.label is None:
            same = sum(a == b for a, b in zip(leaf.values, whole.values, strict=True))
            repeated = same >= 0.6 * len(whole.values)
            leaf.minor = long or repeated or leaf.target.nth < 0
        else:
            # What has parts with names of their own is no text as a whole.
            whole.minor = True
    return leaves


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    before: Node | None
    """The element before it."""
    first: bool
    """Whether it is the first one behind that."""


def _read(node: Node) -> list[_Text]:
    found = []
    before: Node | None = None
    first = True
    for part in node.contents:
        if isinstance(part, str):
            found.append(_Text(part, before, first))
            first = False
        else:
            before, first = part, True
    return found


def _texts(examples: Sequence[Node]) -> Iterator[tuple[Target, Values]]:
    texts = [_read(node) for node in examples]
    longest = max(map(len, texts), default=0)
    if not longest:
        return
    if longest == 1:
        below = [list(islice(node.texts(), 2)) for node in examples]
        # Where an element has a text of its own, that is all: then it may stand below it, too.
        only = all(len(b) == 1 for own, b in zip(texts, below, strict=True) if own)
        usual = 2 * sum(map(bool, texts)) > len(texts)
        found = (
            [b[:1] for b in below] if only and usual else [[t.text for t in own] for own in texts]
        )
        yield Target("text", only=only and usual), found
        return
    labelled, left = _by_label(texts)
    total = sum(map(len, texts))
    if left <= total / 2:
        yield from labelled
    else:
        counts = {len(own) for own in texts if own}
        numbers = [*range(1, min(longest, _NUMBERED) + 1), -1] if len(counts) == 1 else [1, -1]
        for nth in dict.fromkeys(numbers[:-1] if len(counts) == 1 else numbers):
            yield (
                Target("text", nth=nth),
                [[own[nth - (nth > 0)].text] if len(own) >= abs(nth) else [] for own in texts],
            )
    yield Target("string"), [[node.text] if node.text else [] for node in examples]


def _by_label(texts: Sequence[Sequence[_Text]]) -> tuple[list[tuple[Target, Values]], int]:
    """Texts by their labels, and how many have none."""
    least = enough(len(texts))
    told: dict[Label, list[list[int]]] = {}
    for i, own in enumerate(texts):
        for j, text in enumerate(own):
            for label in _labels(text):
                told.setdefault(label, [[] for _ in texts])[i].append(j)
    found: list[tuple[Target, Values]] = []
    taken: set[tuple[int, int]] = set()
    fixed = Counter(text for own in texts for text in {t.text for t in own})
    for label, places in told.items():
        spots = [(i, j) for i, js in enumerate(places) for j in js]
        if sum(map(bool, places)) < least or any(len(js) > 1 for js in places):
            continue
        if not taken.isdisjoint(spots):
            continue
        taken.update(spots)
        values = [[texts[i][j].text for j in js] for i, js in enumerate(places)]
        found.append((Target("text", label=label), values))
    left = sum(
        (i, j) not in taken and fixed[text.text] < least
        for i, own in enumerate(texts)
        for j, text in enumerate(own)
    )
    return found, left


def _labels(text: _Text) -> Iterator[Label]:
    if text.before is not None and text.first and is_label(text.before.text):
        yield Label("before", text.before.text)
    prefix = prefix_of(text.text)
    if prefix:
        yield Label("inside", prefix, prefix=True)
