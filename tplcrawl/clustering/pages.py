"""What a method looks at."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from tplcrawl.clustering.inbound import Inbound
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.outline import Outline


def _no_positions(pages: Sequence[int]) -> list[Hashes]:
    return [hash_set(()) for _ in pages]


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

    positions: Callable[[Sequence[int]], list[Hashes]] = _no_positions
    """For each of some pages (indices), the positional locations of links to it, hashed, as far as
    some of the pages show them."""

    def __len__(self) -> int:
        return len(self.urls)
