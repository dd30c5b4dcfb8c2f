"""A wrapper and a page → a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from lxml import etree

from tplcrawl.wrappers.affixes import bared
from tplcrawl.wrappers.nodes import whole_text
from tplcrawl.wrappers.plan import Plan
from tplcrawl.wrappers.steps import Path, Step
from tplcrawl.wrappers.values import absolute, cleaned, typed
from tplcrawl.wrappers.wrapper import Field, Rows, Wrapper

FITS = 0.5
"""The share of a wrapper's required fields that a page must have to be of its template; or of the
blocks that they stand in: a page may lack a whole table of specifications."""

MOVED = 0.2
"""The share of a wrapper's required fields beyond which a page that lacks them is another build."""

TELLING = 3
"""Blocks of which that can be said."""

MEANT = frozenset(("number", "price", "date"))
"""Types whose texts mean something else than themselves."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a page says."""

    values: dict[str, Any]
    """Each field's text, or list of texts, or ``None``; each list's rows."""
    typed: dict[str, Any] = field(default_factory=dict)
    """What the texts mean, for fields that are numbers, prices or dates; the markup of HTML."""
    missing: tuple[str, ...] = ()
    """Required fields that the page has not."""
    misfit: str | None = None
    """Why the page is none of the template's, if it is none: then it has no values."""


class Extractor:
    """Applies one wrapper. All its selectors are applied in one walk."""

    def __init__(self, wrapper: Wrapper, *, low: bool = False) -> None:
        self.wrapper = wrapper
        self.fields = [one for one in wrapper.fields if low or not one.low]
        self.lists = [one for one in wrapper.lists if low or not one.low]
        self._plan = Plan(
            [(one.rule.path, one.rule.target) for one in self.fields],
            [
                (rows.path, [(one.rule.path, one.rule.target) for one in rows.fields])
                for rows in self.lists
            ],
        )
        self._others = [
            [Plan([(rule.path, rule.target)]) for rule in one.alternatives] for one in self.fields
        ]
        self._required = sum(one.required for one in self.fields)
        self._blocks = {one.name: _block(one) for one in self.fields if one.required}

    def __call__(self, root: Any, url: str = "") -> Record:
        """The record of the page with the tree *root*."""
        found, rows = self._plan.apply(root)
        texts = [
            _texts(one, own, url) if own else own
            for one, own in zip(self.fields, found, strict=True)
        ]
        lost = [number for number, own in enumerate(texts) if not own]
        needed = [number for number in lost if self.fields[number].required]
        if needed:
            # Where much is lost, the page is built otherwise: look for everything elsewhere.
            for number in lost if len(needed) > MOVED * self._required else needed:
                found[number] = self._elsewhere(number, root, url)
                texts[number] = _texts(self.fields[number], found[number], url)
        values: dict[str, Any] = {}
        meanings: dict[str, Any] = {}
        missing = []
        for one, parts, own in zip(self.fields, found, texts, strict=True):
            if not own and one.required:
                missing.append(one.name)
            values[one.name] = own if one.many else (own[0] if own else None)
            if one.type == "html":
                meanings[one.name] = _markup(parts[0]) if own else None
            elif one.type in MEANT:
                read = [typed(one.type, text) for text in own]
                meanings[one.name] = read if one.many else (read[0] if read else None)
        if not self._fits(missing):
            got = self._required - len(missing)
            told = f"{got} of {self._required} required fields found"
            return Record({}, missing=tuple(missing), misfit=told)
        for one_list, its_rows in zip(self.lists, rows, strict=True):
            made = [_row(one_list, row, url) for row in its_rows]
            values[one_list.name] = [row for row in made if row]
        return Record(values, meanings, tuple(missing))

    def _fits(self, missing: Sequence[str]) -> bool:
        if len(missing) <= (1 - FITS) * self._required:
            return True
        # Every page has a title: that it is found says nothing.
        blocks = {block for block in self._blocks.values() if Step("title") not in block}
        found = {self._blocks[name] for name in self._blocks.keys() - set(missing)} & blocks
        return len(found) >= max(TELLING, FITS * len(blocks))

    def present(self, root: Any) -> list[str]:
        """The names of the fields that are found where they should be."""
        found, _ = self._plan.apply(root)
        return [
            one.name for one, own in zip(self.fields, found, strict=True) if _texts(one, own, "")
        ]

    def _elsewhere(self, number: int, root: Any, url: str) -> list[Any]:
        one = self.fields[number]
        for plan in self._others[number]:
            (parts,), _ = plan.apply(root)
            if _texts(one, parts, url):
                return parts
        return []


def _block(one: Field) -> Path:
    """The way to what *one* stands in together with others that are called by labels."""
    path = one.rule.path
    labelled = [number for number, step in enumerate(path) if step.label is not None]
    return path[: labelled[-1]] if labelled and labelled[-1] > 0 else path


def _markup(part: Any) -> str:
    """What stands in an element, as HTML."""
    if isinstance(part, str):
        return escape(part)
    inner = [escape(part.text or "", quote=False)]
    inner += [etree.tostring(one, encoding="unicode", method="html") for one in part]
    return "".join(inner).strip()


def _texts(one: Field, found: Sequence[Any], url: str) -> list[str]:
    if not found:
        return []
    if not isinstance(found[0], str):
        found = [whole_text(part) for part in found]
    if one.type in ("url", "image"):
        return [absolute(url, text.strip()) for text in found if text.strip()]
    texts = [text for part in found if (text := cleaned(part))]
    prefix, suffix = one.prefix, one.suffix
    if prefix or suffix:
        texts = [bared(text, prefix, suffix) for text in texts]
    return texts


def _row(rows: Rows, found: Sequence[Sequence[str]], url: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for one, own in zip(rows.fields, found, strict=True):
        texts = _texts(one, own, url) if own else own
        if texts:
            row[one.name] = texts if one.many else texts[0]
    return row
