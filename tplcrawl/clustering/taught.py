"""Classifiers that are taught templates by examples (paper 000, section 4): k templates, or none.

A page is of a template if it is alike enough to any example of it. What is enough is the template's
own affair: the smallest similarity between two of its examples (section 4.2), unless the method
names a threshold of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Generic

from tplcrawl.clustering.base import Arrival, Classifier, Method
from tplcrawl.clustering.linked import STRANGER, Linked, R
from tplcrawl.clustering.lzw import LZW, ByFingerprint
from tplcrawl.clustering.md5 import MD5, ByDigest
from tplcrawl.errors import UsageError
from tplcrawl.records import Assignment

FIXED = frozenset(("tag-shingles",))
"""Methods with one threshold for all templates: CTSS has 0.8 (section 4.2)."""


class Taught(Classifier, Generic[R]):
    """Instance-based classification with a threshold for each template. O(examples) comparisons."""

    def __init__(self, method: Linked[R], examples: Sequence[tuple[int, R]]) -> None:
        self._method = method
        self._examples: defaultdict[int, list[R]] = defaultdict(list)
        for template, example in examples:
            self._examples[template].append(example)
        self.thresholds = {
            template: method.at_least if method.name in FIXED else self._least(own)
            for template, own in self._examples.items()
        }

    def _least(self, examples: Sequence[R]) -> float:
        """The smallest similarity of two examples; 1 for a single one."""
        return min(
            (self._method.similarity(a, b) for i, a in enumerate(examples) for b in examples[:i]),
            default=1.0,
        )

    def assign(self, page: Arrival) -> Assignment:
        own = self._method.represent(page.features, page.outline)
        best, template = -1.0, None
        for number, examples in self._examples.items():
            alike = max(self._method.similarity(own, example) for example in examples)
            if alike >= self.thresholds[number] and alike > best:
                best, template = alike, number
        if template is None:
            return STRANGER
        return Assignment(template, round(best, 3), "like an example of its template")


def teach(method: Method, examples: Sequence[tuple[int, Arrival]]) -> Classifier:
    """A classifier that knows the templates of *examples*."""
    if isinstance(method, Linked):
        seen = [
            (template, method.represent(page.features, page.outline)) for template, page in examples
        ]
        return Taught(method, seen)
    if isinstance(method, LZW):
        known = _majority([(page.features.lzw, template) for template, page in examples])
        return ByFingerprint(known, Counter(page.features.lzw for _, page in examples))
    if isinstance(method, MD5):
        digests = [(method.digest(page.outline), template) for template, page in examples]
        return ByDigest(method, _majority(digests))
    raise UsageError(f"{method.name} cannot be taught by examples")


def _majority(rows: Sequence[tuple[bytes, int]]) -> dict[bytes, Assignment]:
    """For each key, the template that most of its examples have."""
    votes: defaultdict[bytes, Counter[int]] = defaultdict(Counter)
    for key, template in rows:
        votes[key][template] += 1
    return {
        key: Assignment(min(own, key=lambda t: (-own[t], t)), 1.0, "the same as an example")
        for key, own in votes.items()
    }
