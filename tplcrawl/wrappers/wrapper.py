"""A wrapper: the rules that turn the pages of one template into records, as a value and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tplcrawl.errors import InputError
from tplcrawl.wrappers.steps import Path, Step, Target, css, xpath
from tplcrawl.wrappers.typed import fits

FORMAT = 1
"""Raised whenever the JSON changes in a way that older readers cannot take."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a value stands."""

    path: Path
    target: Target

    def xpath(self) -> str:
        """As XPath, from the root of the page or of the row."""
        return _from(self.path, self.target)

    def css(self) -> str | None:
        """The element as a CSS selector, where CSS can say it."""
        return css(self.path) or None

    def as_dict(self) -> dict[str, Any]:
        """For JSON: as selectors for people and tools, and as steps for ourselves."""
        return {
            "xpath": self.xpath(),
            "css": self.css(),
            "path": [step.as_dict() for step in self.path],
            "target": self.target.as_dict(),
        }

    @classmethod
    def of(cls, told: dict[str, Any]) -> Rule:
        """The rule that :meth:`as_dict` told of."""
        return cls(tuple(map(Step.of, told["path"])), Target.of(told["target"]))


def _from(path: Path, target: Target | None) -> str:
    """An expression from the root, or, where the path is one below a row, from the row."""
    whole = bool(path) and (path[0].first or path[0].tag == "html")
    return xpath(path, target, start="" if whole else ".")


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a record."""

    name: str
    rule: Rule
    type: str = "text"
    """What the text means: one of :data:`values.TYPES`."""
    many: bool = False
    """Whether a page may have several: the value is a list then."""
    support: float = 1.0
    """The share of the samples that have it."""
    low: bool = False
    """Whether it looks like the page's surroundings: kept out of records unless asked for."""
    prefix: str = ""
    suffix: str = ""
    """What stands around the value on all pages and is taken off."""
    named_by: str = "position"
    """What its name is from: ``microdata``, ``json-ld``, ``label``, ``id``, ``class``, …"""
    examples: tuple[str, ...] = ()
    alternatives: tuple[Rule, ...] = field(default=(), repr=False)
    """Other places of the same value: asked where the first one has none."""

    @property
    def required(self) -> bool:
        """Whether every sample has it."""
        return self.support >= 1.0

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "type": self.type,
            "many": self.many,
            "required": self.required,
            "support": round(self.support, 3),
            "low": self.low,
            "named_by": self.named_by,
            "prefix": self.prefix,
            "suffix": self.suffix,
            "examples": list(self.examples),
            **self.rule.as_dict(),
            "alternatives": [rule.as_dict() for rule in self.alternatives],
        }

    @classmethod
    def of(cls, told: dict[str, Any]) -> Field:
        """The field that :meth:`as_dict` told of."""
        return cls(
            told["name"], Rule.of(told), told["type"], told["many"], told["support"], told["low"],
            told["prefix"], told["suffix"], told["named_by"], tuple(told["examples"]),
            tuple(map(Rule.of, told["alternatives"])),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of a record: rows with fields of their own."""

    name: str
    path: Path
    fields: tuple[Field, ...]
    support: float = 1.0
    low: bool = False

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "support": round(self.support, 3),
            "low": self.low,
            "xpath": xpath(self.path),
            "css": css(self.path),
            "path": [step.as_dict() for step in self.path],
            "fields": [field.as_dict() for field in self.fields],
        }

    @classmethod
    def of(cls, told: dict[str, Any]) -> Rows:
        """The list that :meth:`as_dict` told of."""
        return cls(
            told["name"], tuple(map(Step.of, told["path"])), tuple(map(Field.of, told["fields"])),
            told["support"], told["low"],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wrapper:
    """The rules of one template."""

    template: str
    name: str = ""
    site: str = ""
    url_pattern: str = ""
    fields: tuple[Field, ...] = ()
    lists: tuple[Rows, ...] = ()
    learned_from: tuple[str, ...] = ()
    """The URLs of the pages that it was learnt from."""
    checked_on: int = 0
    """Further pages on which the selectors were tried."""
    structured: dict[str, Any] = field(default_factory=dict)
    """How its fields agree with what the pages say in JSON-LD, microdata and the like."""
    warnings: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[Field, ...]:
        """The fields that go into records."""
        return tuple(one for one in self.fields if not one.low)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "format": FORMAT,
            "template": self.template,
            "name": self.name,
            "site": self.site,
            "url_pattern": self.url_pattern,
            "learned_from": list(self.learned_from),
            "checked_on": self.checked_on,
            "structured": self.structured,
            "warnings": list(self.warnings),
            "fields": [one.as_dict() for one in self.fields],
            "lists": [one.as_dict() for one in self.lists],
        }

    @classmethod
    def of(cls, told: Any, source: str = "it") -> Wrapper:
        """The wrapper that :meth:`as_dict` told of; :exc:`InputError` if it is none."""
        try:
            if told["format"] != FORMAT:
                raise InputError(f"{source} is a wrapper of format {told['format']}, not {FORMAT}")
            found = cls(
                told["template"], told["name"], told["site"], told["url_pattern"],
                tuple(map(Field.of, told["fields"])), tuple(map(Rows.of, told["lists"])),
                tuple(told["learned_from"]), told["checked_on"], told["structured"],
                tuple(told["warnings"]),
            )  # fmt: skip
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise InputError(f"{source} is no wrapper: {error!r}") from None
        if not fits(found, cls):
            raise InputError(f"{source} is no wrapper: a value is not of its kind")
        return found
