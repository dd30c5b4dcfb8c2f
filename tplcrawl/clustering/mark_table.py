"""What tells the templates of a site apart, in words for people: their names, and why they are.

Pages are clustered by hashes, which say nothing to anybody. Here the marks of some pages of each
template are held against those of the others: what nearly all pages of one have, and few pages of
the others, names it and explains it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.marks import Mark
from tplcrawl.clustering.names import SHORTEST

COMMON, SELDOM = 0.8, 0.25
"""A name stands on so many of its template's pages, and on no more of the others'."""

LONGEST = 20
"""Letters of a name: what is longer is for machines."""

_BONUS = {"type": 0.3, "url": 0.2, "body": 0.1}
"""Kinds that name a template, and how much rather."""

_LAYOUT = frozenset(
    """
    bottom center centre fixed fluid full left middle narrow responsive right sidebar top wide
    """.split()
)
"""Classes of the body that say how a page is laid out, not what it is; words of those of parts."""

_FRAMES = frozenset(
    """
    body box col container content footer grid header heading inner nav navpath row title wrap
    wrapper
    """.split()
)
"""Words of the classes of parts that any page may have."""

_MANY, _SPOKEN = 20, 0.2
"""From so many classes on, this share of them has a word in common with another one or with URLs,
where people wrote them: ``news``, ``news-item``. Those of programs (``yqmold``) name nothing."""

_SHARED = 3
"""Templates whose classes share a word that says nothing of them."""

_PARTS = frozenset(("article", "div", "main", "section"))
_OWN = 0.75
"""Elements that name a template where nothing else does, and by how much more of its own pages have
them."""


class MarkTable:
    """The marks of some pages of each template, and what they tell."""

    def __init__(self, samples: Sequence[Sequence[dict[Mark, None]]]) -> None:
        self._shares: list[dict[Mark, float]] = []
        self._order: list[dict[Mark, int]] = []
        for pages in samples:
            counts = Counter(mark for page in pages for mark in page)
            self._shares.append({mark: n / len(pages) for mark, n in counts.items()})
            self._order.append({mark: i for i, mark in enumerate(pages[0] if pages else ())})
        self._sums: defaultdict[Mark, float] = defaultdict(float)
        for shares in self._shares:
            for mark, share in shares.items():
                self._sums[mark] += share
        self._told = [self._telling(number) for number in range(len(samples))]

    def _elsewhere(self, number: int, mark: Mark) -> float:
        """The mean share of the other templates' pages that have *mark*, wherever it stands."""
        anywhere = mark._replace(at=0)
        others = self._sums[anywhere] - self._shares[number][anywhere]
        return round(others / max(len(self._shares) - 1, 1), 9)

    def _telling(self, number: int) -> list[tuple[float, Mark]]:
        """What nearly all pages of a template have and few others, the most telling first."""
        order = self._order[number]
        found = [
            (share - elsewhere, mark)
            for mark, share in self._shares[number].items()
            if share >= COMMON
            and (mark.at or mark.kind != "title")
            and (elsewhere := self._elsewhere(number, mark)) <= SELDOM
        ]
        return sorted(
            found, key=lambda one: (-round(one[0], 2), -order.get(one[1], -1), one[1].text)
        )

    def name(self, number: int) -> str | None:
        """The word that names a template, if there is one; else what its titles say."""
        telling = [(lead, mark) for lead, mark in self._told[number] if self._names(mark)]
        if not telling:
            return self._said(number)
        lead, best = max(telling, key=lambda one: one[0] + _BONUS[one[1].kind])
        for other, mark in telling:  # of a class and its variants (``product-12``), the class
            if mark.kind == best.kind and other >= lead and best.text.startswith(mark.text):
                best = mark
        return self._word(best)

    def told_from(self, number: int, others: Sequence[int]) -> str | None:
        """The word that tells a template from *others* of the same name, if there is one."""
        ways = [set(self._against(number, other)) for other in others]
        telling = [
            mark
            for mark in sorted(set.intersection(*ways))
            if self._names(mark) and len(mark.text) <= LONGEST
        ]
        shares, order = self._shares[number], self._order[number]
        best = max(
            telling,
            key=lambda mark: (shares[mark] + _BONUS[mark.kind], order.get(mark, -1), mark.text),
            default=None,
        )
        return None if best is None else self._word(best)

    def _word(self, mark: Mark) -> str:
        """What *mark* says as a name."""
        name = _kebab(mark.text)
        return _bare(name, self._affixes) if mark.kind == "body" else name

    def _names(self, mark: Mark) -> bool:
        """Whether *mark* may name a template."""
        if mark.kind == "body" and (mark.text in _LAYOUT or mark.text in self._styles):
            return False
        return mark.kind in _BONUS and len(mark.text) >= SHORTEST

    @cached_property
    def _styles(self) -> frozenset[str]:
        """The classes that elements of nearly all pages have: elsewhere, too, ``bg-white`` says how
        something looks."""
        sums: defaultdict[str, float] = defaultdict(float)
        for shares in self._shares:
            own: defaultdict[str, float] = defaultdict(float)
            for mark, share in shares.items():
                if mark.kind == "element":
                    name = mark.text.partition(".")[2]
                    own[name] = max(own[name], share)
            for name, share in own.items():
                sums[name] += share
        return frozenset(name for name, all_ in sums.items() if all_ >= COMMON * len(self._shares))

    @cached_property
    def _affixes(self) -> Counter[str]:
        """What classes of the ``body`` begin or end with, and of how many templates: a program puts
        ``template-`` before ``article``, and ``-page`` behind ``question``."""
        ends = [
            {end for _, mark in told if mark.kind == "body" for end in _ends(_kebab(mark.text))}
            for told in self._told
        ]
        return Counter(end for own in ends for end in own)

    def _said(self, number: int) -> str | None:
        """What the titles of a template's pages start or end with, or have at some other place: the
        longest run of words that those of the others do not have there."""
        places = {mark.at: mark.text for _, mark in self._told[number] if mark.kind == "title"}
        runs: list[list[str]] = []
        for at in sorted(places, key=lambda at: (at < 0, at)):
            if at - 1 in places:
                runs[-1].append(places[at])
            else:
                runs.append([places[at]])
        said = [name for run in runs if len(name := "-".join(run)) >= SHORTEST]
        fit = [name for name in said if len(name) <= LONGEST]
        return max(fit, key=len) if fit else None

    def part(self, number: int) -> str | None:
        """The class of the part of the page that others have least, of these the first, if there is
        one: a page of reviews may begin like that of the product."""
        if self._made_by_programs:
            return None
        order = self._order[number]
        own = [
            (-round(lead, 1), order[mark], mark.text.partition(".")[2])
            for lead, mark in self._told[number]
            if lead >= _OWN and mark in order and mark.text.partition(".")[0] in _PARTS
        ]
        fit = [
            name
            for _, _, name in sorted(own)
            if SHORTEST <= len(name) <= LONGEST
            and name not in self._styles
            and (_FRAMES | _LAYOUT).isdisjoint(re.split("[-_]+", name.lower()))
        ]
        return re.sub("[-_]+root$", "", _kebab(fit[0])) if fit else None

    def why(self, number: int, names: Sequence[str]) -> str:
        """One line: what holds a template together, and apart from the one most like it."""
        nearest = self.nearest(number)
        together = _a_few([mark for _, mark in self._told[number] if _explains(mark)])
        text = f"has {', '.join(together)}" if together else "its pages are alike in structure"
        if nearest is None:
            return text
        more, less = self._against(number, nearest), self._against(nearest, number)
        apart = _a_few(sorted(more, key=lambda m: (m.kind == "url", m)), 2)
        apart += [f"no {mark}" for mark in _a_few(sorted(less), 1)]
        by = ", ".join(apart) if apart else "the places of links to it"
        return f"{text}; unlike {names[nearest]}: {by}"

    def _against(self, number: int, other: int) -> list[Mark]:
        """What a template's pages have and those of an *other* one have nowhere."""
        theirs = self._shares[other]
        return [
            mark
            for mark, share in self._shares[number].items()
            if share >= COMMON
            and theirs.get(mark._replace(at=0), 0.0) <= 1 - COMMON
            and _explains(mark)
        ]

    def nearest(self, number: int) -> int | None:
        """The template whose pages have most marks in common with those of this one."""
        if len(self._shares) < 2:
            return None
        own = self._table[number]
        common = np.minimum(own, self._table).sum(axis=1)
        either = np.maximum(own, self._table).sum(axis=1)
        alike = np.round(common / np.maximum(either, 1e-9), 9)
        alike[number] = -1.0
        return int(np.argmax(alike))

    @cached_property
    def _made_by_programs(self) -> bool:
        """Whether the classes of elements say nothing to anybody."""
        seen = {mark for shares in self._shares for mark in shares}
        classes = {mark.text.partition(".")[2] for mark in seen if mark.kind == "element"}
        words = [_words(name) for name in sorted(classes)]
        counts = Counter(word for own in words for word in own)
        counts.update(mark.text for mark in seen if mark.kind == "url")
        spoken = sum(any(counts[word] > 1 for word in own) for own in words)
        return len(words) >= _MANY and spoken < _SPOKEN * len(words)

    @cached_property
    def _table(self) -> npt.NDArray[np.float64]:
        """The shares: a row for each template, a column for each mark. Words of titles are as many
        as there are pages, and most say what the page is about."""
        seen = {mark: 0 for shares in self._shares for mark in shares if mark.kind != "title"}
        columns = {mark: at for at, mark in enumerate(seen)}
        table = np.zeros((len(self._shares), max(len(columns), 1)))
        for row, shares in enumerate(self._shares):
            for mark in shares.keys() & columns.keys():
                table[row, columns[mark]] = shares[mark]
        return table


def _ends(name: str) -> tuple[str, ...]:
    """
    >>> _ends("package-tree-page"), _ends("page")
    (('package-', '-page'), ())
    """
    parts = re.split("[-_]", name)
    return (f"{parts[0]}-", f"-{parts[-1]}") if len(parts) > 1 else ()


def _bare(name: str, affixes: Mapping[str, int]) -> str:
    """*name* without what it begins or ends with, if many do, whichever more.

    >>> _bare("class-page", {"class-": 3, "-page": 9}), _bare("user-page", {"-page": 2})
    ('class', 'user-page')
    """
    fit = [end for end in _ends(name) if affixes.get(end, 0) >= _SHARED]
    end = max(fit, key=lambda one: affixes[one], default="")
    bare = name.removeprefix(end) if end.endswith("-") else name.removesuffix(end)
    return bare if len(bare) >= SHORTEST else name


def _words(name: str) -> set[str]:
    """
    >>> sorted(_words("newsItem-lead"))
    ['item', 'lead', 'news']
    """
    return {word for word in _kebab(name).replace("_", "-").split("-") if len(word) >= SHORTEST}


def _explains(mark: Mark) -> bool:
    """Whether *mark* tells a reader something: short words (``the``, ``of``) mostly join others,
    and those of titles may stand anywhere by chance."""
    least = {"url": SHORTEST, "title": SHORTEST + 1}.get(mark.kind, 0)
    return len(mark.text) >= least and (mark.kind != "title" or mark.at != 0)


def _a_few(marks: Sequence[Mark], most: int = 3) -> list[str]:
    """Some of *marks*, no two of one element."""
    chosen: dict[str, str] = {}
    for mark in marks:
        chosen.setdefault(mark.text.rpartition(".")[2], str(mark))
    return list(chosen.values())[:most]


def _kebab(name: str) -> str:
    """
    >>> _kebab("NewsArticle"), _kebab("https://schema.org/Product")
    ('news-article', 'product')
    """
    name = name.rsplit("/", 1)[-1].strip("-_")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()[:40]
