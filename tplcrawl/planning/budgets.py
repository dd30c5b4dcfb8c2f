"""How many pages of each template are wanted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tplcrawl.clustering.template_ids import template_name

EVERY = "*"
"""Stands for all templates that are not named."""


@dataclass(frozen=True, slots=True)
class Budgets:
    """The most pages of each template, by its id or name; no limit for one that is not named.

    >>> budgets = Budgets.parse("product=20,t3=5,*=100")
    >>> budgets.limit(3, "post"), budgets.limit(4, "product"), budgets.limit(5, "tag")
    (5, 20, 100)
    >>> Budgets.parse(20).limit(None, None), Budgets.parse("t3=5").limit(4, None)
    (20, None)
    """

    limits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def parse(cls, given: Any) -> Budgets:
        """Read a number, ``name=number`` with commas between, or a mapping (also as JSON); raise
        :exc:`ValueError` for anything else."""
        if isinstance(given, str):
            given = _read(given.strip())
        if isinstance(given, Mapping):
            limits = {str(name).strip(): _count(number) for name, number in given.items()}
            if "" in limits:
                raise ValueError("a template without a name")
        else:
            limits = {EVERY: _count(given)}
            if not limits[EVERY]:
                raise ValueError("no pages at all")
        return cls(MappingProxyType(limits))

    def limit(self, template: int | None, name: str | None) -> int | None:
        """The most pages of a template; of an unknown one, those of any that is not named."""
        by_id = template_name(template) if template is not None else None
        for word in (by_id, name, EVERY):
            if word is not None and word in self.limits:
                return self.limits[word]
        return None

    def unknown(self, known: Iterable[str]) -> list[str]:
        """The words that name no template, of those that are *known*."""
        return sorted(set(self.limits) - {EVERY, *known})

    @property
    def need_names(self) -> bool:
        """Whether a template is named by anything but its id."""
        return any(
            word != EVERY and not (word[:1] == "t" and word[1:].isdigit()) for word in self.limits
        )


def _read(text: str) -> Any:
    if text.startswith("{"):
        return json.loads(text)
    if "=" not in text:
        return int(text)
    parts = [part.rpartition("=") for part in text.split(",") if part.strip()]
    return {name: number for name, _, number in parts}


def _count(given: Any) -> int:
    if isinstance(given, bool) or (isinstance(given, float) and given != int(given)):
        raise ValueError("not a number of pages")
    number = int(given)
    if number < 0:
        raise ValueError("fewer than no pages")
    return number
