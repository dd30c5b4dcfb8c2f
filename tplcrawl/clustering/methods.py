"""The one table of methods."""

from __future__ import annotations

from inspect import signature
from typing import Any

from tplcrawl.clustering.base import Method
from tplcrawl.clustering.common_paths import CommonPaths
from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.clustering.uxclust import UXClust
from tplcrawl.errors import UsageError

METHODS: dict[str, type[Method]] = {
    Hybrid.name: Hybrid,
    UXClust.name: UXClust,
    CommonPaths.name: CommonPaths,
}


def make_method(name: str, **parameters: Any) -> Method:
    """Make the method called *name*; raise :exc:`UsageError` where there is none."""
    kind = METHODS.get(name)
    if kind is None:
        raise UsageError(f"no method is called {name!r}; there are: {', '.join(METHODS)}")
    known = parameters_of(kind)
    for parameter in parameters:
        if parameter not in known:
            raise UsageError(f"{name} has no {parameter}; it has: {', '.join(known)}")
    return kind(**parameters)


def parameters_of(kind: type[Method]) -> list[str]:
    """The names of a method's parameters.

    >>> parameters_of(UXClust)
    ['cutoff', 'samples', 'occurrence', 'similarity']
    """
    return list(signature(kind).parameters)
