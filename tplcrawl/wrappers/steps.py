"""Steps of selectors: from an element to some of its children, as XPath and CSS can say it too."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields
from typing import Any

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*").fullmatch
_CSS_NAME = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*").fullmatch


@dataclass(frozen=True, slots=True)
class Label:
    """A text that names what stands beside it."""

    where: str
    """``inside``: the first text of the element itself; ``before``: the text of the element before
    it; ``term``: of the last ``dt`` before it; ``text``: the text directly before it."""
    text: str
    prefix: bool = False
    """Whether the text only begins so."""


@dataclass(frozen=True, slots=True)
class Step:
    """Chooses among the children of an element."""

    tag: str
    id: str = ""
    """Stands for the whole way from the root: an id is one element of the page."""
    classes: tuple[str, ...] = ()
    """The classes that it has, among others."""
    bare: bool = False
    """Whether it has no class at all."""
    label: Label | None = None
    has: tuple[str, str] | None = None
    """An element that stands somewhere below it: tag and class."""
    nth: int = 1
    """Its number among those that fit, from the end if negative; 0: all of them."""
    anywhere: bool = False
    """Whether it chooses among all elements of the page: it is the first step then."""

    @property
    def first(self) -> bool:
        """Whether it stands for the whole way from the root."""
        return bool(self.id) or self.anywhere

    def as_dict(self) -> dict[str, Any]:
        """What differs from the default, for JSON."""
        told = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name == "tag" or value != one.default:
                told[one.name] = asdict(value) if isinstance(value, Label) else value
        return told

    @classmethod
    def of(cls, told: dict[str, Any]) -> Step:
        """The step that :meth:`as_dict` told of."""
        values = dict(told)
        if values.get("label"):
            values["label"] = Label(**values["label"])
        for name in ("classes", "has"):
            if values.get(name):
                values[name] = tuple(values[name])
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Target:
    """What is taken of an element."""

    kind: str
    """``text``: one of its own texts; ``string``: all text below; ``attribute``; ``html``."""
    name: str = ""
    """Of the attribute."""
    label: Label | None = None
    """For a text: what it is called; where ``before``, by the element before it."""
    nth: int = 1
    """For a text: its number among those that fit, from the end if negative; 0: all of them."""
    only: bool = False
    """For a text: whether there is but one, which may stand in an element below, too."""

    def as_dict(self) -> dict[str, Any]:
        """What differs from the default, for JSON."""
        told: dict[str, Any] = {"kind": self.kind}
        if self.name:
            told["name"] = self.name
        if self.label:
            told["label"] = asdict(self.label)
        if self.nth != 1:
            told["nth"] = self.nth
        if self.only:
            told["only"] = True
        return told

    @classmethod
    def of(cls, told: dict[str, Any]) -> Target:
        """The target that :meth:`as_dict` told of."""
        values = dict(told)
        if values.get("label"):
            values["label"] = Label(**values["label"])
        return cls(**values)


Path = tuple[Step, ...]


def literal(text: str) -> str:
    """*text* as XPath 1.0 can say it, which knows no escapes.

    >>> literal("it's")
    '"it\\'s"'
    """
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    return 'concat("' + text.replace('"', '",\'"\',"') + '")'


def xpath(path: Path, target: Target | None = None, *, start: str = "") -> str:
    """*path* as an XPath expression, from the root or from *start*."""
    made = start
    for step in path:
        if step.id:
            made = f"(//*[@id={literal(step.id)}])[1]"
            continue
        made += f"{'(//' if step.anywhere else '/'}{_test(step.tag)}"
        if step.bare:
            made += "[not(@class)]"
        for name in step.classes:
            spaced = literal(f" {name} ")
            made += f"[contains(concat(' ', normalize-space(@class), ' '), {spaced})]"
        if step.label is not None:
            made += f"[{_labelled(step.label)}]"
        if step.has is not None:
            made += f"[{holding(step.has)}]"
        made += ")[1]" if step.anywhere else _nth(step.nth)
    return made + (_taken(target) if target is not None else "")


def holding(has: tuple[str, str]) -> str:
    """The elements below one that have a tag and, unless it is empty, a class."""
    tag, name = has
    spaced = literal(f" {name} ")
    of = f"[contains(concat(' ', normalize-space(@class), ' '), {spaced})]" if name else ""
    return f"descendant::{_test(tag)}{of}"


def _test(tag: str) -> str:
    return tag if _NAME(tag) else f"*[name()={literal(tag)}]"


def _nth(nth: int) -> str:
    if nth == 0:
        return ""
    if nth > 0:
        return f"[{nth}]"
    return "[last()]" if nth == -1 else f"[last()-{-nth - 1}]"


_THING = "self::* or self::text()[normalize-space()]"
"""A node that is no comment and no blank."""


_CODE = "self::script or self::style"


def _says(label: Label) -> str:
    words = literal(label.text)
    if label.prefix:
        return f"starts-with(normalize-space(), {words})"
    return f"normalize-space()={words}"


def _labelled(label: Label) -> str:
    says = _says(label)
    if label.where == "inside":
        return f"descendant::text()[normalize-space()][1][{says}]"
    if label.where == "term":
        return f"preceding-sibling::dt[1][{says}]"
    if label.where == "text":
        return f"preceding-sibling::node()[{_THING}][1][self::text()][{says}]"
    return f"preceding-sibling::*[1][{says}]"


def _taken(target: Target) -> str:
    if target.kind == "attribute":
        return f"/@{target.name}"
    if target.kind != "text":
        return ""
    if target.only:
        texts = "text()[normalize-space()]"
        return f"/descendant-or-self::*[not({_CODE})][{texts}][1]/{texts}[1]"
    made = "/text()[normalize-space()]"
    if target.label is not None:
        inside = target.label.where == "inside"
        made += f"[{_says(target.label) if inside else _labelled(target.label)}]"
    return made + _nth(target.nth)


def css(path: Path) -> str | None:
    """*path* as a CSS selector of elements, or ``None`` where CSS cannot say it: it knows no texts,
    and its ``:nth-of-type`` counts whatever the classes."""
    made: list[str] = []
    for step in path:
        if step.id:
            if not _CSS_NAME(step.id):
                return None
            made = [f"#{step.id}"]
            continue
        plain = not (step.classes or step.bare)
        if step.label or step.has or not _CSS_NAME(step.tag):
            return None
        if not all(_CSS_NAME(name) for name in step.classes):
            return None
        one = step.tag + "".join(f".{name}" for name in step.classes)
        if step.bare:
            one += ":not([class])"
        if step.nth > 0 and plain:
            one += f":nth-of-type({step.nth})"
        elif step.nth < 0 and plain:
            one += f":nth-last-of-type({-step.nth})"
        elif step.nth not in (0, 1):
            return None
        made.append(one)
    return " > ".join(made)
