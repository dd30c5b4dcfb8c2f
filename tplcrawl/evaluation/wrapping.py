"""How well wrappers find labelled values, learnt without labels.

A site is a directory with ``pages/`` and ``truth.json``: {page: {attribute: [values]}}, as of the
SWDE data set (Hao et al., *From One Tree to a Forest*, SIGIR 2011). Its pages are clustered, each
template's wrapper is learnt, and all pages are extracted, as a user would. An attribute counts as
found on a page if one field, the same on all pages, has a labelled value and nothing else.
"""

from __future__ import annotations

import html
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from tplcrawl.errors import InputError
from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import LEARNT, learn
from tplcrawl.wrappers.library import page_of

COMMON = 0.8
"""An attribute counts if so many pages have it."""

FOUND = 0.95
"""The share of the pages not learnt from on which an attribute's field must be right."""

NOISE = 0.5
"""The share of pages from which a text that they have in common is the site's."""

Truth = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class AttributeScore:
    """How well one attribute of a site is found."""

    site: str
    attribute: str
    pages: int
    """Pages not learnt from that have it."""
    field: str
    exact: float
    """The share of them on which the best field has a labelled value and no other."""
    whole: float
    """The share of them on which it has all labelled values and no other."""

    @property
    def found(self) -> bool:
        return self.exact >= FOUND


@dataclass(frozen=True, slots=True)
class SiteScore:
    """How well the pages of a site are wrapped."""

    site: str
    pages: int
    attributes: tuple[AttributeScore, ...]
    fields: float
    """Fields of a record, at the median."""
    noise: float
    """The share of a record's fields, at the median, whose text most other pages have too: what
    the site says, not the page."""
    learning_seconds: float
    parse_seconds: float
    """lxml's, for all pages."""
    extract_seconds: float
    """Of all fields, for all pages, when they are parsed."""
    misfits: int

    @property
    def speed(self) -> float:
        """Of the extraction, in lxml's parses of the same pages."""
        return self.parse_seconds / self.extract_seconds if self.extract_seconds else 0.0

    @property
    def speed_with_parse(self) -> float:
        """Of a parse and the extraction, in the parses."""
        both = self.parse_seconds + self.extract_seconds
        return self.parse_seconds / both if both else 0.0


def normal(text: str) -> str:
    """*text* with entities, however often escaped, as characters and with single spaces.

    >>> normal("a &amp;amp; b\\xa0c")
    'a & b c'
    """
    for _ in range(2):
        text = html.unescape(text)
    return " ".join(text.split())


def score_site(folder: Path) -> SiteScore:
    """Learn from some pages of the site in *folder* and score the others."""
    truth = _truth(folder)
    names = sorted(truth)
    bodies = {name: (folder / "pages" / name).read_bytes() for name in names}
    learnt = names[:: max(1, len(names) // LEARNT)][:LEARNT]
    held = [name for name in names if name not in set(learnt)]
    pages = [page_of(name, bodies[name], "utf-8") for name in learnt]
    began = time.process_time()
    wrapper = learn("t1", pages)
    learning = time.process_time() - began
    extractor = Extractor(wrapper)
    parse = extract = 0.0
    records: dict[str, dict[str, Any]] = {}
    misfits = 0
    for name in held:
        began = time.process_time()
        parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
        etree.fromstring(bodies[name], parser)
        parse += time.process_time() - began
        page = page_of(name, bodies[name], "utf-8")
        began = time.process_time()
        record = extractor(page.root, "")
        extract += time.process_time() - began
        misfits += record.misfit is not None
        records[name] = record.values
    counts = sorted(sum(1 for v in values.values() if v) for values in records.values())
    return SiteScore(
        folder.name,
        len(held),
        tuple(_attributes(folder.name, truth, held, records)),
        counts[len(counts) // 2] if counts else 0,
        _noise(records),
        learning,
        parse,
        extract,
        misfits,
    )


def _noise(records: Mapping[str, Mapping[str, Any]]) -> float:
    usual: dict[str, Counter[str]] = defaultdict(Counter)
    for values in records.values():
        for name, value in values.items():
            if value:
                usual[name].update([json.dumps(value, sort_keys=True)])
    noisy = {
        name
        for name, counts in usual.items()
        if counts.most_common(1)[0][1] > max(1, NOISE * sum(counts.values()))
    }
    shares = sorted(
        sum(name in noisy for name, value in values.items() if value)
        / max(1, sum(1 for value in values.values() if value))
        for values in records.values()
    )
    return shares[len(shares) // 2] if shares else 0.0


def _truth(folder: Path) -> Truth:
    try:
        truth: Truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"no labelled site in {folder}: {error}") from None
    return truth


def _attributes(
    site: str, truth: Truth, held: Sequence[str], records: Mapping[str, Mapping[str, Any]]
) -> Iterator[AttributeScore]:
    having: Counter[str] = Counter(
        name for values in truth.values() for name, own in values.items() if own
    )
    for attribute, count in sorted(having.items()):
        if count < COMMON * len(truth):
            continue
        pages = [page for page in held if truth[page].get(attribute)]
        exact: defaultdict[str, int] = defaultdict(int)
        whole: defaultdict[str, int] = defaultdict(int)
        for page in pages:
            wanted = {normal(text) for text in truth[page][attribute]}
            for name, value in records[page].items():
                given = _texts(value)
                if given and given <= wanted:
                    exact[name] += 1
                    whole[name] += given == wanted
        best = max(exact, key=lambda name: (exact[name], whole[name]), default="")
        total = max(1, len(pages))
        yield AttributeScore(
            site, attribute, len(pages), best, exact[best] / total, whole[best] / total
        )


def _texts(value: Any) -> set[str]:
    if isinstance(value, str):
        return {normal(value)}
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return {normal(one) for one in value}
    return set()
