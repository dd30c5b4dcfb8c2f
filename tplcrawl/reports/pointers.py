"""Places in JSON (RFC 6901): so a report can say where each of its numbers stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def pointer(path: Sequence[str | int]) -> str:
    """The pointer to *path*.

    >>> pointer(["reasons", "a/b~c", 0])
    '/reasons/a~1b~0c/0'
    """
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def resolve(value: Any, where: str) -> Any:
    """What stands at a pointer.

    >>> resolve({"a/b": [1, 2]}, "/a~1b/1")
    2
    """
    for step in where.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value
