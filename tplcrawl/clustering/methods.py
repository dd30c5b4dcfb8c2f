"""The one table of methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from inspect import signature
from typing import Any

from tplcrawl.clustering.base import Method
from tplcrawl.errors import UsageError

_CLASSES = {
    "hybrid": "hybrid.Hybrid",
    "uxclust": "uxclust.UXClust",
    "common-paths": "common_paths.CommonPaths",
    "pq-grams": "pq_grams.PQGrams",
    "lzw": "lzw.LZW",
    "tag-vector": "tag_vector.TagVector",
    "paths": "paths.Paths",
    "path-shingles": "path_shingles.PathShingles",
    "tag-shingles": "tag_shingles.TagShingles",
    "lcts": "lcts.LCTS",
    "rtdm": "rtdm.Rtdm",
    "md5": "md5.MD5",
    "mdh5": "mdh5.MDH5",
    "style": "style.Style",
    "branches": "branches.BranchLinks",
    "cosine": "cosine.Cosine",
    "text-mdl": "text_mdl.TextMDL",
    "text-max": "text_max.TextMax",
}


class _Methods(Mapping[str, type[Method]]):
    """Name → class. A method is imported when it is asked for: all of them take a second, and a
    crawl needs one."""

    def __getitem__(self, name: str) -> type[Method]:
        module, _, kind = _CLASSES[name].partition(".")
        found: type[Method] = getattr(import_module(f"tplcrawl.clustering.{module}"), kind)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


METHODS: Mapping[str, type[Method]] = _Methods()


def make_method(name: str, **parameters: Any) -> Method:
    """Make the method called *name*; raise :exc:`UsageError` where there is none."""
    kind = METHODS.get(name)
    if kind is None:
        raise UsageError(f"no method is called {name!r}; there are: {', '.join(METHODS)}")
    known = signature(kind).parameters
    for parameter in parameters:
        if parameter not in known:
            raise UsageError(f"{name} has no {parameter}; it has: {', '.join(known)}")
    for parameter, value in parameters.items():
        wanted = str(known[parameter].annotation)
        words = [word.strip() for word in wanted.split("|")]
        fits = (
            ("float" in words and isinstance(value, int | float) and value == value)
            or (("int" in words or "Cutoff" in words) and isinstance(value, int))
            or ("str" in words and isinstance(value, str))
            or (value is None and ("None" in words or "Cutoff" in words))
        )
        if not fits:
            raise UsageError(f"{name}: {parameter} must be {wanted}, not {value!r}")
    return kind(**parameters)


def parameters_of(kind: type[Method]) -> list[str]:
    """The names of a method's parameters.

    >>> parameters_of(METHODS["uxclust"])
    ['cutoff', 'samples', 'occurrence', 'similarity']
    """
    return list(signature(kind).parameters)
