"""What a method looks at."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from tplcrawl.clustering.inbound import Inbound, Ints
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.outline import Outline

T = TypeVar("T")


class Lazy(Sequence[T]):
    """Something of each page, read where it is kept when it is asked for."""

    def __init__(self, docids: Sequence[int], read: Callable[[int], T]) -> None:
        self._docids = docids
        self._read = read

    def __len__(self) -> int:
        return len(self._docids)

    def __getitem__(self, index: int) -> T:  # type: ignore[override]
        return self._read(self._docids[index])


class Stands(NamedTuple):
    """Where links to each of some pages stand, hashed, as far as some of the pages show it, but for
    what leads to few of them."""

    positions: list[Hashes]
    """Positional locations."""
    columns: list[Hashes]
    """The same without the number of the row that they are in."""


def _nowhere(pages: Sequence[int]) -> Stands:
    return Stands(*([hash_set(()) for _ in pages] for _ in Stands._fields))


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one site, in the order in which they were met, and the links between them."""

    urls: Sequence[str]
    features: Sequence[Features]
    outlines: Sequence[Outline]
    inbound: Inbound
    first_locations: Sequence[Hashable | None]
    """Where each page was first linked from, as the ``LOCATION`` setting wants it; ``None`` for
    start pages, and for all where the input has no links."""

    stands: Callable[[Sequence[int]], Stands] = _nowhere
    """Where links to some pages (indices) stand."""

    def __len__(self) -> int:
        return len(self.urls)

    def some(self, rows: Ints) -> Pages:
        """The pages *rows*, ascending, as if there were no others."""
        known = rows.tolist()
        return Pages(
            urls=[self.urls[row] for row in known],
            features=Lazy(known, self.features.__getitem__),
            outlines=Lazy(known, self.outlines.__getitem__),
            inbound=self.inbound.of_pages(rows),
            first_locations=[self.first_locations[row] for row in known],
            stands=lambda pages: self.stands([known[page] for page in pages]),
        )
