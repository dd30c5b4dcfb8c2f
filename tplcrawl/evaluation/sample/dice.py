"""Chance that is the same in every process and Python version."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

_WORDS = (
    "amber anchor apple arrow ash aspen badger barley basin beacon birch blue bolt bramble brass "
    "bridge brook canyon cedar chalk cinder clay clover cobalt copper coral cotton crane creek "
    "delta dune eagle elm ember fern field finch flax flint forest fox frost garnet glade grain "
    "granite grove harbor hazel heron hill hollow indigo iris iron island ivory ivy jade juniper "
    "kestrel lagoon lake larch lark laurel leaf lilac linen lotus maple marble marsh meadow mint "
    "mist moss north oak oat ocean olive onyx opal orchard otter pearl pebble pepper pine plum "
    "pond poplar quartz quill rain raven reed ridge river robin rose rowan ruby sage sand "
    "shore silver slate snow sparrow spruce stone storm summit swan teal thistle thyme tide "
    "timber topaz vale valley velvet violet walnut wave willow wind winter wolf wren yarrow"
).split()


class Dice:
    """A source of choices for one thing, named by *seed* and *name*."""

    def __init__(self, seed: int, *name: object) -> None:
        self._key = repr((seed, *name)).encode()
        self._count = 0

    def roll(self, sides: int) -> int:
        """A number from 0 to *sides* - 1."""
        self._count += 1
        digest = blake2b(self._key, digest_size=8, salt=self._count.to_bytes(8, "big")).digest()
        return int.from_bytes(digest, "big") % sides

    def chance(self, percent: int) -> bool:
        """Whether something happens."""
        return self.roll(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        """One of *options*."""
        return options[self.roll(len(options))]

    def between(self, low: int, high: int) -> int:
        """A number from *low* to *high*."""
        return low + self.roll(high - low + 1)

    def words(self, count: int) -> str:
        """So many words."""
        return " ".join(self.pick(_WORDS) for _ in range(count))

    def title(self, count: int) -> str:
        """A title of so many words."""
        return self.words(count).title()

    def paragraphs(self, low: int, high: int) -> list[str]:
        """Paragraphs of text."""
        return [
            f"{self.words(self.between(20, 60)).capitalize()}."
            for _ in range(self.between(low, high))
        ]
