"""What fields take of an element: its texts, its attributes, or itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tplcrawl.wrappers.nodes import whole_text
from tplcrawl.wrappers.steps import Target
from tplcrawl.wrappers.texts import chosen_texts, first_own_text, own_texts, text_below

Values = list[list[Any]]
"""For each field, what was found."""


class Take:
    """Takes the values of all fields that end at one element."""

    def __init__(self, wanted: Sequence[tuple[int, Target]]) -> None:
        self._firsts: list[tuple[int, bool]] = []
        """Fields that are simply the first text, as most are; whether it may stand below."""
        self._texts: list[tuple[int, Target]] = []
        self._others: list[tuple[int, Target]] = []
        for number, target in wanted:
            if target.kind != "text":
                self._others.append((number, target))
            elif target.label is None and target.nth == 1:
                self._firsts.append((number, target.only))
            else:
                self._texts.append((number, target))

    def __call__(self, element: Any, values: Values) -> None:
        """Add what *element* has to *values*."""
        if self._firsts:
            text = first_own_text(element)
            for number, only in self._firsts:
                if text is not None:
                    values[number].append(text)
                elif only:
                    values[number] += text_below(element)
        if self._texts:
            texts = own_texts(element)
            for number, target in self._texts:
                values[number] += chosen_texts(texts, target)
        for number, target in self._others:
            if target.kind == "attribute":
                given = element.get(target.name)
                if given is not None:
                    values[number].append(given)
            else:
                values[number].append(element if target.kind == "html" else whole_text(element))
