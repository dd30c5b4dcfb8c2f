"""Structure and style (Gowda and Mattmann 2016, paper 002): tree edit distance and class names,
clustered by shared near neighbours.

- Section 3: structural similarity 1 - TED / (γmax·(n₁ + n₂)), here at unit costs, γmax = 1.
- Section 4: stylistic similarity, the Jaccard coefficient of the class names as they are written.
- Section 5, formula 1: κ·structural + (1 - κ)·stylistic, κ = 0.5.
- Section 6: pages at least 0.85 alike are near neighbours; clusters that share at least 0.85 of
  theirs are merged (:func:`~tplcrawl.clustering.neighbours.shared_neighbours`).

Pages are cut to the 500 elements nearest to their roots for the structural part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, ClassVar
from zlib import crc32

import networkx as nx

from tplcrawl.clustering.aligned import Aligned
from tplcrawl.clustering.neighbours import shared_neighbours
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.shapes import shape_of
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.outline import Outline
from tplcrawl.similarity.sets import jaccard
from tplcrawl.similarity.trees import Sketch, bound_below, edit_distance


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the method sees of a page."""

    tree: Sketch
    classes: Hashes

    @property
    def kind(self) -> tuple[bytes, bytes]:
        """Equal for pages of one tree and the same classes."""
        return self.tree.shape.id, self.classes.tobytes()


class Style(Aligned[Look]):
    """Merges pages that look alike and share their near neighbours.

    Quadratic in pages; few pairs need their exact edit distance, but such a pair may take 0.1 s.
    At most 200 pages are compared; the outcome does not depend on their order.
    """

    name: ClassVar[str] = "style"
    threshold: ClassVar[float] = 0.85
    limit: ClassVar[int] = 200

    def __init__(
        self,
        *,
        kappa: float = 0.5,
        similarity: float | None = None,
        overlap: float = 0.85,
        most: int | None = None,
    ) -> None:
        super().__init__(similarity=similarity, most=most)
        for name, share in (("kappa", kappa), ("overlap", overlap)):
            if not 0 <= share <= 1:
                raise UsageError(f"style: {name} must be between 0 and 1, not {share}")
        self.kappa, self.overlap = kappa, overlap

    def represent(self, features: Features, outline: Outline) -> Look:
        names = {name for step in outline.steps for name in step.split(" ")[1:]}
        return Look(
            Sketch.of(shape_of(outline)),
            hash_set(crc32(name.encode("utf-8", "surrogatepass")) for name in names),
        )

    def similarity(self, a: Look, b: Look) -> float:
        return self._formula_1(edit_distance(a.tree.shape, b.tree.shape), a, b)

    def ceiling(self, a: Look, b: Look) -> float:
        best = self._formula_1(0, a, b)
        if best < self.at_least or not self.kappa:
            return best
        # The edit distance that would make them too different, and one to be sure.
        size = a.tree.shape.size + b.tree.shape.size
        enough = (best - self.at_least) / self.kappa * size + 1
        return self._formula_1(bound_below(a.tree, b.tree, enough), a, b)

    def floor(self, a: Look, b: Look) -> float:
        # A restricted mapping is a mapping: the best one of any kind is not dearer.
        return self._formula_1(self.top_down(a.tree.shape, b.tree.shape), a, b)

    def links(self, pages: Sequence[Look]) -> Iterator[tuple[int, int]]:
        graph = nx.Graph()
        graph.add_nodes_from(range(len(pages)))
        kinds: defaultdict[Any, list[int]] = defaultdict(list)
        for i, page in enumerate(pages):
            kinds[page.kind].append(i)
        for members in kinds.values():
            graph.add_edges_from(combinations(members, 2))
        for some, others in combinations(kinds.values(), 2):
            if self.alike(pages[some[0]], pages[others[0]]):
                graph.add_edges_from(product(some, others))
        for cluster in shared_neighbours(graph, self.overlap):
            yield from product(cluster[:1], cluster[1:])

    def _formula_1(self, distance: int, a: Look, b: Look) -> float:
        structural = 1 - distance / (a.tree.shape.size + b.tree.shape.size)
        return self.kappa * structural + (1 - self.kappa) * jaccard(a.classes, b.classes)
