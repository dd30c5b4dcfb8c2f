"""Which fields of wrappers broke: a site has changed, and its pages say the same elsewhere.

A wrapper is tried on pages of today. Where a field is found much more seldom than it was, a new
wrapper is learnt from these pages, and the field of it that is most like the old one is proposed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb
from typing import Any

from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import Page, learn
from tplcrawl.wrappers.wrapper import Field, Wrapper

BROKEN = 0.5
"""A field is broken if it is found on less than this part of the share of pages that had it …"""

CHANCE = 0.001
"""… and if no more than so many samples of pages as they were would have had it as seldom: of each
crawl other pages' HTML may have been kept, and what is optional is on some of them only."""

BROKE = "broke"
"""What is said of a template whose wrapper has such fields."""

TRIED = 5
"""Pages of each template that tell which of them a wrapper is for."""

NEAR = 2.0
"""Likeness from which a field is proposed for another one."""


@dataclass(frozen=True, slots=True)
class BrokenField:
    """A field that is no longer found where it was."""

    name: str
    was: float
    """The share of pages that had it."""
    found: float
    """The share that have it now."""
    xpath: str
    proposed: str | None
    """Where the nearest value stands now, if there is one."""
    examples: tuple[str, ...] = ()
    """Of what stands there."""


@dataclass(frozen=True, slots=True)
class TemplateDrift:
    """What became of one template's wrapper."""

    template: str
    now: str | None
    """The template of today that it is for; ``None`` if there is none."""
    pages: int
    """That it was tried on."""
    fields: int
    """That it has."""
    broken: tuple[BrokenField, ...] = ()

    @property
    def changed(self) -> bool:
        return self.now is None or bool(self.broken)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "broken": [asdict(one) for one in self.broken]}


@dataclass(frozen=True, slots=True)
class Today:
    """A template as it is now."""

    url_pattern: str
    pages: Sequence[Page]
    """Some of which the HTML was kept."""
    learnt: frozenset[str] = frozenset()
    """Pages of it that wrappers were learnt from, kept or not."""


def drift(old: Mapping[str, Wrapper], now: Mapping[str, Today]) -> list[TemplateDrift]:
    """Try each wrapper of *old* on the template of *now* that it fits best."""
    return [_template_drift(wrapper, now) for wrapper in old.values() if wrapper.fields]


def _template_drift(wrapper: Wrapper, now: Mapping[str, Today]) -> TemplateDrift:
    extract = Extractor(wrapper)
    name = _home(wrapper, now) or _counterpart(extract, now)
    pages = now[name].pages if name is not None else ()
    if name is None or not pages:
        return TemplateDrift(wrapper.template, name, 0, len(extract.fields))
    found = _found(extract, pages)
    lost = [
        one
        for one in extract.fields
        if found[one.name] < BROKEN * one.support * len(pages)
        and _chance(found[one.name], len(pages), one.support, len(wrapper.learned_from)) <= CHANCE
    ]
    fresh = learn(name, pages).fields if lost else ()
    broken = tuple(_broken(one, found[one.name] / len(pages), fresh) for one in lost)
    return TemplateDrift(wrapper.template, name, len(pages), len(extract.fields), broken)


def _chance(found: int, pages: int, support: float, learnt: int) -> float:
    """How likely it is that at most *found* of so many *pages* have what the share *support* of
    those *learnt* from has; a share is not known better than from so many.

    >>> round(_chance(0, 5, 1.0, 10), 6), round(_chance(1, 10, 0.25, 10), 2)
    (4e-06, 0.16)
    """
    share = (support * learnt + 1) / (learnt + 2)
    return sum(comb(pages, n) * share**n * (1 - share) ** (pages - n) for n in range(found + 1))


def _home(wrapper: Wrapper, now: Mapping[str, Today]) -> str | None:
    """The template of today that most of the pages are of which a wrapper was learnt from."""
    shared = {name: len(one.learnt.intersection(wrapper.learned_from)) for name, one in now.items()}
    name = max(shared, key=lambda name: (shared[name], name == wrapper.template), default=None)
    return name if name is not None and shared[name] else None


def _counterpart(extract: Extractor, now: Mapping[str, Today]) -> str | None:
    """The template of today that a wrapper finds most in; of those alike, one with its URLs."""
    best: tuple[tuple[float, bool, bool], str] | None = None
    wrapper = extract.wrapper
    for name, today in now.items():
        pages = today.pages[:TRIED]
        if pages:
            found = _found(extract, pages)
            share = sum(min(found[one.name], len(pages)) for one in extract.fields)
            same = bool(wrapper.url_pattern) and today.url_pattern == wrapper.url_pattern
            rank = (round(share / len(pages) + same * len(extract.fields) / 2, 6), same,
                    name == wrapper.template)  # fmt: skip
            if best is None or rank > best[0]:
                best = rank, name
    return best[1] if best is not None and best[0][0] > 0 else None


def _found(extract: Extractor, pages: Sequence[Page]) -> Counter[str]:
    """On how many pages each field has a value, whether the page fits or not."""
    found: Counter[str] = Counter()
    for page in pages:
        found.update(extract.present(page.root))
    return found


def _broken(one: Field, share: float, fresh: Sequence[Field]) -> BrokenField:
    likeness, near = max(
        ((_likeness(one, other), other) for other in fresh), key=lambda pair: pair[0],
        default=(0.0, None),
    )  # fmt: skip
    known = near is not None and likeness >= NEAR
    return BrokenField(
        one.name,
        round(one.support, 3),
        round(share, 3),
        one.rule.xpath(),
        near.rule.xpath() if near is not None and known else None,
        near.examples if near is not None and known else (),
    )


def _likeness(one: Field, other: Field) -> float:
    """How much two fields are called alike, mean the like and stand alike."""
    mine, its = set(one.rule.path), set(other.rule.path)
    steps = len(mine & its) / len(mine | its) if mine | its else 0.0
    labels = _labels(one) & _labels(other)
    return (
        2.0 * bool(labels)
        + 2.0 * (one.name == other.name)
        + 2.0 * bool(set(one.examples) & set(other.examples))
        + 0.5 * (one.type == other.type and one.type != "text")
        + steps
        - 1.0 * (one.many != other.many)
    )


def _labels(one: Field) -> set[str]:
    labels = [step.label for step in one.rule.path[-3:]] + [one.rule.target.label]
    return {label.text.strip(" :=").lower() for label in labels if label is not None}
