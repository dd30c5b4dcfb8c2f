"""The structure of a page, each distinct path once.

A page of a thousand elements has some two hundred distinct paths of tags and classes. An outline
names each of these once and keeps, in document order, which of them each element stands on: enough
to rebuild the whole tree of tags and classes, in a tenth of the space, and computed features
(tag paths, shingles, branches …) touch each distinct path once, not each element.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from struct import pack

import numpy as np

_ENCODING = ("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Outline:
    """The tree of a page's elements."""

    parents: tuple[int, ...]
    """For each distinct path, the index of its parent path; -1 for the root's."""

    steps: tuple[str, ...]
    """For each distinct path, its last step: the tag, then its classes, with spaces between."""

    texts: tuple[bool, ...]
    """For each distinct path, whether an element on it carries text of its own."""

    sequence: tuple[int, ...] = field(repr=False)
    """For each element in document order, the index of its path."""

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """For each distinct path, its last tag."""
        return tuple([step.partition(" ")[0] for step in self.steps])

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """For each distinct path, its number of steps above."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        return tuple(depths)

    def path(self, index: int) -> str:
        """The tag path of a distinct path, as a location without positions.

        >>> Outline((-1, 0), ("html", "body home"), (False, True), (0, 1)).path(1)
        '/html/body'
        """
        return self.paths((index,))[index]

    def paths(self, indices: Iterable[int]) -> dict[int, str]:
        """The tag paths of *indices* and of all above them. O(paths given back)."""
        found = {-1: ""}
        parents, tags = self.parents, self.tags
        for index in dict.fromkeys(indices):
            above = []
            while index not in found:
                above.append(index)
                index = parents[index]
            path = found[index]
            for below in reversed(above):
                path = found[below] = f"{path}/{tags[below]}"
        del found[-1]
        return found

    def classes(self, index: int) -> list[str]:
        """The class tokens of a distinct path's own element."""
        return self.steps[index].split(" ")[1:]

    def encode(self) -> bytes:
        """This outline as bytes; :meth:`decode` gives it back."""
        steps = "\n".join(self.steps).encode(*_ENCODING)
        head = (len(self.steps), len(self.sequence), *self.parents, *self.sequence)
        numbers = pack(f"<{len(head)}i", *head)  # in half the time that an array takes
        return zlib.compress(b"".join((numbers, bytes(self.texts), steps)), 1)

    @classmethod
    def decode(cls, blob: bytes) -> Outline:
        """The outline that :meth:`encode` wrote; :exc:`ValueError` for what is none."""
        if blob == _NOTHING:
            return NO_OUTLINE
        raw = zlib.decompress(blob)
        paths, elements = np.frombuffer(raw, "<i4", 2).tolist()
        if min(paths, elements) < 0:
            raise ValueError("no outline")
        found = np.frombuffer(raw, "<i4", paths + elements, 8)
        parents, sequence = found[:paths], found[paths:]
        at = 8 + 4 * (paths + elements)
        steps = raw[at + paths :].decode(*_ENCODING).split("\n") if paths else []
        # A path stands behind its parent: whoever climbs arrives at the root.
        above = parents.min(initial=0) >= -1 and (parents < np.arange(paths)).all()
        inside = sequence.min(initial=0) >= 0 and sequence.max(initial=-1) < paths
        texts = raw[at : at + paths]
        if not (above and inside and len(steps) == len(texts) == paths):
            raise ValueError("no outline")
        numbers = found.tolist()
        return cls(
            tuple(numbers[:paths]),
            tuple(steps),
            tuple(map(bool, texts)),
            tuple(numbers[paths:]),
        )


NO_OUTLINE = Outline((), (), (), ())
"""Of a page that is judged by its features alone."""
_NOTHING = NO_OUTLINE.encode()
