"""Template fingerprints: paper 000.

A page is represented by the prefix references of its LZW dictionary
(:mod:`~tplcrawl.fingerprints.lzw`, section 3.1, algorithm 1). Two pages are of one template if the
edit distance of their fingerprints is at most one (definition 3.1), and clusters that a page links
are merged (section 5.1), so the outcome does not depend on the order of the pages. A page that
comes later is of the template of any fingerprint at that distance, else of none (section 4.1).

The paper finds perfect purity across 50 sites. Within one site all pages share a head, which is
most of what a fingerprint shows, so different templates are easily chained together.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from tplcrawl.clustering.base import Arrival, Classifier, Clustering, Method
from tplcrawl.clustering.linked import STRANGER, components
from tplcrawl.clustering.lzw_index import (
    SPLIT,
    NeighbourIndex,
    PrefixSuffixIndex,
    links,
    tuned_split,
)
from tplcrawl.clustering.lzw_links import one_edit_clusters
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.sampling import spread
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.lzw import Fingerprint
from tplcrawl.records import Assignment

LINKED = "linked by fingerprint"
WILDCARD, PREFIX_SUFFIX = "wildcard", "prefix-suffix"
AUTO = "auto"

_SAMPLE = 10_000
"""Fingerprints whose entropies choose the split."""


class LZW(Method):
    """Links pages whose fingerprints one edit turns into each other. O(pages).

    *index* is how nearly equal fingerprints are found, which does not change what is found:
    ``wildcard``, or ``prefix-suffix`` as the paper has it, which is quadratic where fingerprints
    share a prefix; *split* is the length of that one's prefix, or ``auto`` to choose it by entropy
    (section 3.4). Only distinct fingerprints are looked at, a few for a hundred pages.
    """

    name: ClassVar[str] = "lzw"
    skims: ClassVar[bool] = True

    def __init__(self, *, index: str = WILDCARD, split: int | str = SPLIT) -> None:
        if index not in (WILDCARD, PREFIX_SUFFIX):
            raise UsageError(f"lzw: index must be {WILDCARD} or {PREFIX_SUFFIX}, not {index}")
        if split != AUTO:
            if not isinstance(split, int):
                raise UsageError(f"lzw: split must be a whole number or {AUTO}, not {split}")
            PrefixSuffixIndex(split)
        self.index, self.split = index, split

    def clusters(self, fingerprints: list[Fingerprint]) -> list[int]:
        """The number of the cluster of each of *fingerprints*, all different.

        >>> prints = [bytes((0, 0, 1)), bytes((0, 0, 2)), bytes((0, 1)), bytes((2, 0, 0))]
        >>> LZW().clusters(prints), LZW(index="prefix-suffix", split="auto").clusters(prints)
        ([0, 0, 0, 1], [0, 0, 0, 1])
        """
        if self.index == WILDCARD:
            return one_edit_clusters(fingerprints)
        split = self.split
        if not isinstance(split, int):
            split = tuned_split(spread(sorted(fingerprints), _SAMPLE))
        return components(len(fingerprints), links(PrefixSuffixIndex(split), fingerprints))

    def cluster(self, pages: Pages) -> Clustering:
        counts = Counter(one.lzw for one in pages.features)
        clusters = dict(zip(counts, self.clusters(list(counts)), strict=True))
        numbers = {
            cluster: number for number, cluster in enumerate(dict.fromkeys(clusters.values()))
        }
        known = {
            fingerprint: Assignment(numbers[cluster], 1.0, LINKED)
            for fingerprint, cluster in clusters.items()
        }
        assignments = tuple(known[one.lzw] for one in pages.features)
        return Clustering(assignments, ByFingerprint(known, counts), learned_from=len(pages))


class ByFingerprint(Classifier):
    """Instance-based classification (section 4.1): a page is of the template of a fingerprint that
    is equal or at distance one; of several templates, the one with the most pages there. O(1)."""

    def __init__(self, known: dict[Fingerprint, Assignment], pages: Counter[Fingerprint]) -> None:
        self._known = known
        self._pages = pages
        self._index = NeighbourIndex(known)

    def assign(self, page: Arrival) -> Assignment:
        own = page.features.lzw
        same = self._known.get(own)
        if same is not None:
            return Assignment(same.template, 1.0, "a fingerprint of its template")
        votes: Counter[int] = Counter()
        for one in self._index.similar(own):
            template = self._known[one].template
            assert template is not None
            votes[template] += self._pages[one]
        if not votes:
            return STRANGER
        best = max(votes, key=lambda template: (votes[template], -template))
        distance = 1 / max(len(own), 1)
        return Assignment(
            best, round(1 - distance, 3), "one edit from a fingerprint of its template"
        )
