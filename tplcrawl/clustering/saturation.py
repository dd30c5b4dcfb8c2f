"""How many templates there are that nobody has seen, told from a random sample of pages.

Templates are species, pages are individuals. Good and Turing: the chance that the next page is of a
new species is the share of species that were met once. Chao (1984): their number is at least what
was met plus f1² / 2 f2, where f1 were met once and f2 twice. Ewens (1972): of how many species all
individuals are, if there are as various ones as a sample can hide. All hold for random samples
only, and say nothing of what no link has led to yet.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import digamma

_Z = 1.96
"""An interval that covers the truth in 95 of 100 samples."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the bounds that it has in all likelihood."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Saturation:
    """What a random sample of a site's pages says of its templates."""

    unseen: float
    """The chance that the next random page is of a new template."""
    templates: int
    """Those that the sample shows."""
    estimate: float
    """How many there are at least."""
    low: float
    high: float
    fetches: int
    """The pages of the sample."""
    curve: tuple[int, ...]
    """How many templates its first 1, 2, 3 … pages show."""

    @classmethod
    def of(cls, sample: Sequence[int], known: int, urls: int) -> Saturation:
        """What the templates of a *sample* of *urls*, in its order, say, where *known* were found,
        in the sample or not.

        The bounds are made for a crawl that is not at its end. The upper one is that of Chao's
        interval or, if that is more, leaves room for templates that are too rare for such a sample.
        Below, only the sample counts: with few pages, what is one template may still be taken for
        two.

        >>> Saturation.of([1, 1, 2, 1, 3, 2], 3, 50).curve
        (1, 1, 2, 2, 3, 3)
        """
        counts = Counter(sample)
        guess, met = chao1(counts.values()), max(len(counts), known)
        return cls(
            unseen=good_turing(counts.values()),
            templates=len(counts),
            estimate=max(guess.estimate, known),
            low=min(guess.low, met),
            high=max(guess.high, met, at_most(len(counts), len(sample), urls)),
            fetches=len(sample),
            curve=_curve(sample),
        )

    def as_dict(self) -> dict[str, object]:
        """The numbers as the outputs have them."""
        return {
            "unseen": round(self.unseen, 4),
            "templates": round(self.estimate, 1),
            "low": round(self.low, 1),
            "high": round(self.high, 1),
            "fetches": self.fetches,
            "curve": list(self.curve),
        }


def good_turing(counts: Iterable[int]) -> float:
    """The chance that the next individual is of a new species; 1 for an empty sample.

    >>> good_turing([5, 3, 1, 1])
    0.2
    """
    known = list(counts)
    return known.count(1) / sum(known) if known else 1.0


def at_most(met: int, sample: int, whole: int) -> int:
    """How many species there are among *whole* individuals where *met* of them were met in a random
    *sample*, at the most that 97.5 of 100 samples allow.

    In Ewens' model, individual i + 1 is of a new species with the chance θ / (θ + i). The number of
    species in the sample is all that it tells of θ; the bound is that of the largest θ with which
    so few are met in 25 of 1,000 samples.

    >>> at_most(2, 30, 30), at_most(2, 30, 300), at_most(2, 30, 3000), at_most(5, 30, 3000)
    (2, 7, 11, 26)
    """
    more = max(whole - sample, 0)
    if met >= sample:
        return met + more
    few = np.zeros((len(_THETAS), met + 1))
    few[:, 0] = 1.0
    for i in range(sample):
        fresh = (_THETAS / (_THETAS + i))[:, None]
        few[:, 1:] = few[:, 1:] * (1 - fresh) + few[:, :-1] * fresh
        few[:, 0] *= 1 - fresh[:, 0]
    # The chance falls as θ grows.
    theta = float(_THETAS[np.count_nonzero(few.sum(axis=1) >= 0.025) - 1])
    expected = theta * float(digamma(theta + sample + more) - digamma(theta + sample))
    return met + min(math.ceil(expected), more)


_THETAS = np.geomspace(1e-3, 1e6, 1000)


def chao1(counts: Iterable[int]) -> Interval:
    """The number of species, from how often each was met: the bias-corrected form, and Chao's
    log-normal interval (1987). Where all were met twice or more, the interval is that of a
    complete census.

    >>> guess = chao1([9, 4, 2, 2, 1, 1, 1])
    >>> guess.estimate
    7.95
    """
    known = sorted(counts)
    met, total = len(known), sum(known)
    once, twice = known.count(1), known.count(2)
    if not met:
        return Interval(0.0, 0.0, math.inf)
    share = (total - 1) / total
    unseen = share * once * (once - 1) / (2 * (twice + 1))
    estimate = met + unseen
    if unseen <= 0:
        # Each was as likely to be missed as one that is met as often as all are on average.
        missed = math.exp(-total / met)
        spread = _Z * math.sqrt(met * missed) / (1 - missed)
        return Interval(estimate, float(met), max(float(met), met / (1 - missed) + spread))
    if twice:
        ratio = once / twice
        variance = twice * (share * ratio**2 / 2 + share**2 * ratio**3 + (share**2) * ratio**4 / 4)
    else:
        variance = (
            share * once * (once - 1) / 2
            + share**2 * once * (2 * once - 1) ** 2 / 4
            - share**2 * once**4 / (4 * estimate)
        )
    factor = math.exp(_Z * math.sqrt(math.log(1 + max(variance, 0.0) / unseen**2)))
    # There is no part of a species.
    return Interval(estimate, met + math.floor(unseen / factor), met + math.ceil(unseen * factor))


def _curve(sample: Iterable[int]) -> tuple[int, ...]:
    seen: set[int] = set()
    curve = []
    for template in sample:
        seen.add(template)
        curve.append(len(seen))
    return tuple(curve)
