"""RTDM: pages whose trees can be mapped onto each other from the root down (Reis, Golgher, da Silva
and Laender 2004; a baseline of paper 000, section 4.2, and described in paper 004, section 2.1).

Pages are cut to the 500 elements nearest to their roots, and compared by tags.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from tplcrawl.clustering.aligned import Aligned
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.shapes import shape_of
from tplcrawl.outline import Outline
from tplcrawl.similarity.top_down import share_kept
from tplcrawl.similarity.trees import Sketch, bound_below


class Rtdm(Aligned[Sketch]):
    """Links pages whose restricted top-down distance is at most a fifth of the larger page's
    elements: similarity 1 - distance / max(n₁, n₂), threshold 0.8, as for the other measures.

    Quadratic in pages and, for a pair, up to quadratic in elements; at most 500 pages are compared.
    """

    name: ClassVar[str] = "rtdm"
    threshold: ClassVar[float] = 0.8
    limit: ClassVar[int] = 500

    def represent(self, features: Features, outline: Outline) -> Sketch:
        return Sketch.of(shape_of(outline))

    def key(self, page: Sketch) -> Hashable:
        return page.shape.id

    def similarity(self, a: Sketch, b: Sketch) -> float:
        return share_kept(self.top_down(a.shape, b.shape), a.shape, b.shape)

    def ceiling(self, a: Sketch, b: Sketch) -> float:
        larger = max(a.shape.size, b.shape.size)
        # No mapping is cheaper than the best one of any kind, the edit distance.
        bound = bound_below(a, b, enough=(1 - self.at_least) * larger + 1)
        return share_kept(bound, a.shape, b.shape)
