"""How well clusters agree with the truth. A page without a cluster counts as alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Scores:
    """The measures of one clustering."""

    pages: int
    templates: int
    """True ones."""
    clusters: int
    assigned: float
    """Share of the pages that have a cluster."""
    precision: float
    """Of the pairs in one cluster, the share that is of one template (paper 001, formula 4)."""
    recall: float
    """Of the pairs of one template, the share that is in one cluster."""
    f1: float
    ri: float
    """Rand index."""
    ari: float
    """Rand index, adjusted for chance."""
    purity: float
    """Share of the pages that are of their cluster's most frequent template."""
    macro_recall: float
    """Mean over the templates of the largest share that one cluster holds: each template counts
    the same."""
    v_measure: float

    def as_dict(self) -> dict[str, float]:
        """The measures by name, rounded."""
        return rounded(asdict(self))


def rounded(measures: Mapping[str, Any], digits: int = 4) -> dict[str, Any]:
    """*measures*, the fractions among them to so many digits.

    >>> rounded({"site": "a", "pages": 3, "f1": 2 / 3})
    {'site': 'a', 'pages': 3, 'f1': 0.6667}
    """
    return {
        name: round(value, digits) if isinstance(value, float) else value
        for name, value in measures.items()
    }


def score(clusters: Sequence[Hashable | None], truth: Sequence[Hashable]) -> Scores:
    """Measure *clusters* against the *truth* about the same pages. O(n).

    >>> score([1, 1, 2, None], ["a", "a", "a", "b"]).f1
    0.5
    """
    rows = [
        (("alone", i) if cluster is None else ("cluster", cluster), name)
        for i, (cluster, name) in enumerate(zip(clusters, truth, strict=True))
    ]
    total = len(rows)
    both = Counter(rows)
    sizes = Counter(cluster for cluster, _ in rows)
    names = Counter(name for _, name in rows)
    together, in_cluster, in_template = _pairs(both), _pairs(sizes), _pairs(names)
    pairs = total * (total - 1) / 2
    precision, recall = _share(together, in_cluster), _share(together, in_template)
    expected = in_cluster * in_template / pairs if pairs else 0.0
    mean = (in_cluster + in_template) / 2
    held: Counter[Hashable] = Counter()
    best: Counter[Hashable] = Counter()
    for (cluster, name), count in both.items():
        held[name] = max(held[name], count)
        best[cluster] = max(best[cluster], count)
    disagreeing = in_cluster + in_template - 2 * together
    return Scores(
        pages=total,
        templates=len(names),
        clusters=len(sizes),
        assigned=_share(sum(cluster is not None for cluster in clusters), total),
        precision=precision,
        recall=recall,
        f1=_harmonic(precision, recall),
        ri=1 - disagreeing / pairs if pairs else 1.0,
        ari=1.0 if mean == expected else (together - expected) / (mean - expected),
        purity=_share(sum(best.values()), total),
        macro_recall=_share(sum(held[name] / names[name] for name in names), len(names)),
        v_measure=_v_measure(both, sizes, names, total),
    )


def _pairs(counts: Mapping[Any, int]) -> int:
    return sum(count * (count - 1) // 2 for count in counts.values())


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def _entropy(counts: Iterable[int], total: int) -> float:
    return -sum(n / total * math.log(n / total) for n in counts if n)


def _v_measure(
    both: Mapping[Any, int], sizes: Mapping[Any, int], names: Mapping[Any, int], total: int
) -> float:
    if not total:
        return 0.0
    of_names, of_clusters = _entropy(names.values(), total), _entropy(sizes.values(), total)
    joint = _entropy(both.values(), total)
    homogeneity = 1.0 if not of_names else 1 - (joint - of_clusters) / of_names
    completeness = 1.0 if not of_clusters else 1 - (joint - of_names) / of_clusters
    return _harmonic(homogeneity, completeness)
