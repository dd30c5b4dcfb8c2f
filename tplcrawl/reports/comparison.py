"""Two crawls of a site: which templates appeared, vanished, grew, shrank, or changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.looks import Look, looks
from tplcrawl.similarity.sets import SetTable, entropy_weights

APPEARED, VANISHED, CHANGED, GREW, SHRANK = "appeared", "vanished", "changed", "grew", "shrank"
STATES = (APPEARED, VANISHED, CHANGED, GREW, SHRANK)
REDESIGN = "redesign"

RELATED = 0.3
"""Two templates that match less than this are two."""

STILL = 0.8
"""A template has changed if old and new pages are less alike than so much of what is usual among
its own pages."""

FEW, USUAL = 4, 0.7
"""Of fewer pages nobody knows what is usual; this is taken for it."""

MOVED = 1.25
"""A template has grown or shrunk if its pages changed by this factor, and by more than chance: by
three standard deviations of a count."""

WHOLE = 0.5
"""A redesign concerns so large a share of the old pages."""

_WORDS = 5
_HAS, _HAS_NOT = 0.8, 0.2

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    """A template in both crawls, or in one of them."""

    old: Look | None
    new: Look | None
    alike: float | None = None
    """How alike old and new pages are in structure."""
    usual: float | None = None
    """How alike the pages of one crawl are to each other."""

    @property
    def states(self) -> tuple[str, ...]:
        """What happened to it."""
        if self.old is None:
            return (APPEARED,)
        if self.new is None:
            return (VANISHED,)
        found = []
        if self.alike is not None and self.usual is not None and self.alike < STILL * self.usual:
            found.append(CHANGED)
        before, after = self.old.template.pages, self.new.template.pages
        if abs(after - before) > 3 * before**0.5:
            if after >= MOVED * before:
                found.append(GREW)
            elif before >= MOVED * after:
                found.append(SHRANK)
        return tuple(found)

    def numbers(self) -> dict[str, Any]:
        """What is told of it."""
        one = self.new or self.old
        assert one is not None
        return {
            "name": one.template.name,
            "states": list(self.states),
            "old": self.old.template.id if self.old else None,
            "new": self.new.template.id if self.new else None,
            "pages_old": self.old.template.pages if self.old else 0,
            "pages_new": self.new.template.pages if self.new else 0,
            "alike": self.alike,
            "usual": self.usual,
            "gained": _words(self.old, self.new),
            "lost": _words(self.new, self.old),
            "url_pattern": one.template.url_pattern,
        }


def compare(old: Crawl, new: Crawl) -> tuple[list[Pair], dict[str, Any]]:
    """The templates of both crawls in pairs, and all that is to be told of them: what happened to
    most pages comes first."""
    pairs = sorted(_pairs(looks(old), looks(new)), key=_weight)
    before = len(old.pages)
    moved = sum(
        pair.old.template.pages
        for pair in pairs
        if pair.old and {CHANGED, VANISHED} & set(pair.states)
    )
    share = round(moved / before, 4) if before else 0.0
    counts = Counter(state for pair in pairs for state in pair.states)
    return pairs, {
        "old": _crawl(old),
        "new": _crawl(new),
        REDESIGN: share >= WHOLE,
        "moved": share,
        "counts": {state: counts[state] for state in STATES},
        "templates": [pair.numbers() for pair in pairs],
    }


def alarms(numbers: dict[str, Any], asked: Sequence[str]) -> list[str]:
    """Those of the *asked* kinds of change that happened. After a redesign it alone counts, for
    all it changes."""
    happened = [REDESIGN] if numbers[REDESIGN] else []
    happened += [state for state, count in numbers["counts"].items() if count]
    return [one for one in happened if one in asked or "any" in asked]


def _crawl(crawl: Crawl) -> dict[str, Any]:
    return {
        "site": crawl.store.site,
        "pages": len(crawl.pages),
        "templates": len(crawl.templates),
    }


def _weight(pair: Pair) -> tuple[int, int]:
    sizes = [one.template.pages for one in (pair.old, pair.new) if one]
    return (0 if pair.states else 1, -max(sizes))


def _pairs(old: Sequence[Look], new: Sequence[Look]) -> list[Pair]:
    """Match templates, the best matches first."""
    alike, usual = _structure(old, new)
    score = alike.copy()
    shared = np.array([[len(a.targets & b.targets) for b in new] for a in old], float)
    shared = shared.reshape(len(old), len(new))
    either = shared.sum(axis=1)[:, None] + shared.sum(axis=0)[None, :] - shared
    known = either > 0
    score[known] = 0.6 * (shared[known] / either[known]) + 0.4 * alike[known]
    pairs: list[Pair] = []
    free_old, free_new = set(range(len(old))), set(range(len(new)))
    for at in np.argsort(-score, axis=None, kind="stable").tolist():
        a, b = divmod(at, len(new))
        if score[a, b] < RELATED:
            break
        if a in free_old and b in free_new:
            free_old.discard(a)
            free_new.discard(b)
            own = min(usual[a], usual[len(old) + b])
            pairs.append(Pair(old[a], new[b], round(float(alike[a, b]), 3), round(own, 3)))
    pairs += [Pair(old[a], None) for a in sorted(free_old)]
    return pairs + [Pair(None, new[b]) for b in sorted(free_new)]


def _structure(old: Sequence[Look], new: Sequence[Look]) -> tuple[Floats, list[float]]:
    """How alike each old template is to each new one, and how alike the halves of each are.

    A template is the share of its pages that have each path; two are as alike as their minimum is
    to their maximum. A path weighs the entropy of its presence over all pages of both crawls, so
    what all have in common counts for nothing, and what a new design gives to all counts most.
    """
    both = [*old, *new]
    table = SetTable.of([one for look in both for one in look.structures])
    weights = entropy_weights(table.frequencies()).astype(np.float64)
    shares, usual, start = [], [], 0
    for look in both:
        rows = table.rows[start : start + len(look.structures)]
        start += len(look.structures)
        shares.append(_mean(rows))
        halves = _overlap(_mean(rows[::2]), _mean(rows[1::2])[None, :], weights)[0]
        usual.append(float(halves) if len(look.structures) >= FEW else USUAL)
    size = table.rows.shape[1]
    later = np.array(shares[len(old) :]).reshape(len(new), size)
    alike = [_overlap(one, later, weights) for one in shares[: len(old)]]
    return np.array(alike).reshape(len(old), len(new)), usual


def _mean(rows: Any) -> Floats:
    found: Floats = np.asarray(rows.sum(axis=0), np.float64) / max(rows.shape[0], 1)
    return found


def _overlap(one: Floats, others: Floats, weights: Floats) -> Floats:
    least = np.minimum(one[None, :], others) @ weights
    most = np.maximum(one[None, :], others) @ weights
    found: Floats = np.where(most > 1e-9, least / np.maximum(most, 1e-9), 1.0)
    return found


def _words(without: Look | None, having: Look | None) -> list[str]:
    """Elements that nearly all pages of the one have and hardly any of the other."""
    if without is None or having is None:
        return []
    found = [
        mark
        for mark, share in having.elements.items()
        if share >= _HAS and without.elements.get(mark, 0.0) <= _HAS_NOT
    ]
    return sorted(found)[:_WORDS]
