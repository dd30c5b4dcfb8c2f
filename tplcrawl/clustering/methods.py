"""The one table of methods."""

from __future__ import annotations

from inspect import signature
from typing import Any

from tplcrawl.clustering.base import Method
from tplcrawl.clustering.branches import BranchLinks
from tplcrawl.clustering.common_paths import CommonPaths
from tplcrawl.clustering.cosine import Cosine
from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.clustering.lcts import LCTS
from tplcrawl.clustering.lzw import LZW
from tplcrawl.clustering.md5 import MD5
from tplcrawl.clustering.mdh5 import MDH5
from tplcrawl.clustering.path_shingles import PathShingles
from tplcrawl.clustering.paths import Paths
from tplcrawl.clustering.pq_grams import PQGrams
from tplcrawl.clustering.rtdm import Rtdm
from tplcrawl.clustering.style import Style
from tplcrawl.clustering.tag_shingles import TagShingles
from tplcrawl.clustering.tag_vector import TagVector
from tplcrawl.clustering.text_max import TextMax
from tplcrawl.clustering.text_mdl import TextMDL
from tplcrawl.clustering.uxclust import UXClust
from tplcrawl.errors import UsageError

METHODS: dict[str, type[Method]] = {
    kind.name: kind
    for kind in (
        Hybrid,
        UXClust,
        CommonPaths,
        PQGrams,
        LZW,
        TagVector,
        Paths,
        PathShingles,
        TagShingles,
        LCTS,
        Rtdm,
        MD5,
        MDH5,
        Style,
        BranchLinks,
        Cosine,
        TextMDL,
        TextMax,
    )
}


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

    >>> parameters_of(UXClust)
    ['cutoff', 'samples', 'occurrence', 'similarity']
    """
    return list(signature(kind).parameters)
