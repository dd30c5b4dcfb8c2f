"""Pages as the kinds of sets that clusters are taken apart by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tplcrawl.clustering.evidence import (
    BODY,
    COLUMN,
    LOCATION,
    POSITION,
    STRUCTURE,
    TAG_PATHS,
    URL,
    Evidence,
)
from tplcrawl.clustering.pairs import Pairs
from tplcrawl.fingerprints.tag_paths import hash_set
from tplcrawl.similarity.sets import Matrix


def spread_out(pairs: Pairs) -> Matrix:
    """The number for every two pages."""
    pages = range(len(pairs))
    return pairs.between(pages, pages)


@dataclass
class Sample:
    """Pages as the kinds of sets that refinement looks at."""

    structure: list[frozenset[int]] = field(default_factory=list)
    url: list[frozenset[int]] = field(default_factory=list)
    location: list[frozenset[int]] = field(default_factory=list)
    position: list[frozenset[int]] = field(default_factory=list)
    column: list[frozenset[int]] = field(default_factory=list)
    """Empty where nothing stands in columns."""
    tag_paths: list[frozenset[int]] = field(default_factory=list)
    """Those of the structure without classes; empty where they are all of it."""
    body: list[frozenset[int]] = field(default_factory=list)
    """Empty where no page's body has a class."""

    def add(
        self,
        structure: Iterable[int],
        url: Iterable[int] = (),
        location: Iterable[int] = (),
        position: Iterable[int] = (),
    ) -> None:
        self.structure.append(frozenset(structure))
        self.url.append(frozenset(url))
        self.location.append(frozenset(location))
        self.position.append(frozenset(position))

    def evidence(self) -> Mapping[str, Evidence]:
        return {
            kind: Evidence.of([hash_set(one) for one in sets])
            for kind, sets in (
                (STRUCTURE, self.structure),
                (TAG_PATHS, self.tag_paths or self.structure),
                (URL, self.url),
                (LOCATION, self.location),
                (POSITION, self.position),
                (COLUMN, self.column or [frozenset()] * len(self.structure)),
                (BODY, self.body or [frozenset()] * len(self.structure)),
            )
        }


def two_templates(
    first: int,
    second: int,
    *,
    copies: bool = False,
    places: bool = True,
    rows: bool = False,
    own: Sequence[int] = (12, 12),
) -> Sample:
    """A cluster of two page types that a mark of their URLs tells apart; so many elements are each
    one's *own*. Pages of either have some content of their own, unless they are copies of one page.
    Links to them stand in an entry of a menu for each type, or in *rows* of a list for each.
    Pages of a third kind make what all pages of the cluster have say something."""
    made = Sample()
    for n in range(first + second):
        kind = int(n >= first)
        content = [] if copies else [1000 + n, 2000 + n % 7]
        here = 10 + kind if places else 10
        elements = range(100 * kind, 100 * kind + own[kind])
        position = {1000 * here + n} if rows else {here}
        made.add([*elements, *range(500, 512), *content], {kind}, {here}, position)
    for n in range(first + second):
        made.add([*range(900, 912), 3000 + n], {7}, {77}, {77})
    return made
