"""Many selectors at once: they are laid into one tree of steps, and a page is gone through once.

What lies below an id is looked up at once, what lies elsewhere is reached from the root; only
elements on the way to a field are looked at, and the label of an element is read once for all the
labels that are looked for. It chooses what XPath would (:func:`steps.xpath`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from tplcrawl.wrappers.choosing import Choice, Found, Labels, has_classes
from tplcrawl.wrappers.steps import Path, Step, Target
from tplcrawl.wrappers.taking import Take

FEW = 8
"""Children up to which it is quicker to look at each than to ask lxml for those of a tag."""


@dataclass(slots=True)
class Branch:
    """One step of the tree of all selectors."""

    takes: list[tuple[int, Target]] = field(default_factory=list)
    """Fields that end here, by number."""
    rows: list[int] = field(default_factory=list)
    """The lists whose rows are found here, by number."""
    below: dict[Step, Branch] = field(default_factory=dict)
    take: Take | None = None
    """What is taken for the fields."""
    firsts: list[tuple[str, str, Branch]] = field(default_factory=list)
    """What is simply the first of a tag, or of a tag and one class: nearly all steps are."""
    choices: list[tuple[str, Choice[Branch]]] = field(default_factory=list)
    """For each tag, how its other elements are told apart."""

    def seal(self) -> None:
        """Make ready for use, when all steps are known."""
        tags: dict[str, list[tuple[Step, Branch]]] = {}
        for step, branch in self.below.items():
            if step in (Step(step.tag), Step(step.tag, classes=step.classes[:1])):
                self.firsts.append((step.tag, "".join(step.classes), branch))
            else:
                tags.setdefault(step.tag, []).append((step, branch))
        self.choices = [(tag, Choice(own)) for tag, own in tags.items()]
        if self.takes:
            self.take = Take(self.takes)

    def children(self, element: Any, found: Found[Branch]) -> None:
        """Add to *found* the branches that the children of *element* stand for: those of one branch
        last ones first."""
        few = len(element) <= FEW
        for tag, name, branch in self.firsts:
            for child in element if few else element.iterchildren(tag):
                if child.tag == tag:
                    if name:
                        given = child.get("class")
                        if given != name and (given is None or name not in given.split()):
                            continue
                    found.append((branch, child))
                    break
        if not self.choices:
            return
        chosen: Found[Branch] = []
        for tag, choice in self.choices:
            if few:
                own = [child for child in element if child.tag == tag]
            else:
                own = list(element.iterchildren(tag))
            if own:
                choice.among(own, chosen)
        chosen.reverse()
        found += chosen


class Plan:
    """Selectors that are applied together.

    *fields* are paths with targets; *lists* are paths of rows, each with the fields of a row.
    """

    def __init__(
        self,
        fields: Sequence[tuple[Path, Target]],
        lists: Sequence[tuple[Path, Sequence[tuple[Path, Target]]]] = (),
    ) -> None:
        self._size = len(fields)
        self._root, self._here = Branch(), Branch()
        self._ids: dict[str, Branch] = {}
        self._marks: dict[Step, Branch] = {}
        self._all: list[Branch] = [self._root, self._here]
        for number, (path, target) in enumerate(fields):
            self._branch(path).takes.append((number, target))
        self._rows = [Plan(inner) for _, inner in lists]
        for number, (path, _) in enumerate(lists):
            self._branch(path).rows.append(number)
        for branch in self._all:
            branch.seal()
        self._labelled: dict[tuple[str, tuple[str, ...], str], Labels[Branch]] = {}
        self._classed: dict[str, list[tuple[tuple[str, ...], Branch]]] = {}
        for step, branch in self._marks.items():
            if step.label is None:
                self._classed.setdefault(step.tag, []).append((step.classes, branch))
                continue
            where = step.label.where
            key = step.tag, step.classes, where
            self._labelled.setdefault(key, Labels(where)).add(step, branch)
        names = " ".join(self._ids)
        quote = "'" if '"' in names else '"'
        self._find: Callable[[Any], list[Any]] | None = (
            etree.XPath(f"id({quote}{names}{quote})") if names else None
        )

    def _branch(self, path: Path) -> Branch:
        branch = self._here
        for step in path:
            if step.id:
                known: dict[Any, Branch] = self._ids
                key: Any = step.id
            elif step.anywhere:
                known, key = self._marks, step
            elif step == _HTML and branch is self._here:
                branch = self._root
                continue
            else:
                known, key = branch.below, step
            if key not in known:
                known[key] = Branch()
                self._all.append(known[key])
            branch = known[key]
        return branch

    def apply(self, root: Any) -> tuple[list[list[Any]], list[list[list[list[Any]]]]]:
        """The values of each field: texts, or elements where their markup is meant; and for each
        list, those of each field of each row. *root* is the page's, or a row. Only what stands
        first among elements of one id is found."""
        values: list[list[Any]] = [[] for _ in range(self._size)]
        rows: list[list[Any]] = [[] for _ in self._rows]
        stack: Found[Branch] = [(self._here, root), (self._root, root)]
        if self._find is not None:
            stack += self._with_ids(root)
        for tag, wanted in self._classed.items():
            stack += _firsts(root.iter(tag), wanted)
        for (tag, classes, _), labels in self._labelled.items():
            every = root.iter(tag)
            if classes:
                every = (element for element in every if has_classes(element, classes))
            labels.choose(every, stack)
        while stack:
            branch, element = stack.pop()
            if branch.take is not None:
                branch.take(element, values)
            for number in branch.rows:
                rows[number].append(element)
            if branch.below and len(element):
                branch.children(element, stack)
        return values, [
            [plan.apply(row)[0] for row in own] for plan, own in zip(self._rows, rows, strict=True)
        ]

    def _with_ids(self, root: Any) -> Found[Branch]:
        assert self._find is not None
        found: Found[Branch] = []
        for element in self._find(root):
            branch = self._ids.get(element.get("id"))
            if branch is not None:
                found.append((branch, element))
                continue
            # A link's name is an id too, to libxml2, and hides the element that has it.
            name = element.get("name")
            if name in self._ids:
                found += [(self._ids[name], one) for one in _WITH_ID(element, id=name)[:1]]
        return found


def _firsts(
    every: Iterable[Any], wanted: Sequence[tuple[tuple[str, ...], Branch]]
) -> Found[Branch]:
    """For each of the classes that are *wanted*, the first element that has them."""
    found: Found[Branch] = []
    left = list(wanted)
    for element in every:
        given = element.get("class") or ""
        for one in left:
            classes, branch = one
            if not classes or (classes[0] in given and has_classes(element, classes)):
                found.append((branch, element))
                left = [other for other in left if other is not one]
        if not left:
            break
    return found


_HTML = Step("html")
_WITH_ID = etree.XPath("//*[@id=$id]")
