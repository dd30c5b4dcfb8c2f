"""Ten-fold cross-validation of classification (paper 000, section 4.3, tables 4 and 5).

Each page is classified once, by a classifier that was taught the other nine tenths; a page of a
template that has no example there should come out as of none.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.clustering.sampling import spread
from tplcrawl.clustering.taught import teach
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.metrics import rounded
from tplcrawl.evaluation.replay import Labelled, labelled, replay

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well one method classifies the pages of one site."""

    site: str
    method: str
    pages: int
    templates: int
    accuracy: float
    """The share of pages that got what they should: their template, or none."""
    precision: float
    """Of the pages that got a template, the share that got theirs."""
    recall: float
    """Of the pages whose template was taught, the share that got it."""
    f1: float
    pages_per_second: float
    """Classified, not counting the teaching."""

    def as_dict(self) -> dict[str, Any]:
        """The verdict by names, for JSON."""
        return rounded(asdict(self))


def teachable() -> list[str]:
    """The methods that can be taught by examples."""
    found = []
    for name in METHODS:
        try:
            teach(make_method(name), [])
        except UsageError:
            continue
        found.append(name)
    return found


def run_methods(
    corpora: Sequence[Corpus],
    methods: Sequence[str],
    pages: int,
    examples: int,
    progress: Callable[[str], None],
) -> Iterator[Verdict]:
    """Every method on every site; at most *examples* of each template are taught."""
    for corpus in corpora:
        progress(f"{corpus.name}: reading {pages} pages")
        with TemporaryDirectory() as folder, replay(corpus, Path(folder), pages) as store:
            site = labelled(corpus, store)
            for name in methods:
                progress(f"{corpus.name}: {name}")
                yield validated(name, site, examples)


def validated(name: str, site: Labelled, examples: int) -> Verdict:
    """Ten-fold cross-validation of one method on one site."""
    pages = [
        (template, Arrival(site.pages.features[i], site.pages.outlines[i]))
        for i, template in enumerate(site.truth)
        if template is not None
    ]
    numbers = {template: n for n, template in enumerate(dict.fromkeys(t for t, _ in pages))}
    right = given = correct = known = 0
    seconds = 0.0
    for fold in range(FOLDS):
        members: defaultdict[str, list[Arrival]] = defaultdict(list)
        for i, (template, page) in enumerate(pages):
            if i % FOLDS != fold:
                members[template].append(page)
        taught = [
            (numbers[template], page)
            for template, own in members.items()
            for page in spread(own, examples)
        ]
        classifier = teach(make_method(name), taught)
        began = time.perf_counter()
        answers = [classifier.assign(page).template for _, page in pages[fold::FOLDS]]
        seconds += time.perf_counter() - began
        for (template, _), answer in zip(pages[fold::FOLDS], answers, strict=True):
            expected = numbers[template] if template in members else None
            right += answer == expected
            given += answer is not None
            known += expected is not None
            correct += answer is not None and answer == expected
    precision, recall = correct / max(given, 1), correct / max(known, 1)
    return Verdict(
        site.site,
        name,
        len(pages),
        len(numbers),
        right / max(len(pages), 1),
        precision,
        recall,
        2 * precision * recall / (precision + recall) if correct else 0.0,
        len(pages) / max(seconds, 1e-9),
    )
