"""The steps of an outline, taken apart once each: the same few hundred recur on every page."""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

_DIGITS = re.compile(rb"\d+")
_USUAL, _MOST = 120, 16384
"""Characters of a step that is worth remembering, for a hostile one has hundreds of classes; and
how many are remembered, before they are forgotten all at once."""


class StepParts(NamedTuple):
    """One step of a path in the forms that are hashed."""

    tag: bytes
    """``/`` and the tag."""
    classes: tuple[bytes, ...]
    """A dot and each class, digits folded."""
    class_hashes: tuple[int, ...]
    """The hash of each class."""


def _parts(step: str) -> StepParts:
    tag, *classes = step.encode("utf-8", "surrogatepass").split(b" ")
    folded = tuple(b"." + _DIGITS.sub(b"#", name) for name in classes)
    return StepParts(b"/" + tag, folded, tuple(map(crc32, folded)))


class _Steps(dict[str, StepParts]):
    """Takes apart a step of an outline.

    >>> step_parts("li menu-item menu-item-88")[:2]
    (b'/li', (b'.menu-item', b'.menu-item-#'))
    """

    def __missing__(self, step: str) -> StepParts:
        parts = _parts(step)
        if len(step) <= _USUAL:
            if len(self) >= _MOST:
                self.clear()
            self[step] = parts
        return parts


_known = _Steps()
step_parts = _known.__getitem__
