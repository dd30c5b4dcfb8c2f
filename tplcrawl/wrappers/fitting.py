"""Of several wrappers, the one that a page is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tplcrawl.wrappers.extraction import Extractor, Record
from tplcrawl.wrappers.wrapper import Wrapper

SURE = 0.8
"""The share of a wrapper's required fields from which a page of an unknown template is taken for
one of its own."""

TELLING = 3
"""Required fields of which that can be said: every page has a title."""


class Fitting:
    """Finds the wrapper of pages whose template is not known."""

    def __init__(self, wrappers: Mapping[str, Wrapper], *, low: bool = False) -> None:
        self._extractors = {
            name: Extractor(wrapper, low=low)
            for name, wrapper in wrappers.items()
            if sum(one.required for one in wrapper.shown) >= TELLING
        }

    def best(self, root: Any, url: str) -> tuple[str, Record] | None:
        """The wrapper of which the page has most, and what it makes of it. O(wrappers)."""
        found: tuple[int, str, Record] | None = None
        for name, extract in self._extractors.items():
            record = extract(root, url)
            required = sum(one.required for one in extract.fields)
            has = required - len(record.missing)
            if (
                record.misfit is None
                and has >= SURE * required
                and (found is None or has > found[0])
            ):
                found = has, name, record
        return None if found is None else found[1:]
