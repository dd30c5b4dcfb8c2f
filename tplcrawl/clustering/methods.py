"""The one table of methods."""

from __future__ import annotations

from typing import Any

from tplcrawl.clustering.base import Method
from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.clustering.uxclust import UXClust
from tplcrawl.errors import UsageError

METHODS: dict[str, type[Method]] = {
    Hybrid.name: Hybrid,
    UXClust.name: UXClust,
}


def make_method(name: str, **parameters: Any) -> Method:
    """Make the method called *name*; raise :exc:`UsageError` where there is none."""
    try:
        kind = METHODS[name]
    except KeyError:
        known = ", ".join(METHODS)
        raise UsageError(f"no method is called {name!r}; there are: {known}") from None
    return kind(**parameters)
