"""Among the children of an element, those that many steps choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from tplcrawl.wrappers.labels import brief, previous
from tplcrawl.wrappers.nodes import first_text, text_before
from tplcrawl.wrappers.steps import Step
from tplcrawl.wrappers.texts import marked, numbered

T = TypeVar("T")
Found = list[tuple[T, Any]]
"""What was looked for, with the element that it is."""


Starts = frozenset[str]
"""How a text may begin that is to be read whole; nothing if there is no telling."""


def _before(element: Any, starts: Starts) -> str:
    return _brief(previous(element), starts)


def _term(element: Any, starts: Starts) -> str:
    return _brief(previous(element, "dt"), starts)


def _brief(element: Any, starts: Starts) -> str:
    if element is None:
        return ""
    # What stands before an element may be half the page: to see how it begins is quicker.
    if starts and len(element) and first_text(element) not in starts:
        return ""
    return brief(element)


READERS: dict[str, Callable[..., str]] = {
    "inside": first_text,
    "before": _before,
    "term": _term,
    "text": text_before,
}
"""How each kind of label is read from an element. Some can do with less where it is known how the
labels that are looked for begin."""


class Choice(Generic[T]):
    """Tells elements of one tag and parent apart, for many steps at once."""

    def __init__(self, wanted: Sequence[tuple[Step, T]]) -> None:
        kinds: dict[tuple[tuple[str, ...], bool], _Kind[T]] = {}
        for step, thing in wanted:
            key = (step.classes, step.bare)
            if key not in kinds:
                kinds[key] = _Kind()
            kinds[key].add(step, thing)
        self._kinds = [(*key, kind) for key, kind in kinds.items()]

    def among(self, children: list[Any], found: Found[T]) -> None:
        """Add to *found* what the steps choose of *children*."""
        for classes, bare, kind in self._kinds:
            fitting = children
            if classes:
                fitting = [child for child in children if has_classes(child, classes)]
            elif bare:
                fitting = [child for child in children if child.get("class") is None]
            if fitting:
                kind.choose(fitting, found)


class _Kind(Generic[T]):
    """Steps for elements with the same classes."""

    def __init__(self) -> None:
        self._plain: list[tuple[int, T]] = []
        self._held: list[tuple[Callable[[Any], bool], int, T]] = []
        self._labels: dict[str, Labels[T]] = {}

    def add(self, step: Step, thing: T) -> None:
        if step.label is not None:
            self._labels.setdefault(step.label.where, Labels(step.label.where)).add(step, thing)
        elif step.has is not None:
            self._held.append((partial(_holds, has=step.has), step.nth, thing))
        else:
            self._plain.append((step.nth, thing))

    def choose(self, children: list[Any], found: Found[T]) -> None:
        for nth, thing in self._plain:
            if nth == 1:
                found.append((thing, children[0]))
            else:
                found += [(thing, child) for child in numbered(children, nth)]
        for holds, nth, thing in self._held:
            own = filter(holds, children)
            chosen = islice(own, 1) if nth == 1 else numbered(list(own), nth)
            found += [(thing, child) for child in chosen]
        for labels in self._labels.values():
            labels.choose(children, found)


def _holds(element: Any, has: tuple[str, str]) -> bool:
    tag, name = has
    every = element.iterdescendants(tag)
    return any(not name or has_classes(below, (name,)) for below in every)


class Labels(Generic[T]):
    """Steps for elements that are called by labels in one kind of place."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._read = READERS[where]
        self._exact: dict[str, list[tuple[int, T]]] = {}
        self._begun: dict[str, list[tuple[int, T]]] = {}
        self._all = -1
        """How many labels there are, if of each the first element is enough."""

    def add(self, step: Step, thing: T) -> None:
        assert step.label is not None
        known = self._begun if step.label.prefix else self._exact
        known.setdefault(step.label.text, []).append((step.nth, thing))
        wanted = [*self._exact.values(), *self._begun.values()]
        first = all(nth == 1 for own in wanted for nth, _ in own)
        self._all = len(wanted) if first else -1
        self._read = READERS[self._where]
        if self._where in ("before", "term"):
            begins = (text[:end] for text in self._exact for end in range(len(text) + 1))
            self._read = partial(self._read, starts=frozenset(() if self._begun else begins))

    def choose(self, children: Iterable[Any], found: Found[T]) -> None:
        """Add to *found* what the steps choose of *children*, of which it keeps no other alive."""
        read, exact, begun = self._read, self._exact, self._begun
        met: dict[str, list[Any]] = {}
        for child in children:
            text = read(child)
            if text in exact:
                met.setdefault(text, []).append(child)
            if begun:
                start = marked(text)
                if start in begun:
                    met.setdefault(f"\0{start}", []).append(child)
            if len(met) == self._all:
                break
        for text, own in met.items():
            for nth, thing in begun[text[1:]] if text[:1] == "\0" else exact[text]:
                found += [(thing, child) for child in numbered(own, nth)]


def has_classes(element: Any, names: tuple[str, ...]) -> bool:
    """Whether *element* has all of these classes."""
    given = element.get("class")
    if given is None:
        return False
    if len(names) == 1 and given == names[0]:
        return True
    for name in names:  # nearly all fail here: to look at the text is much quicker than to part it
        if name not in given:
            return False
    own = given.split()
    return all(name in own for name in names)
