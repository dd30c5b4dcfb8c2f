"""The steps of an outline, taken apart once each: the same few hundred recur on every page."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

_DIGITS = re.compile(rb"\d+")
_USUAL = 120
"""Characters of a step that is worth remembering: a hostile one has hundreds of classes."""


class StepParts(NamedTuple):
    """One step of a path in the forms that are hashed."""

    tag: bytes
    """``/`` and the tag."""
    classes: tuple[bytes, ...]
    """A dot and each class, digits folded."""
    class_hashes: tuple[int, ...]
    """The hash of each class."""


def step_parts(step: str) -> StepParts:
    """Take apart a step of an outline.

    >>> step_parts("li menu-item menu-item-88")[:2]
    (b'/li', (b'.menu-item', b'.menu-item-#'))
    """
    return _remembered(step) if len(step) <= _USUAL else _parts(step)


def _parts(step: str) -> StepParts:
    tag, *classes = step.encode("utf-8", "surrogatepass").split(b" ")
    folded = tuple(b"." + _DIGITS.sub(b"#", name) for name in classes)
    return StepParts(b"/" + tag, folded, tuple(map(crc32, folded)))


_remembered = lru_cache(maxsize=16384)(_parts)
