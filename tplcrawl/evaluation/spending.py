"""How crawls of packed sites spend themselves: with budgets, and in search of one template."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tplcrawl.evaluation.corpus import ROOT, Corpus
from tplcrawl.evaluation.oracle import informed, oracle
from tplcrawl.evaluation.replay import replay
from tplcrawl.evaluation.simulation import Fetch, Simulation, Simulator
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.budgets import Budgets
from tplcrawl.planning.errands import HUB, RANDOM

MATTERING = 5
"""Pages of a template in the whole site from which on it must be found."""

LEARNT = 0.2
"""The share of a crawl after which predictions count."""

BINS = 10

SOUGHT, MOST = 20, 2 / 3
"""The fewest pages of a template that is looked for, and the largest share of a site's pages."""

WHOLE = 0.95
"""The share of a template's pages that is nearly all."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a crawl with budgets spent, and on what."""

    site: str
    pages: int
    """Of the whole site."""
    fetches: int
    share: float
    """Fetches for each page of the site."""
    found: float
    """The share of the true templates with five pages or more that the crawl met."""
    overshoot: float
    """Pages beyond the budgets of their true templates, whatever they were fetched for, less the
    share that exploring may take, for each page within budgets."""
    by_own: float
    """The same by the templates that the crawl has found."""
    hubs: int
    """URLs that were fetched for what they lead to."""
    drawn: int
    """URLs that were fetched because they were drawn."""
    predicted: float
    """The share of the predictions after the first fifth that were right."""
    off: float
    """By how much confidence and the share of right ones differ, on average over tenths."""
    planning: float
    """The share of CPU time for picking and judging."""
    rounds: float
    """The share for templates found anew because the plan asked for it."""

    def as_dict(self) -> dict[str, Any]:
        """The numbers by their names."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Search:
    """What a search for one template spent."""

    site: str
    template: str
    """The true template that was looked for."""
    reachable: int
    recall: float
    """The share of its reachable pages that were fetched."""
    fetches: int
    harvest: float
    """The share of fetches that were of it."""
    oracle: int
    """What an oracle would have fetched; see :mod:`tplcrawl.evaluation.oracle`."""
    ratio: float
    """Fetches for each of the oracle's."""
    until: float | None
    """The same, up to the page with which :data:`WHOLE` of them were there, if they ever were."""
    informed: int
    """What an oracle would have fetched that knows the template of each URL, but no links."""
    after: int
    """Fetches after the last page that was looked for."""

    def as_dict(self) -> dict[str, Any]:
        """The numbers by their names."""
        return asdict(self)


def spending(corpus: Corpus, budget: int, seed: int = 0) -> Spending:
    """Crawl *corpus* with *budget* pages a template."""
    with TemporaryDirectory() as folder:
        aims = Aims(budgets=Budgets.parse(budget), seed=seed)
        crawl = Simulator(corpus, Path(folder) / "crawl", aims).run()
    pages = sum("file" in answer for answer in corpus.answers.values())
    mattering = {t for t, n in Counter(corpus.truth.values()).items() if n >= MATTERING}
    spared = aims.explore * len(crawl.fetches)
    why = Counter(one.why for one in crawl.fetches)
    right, off = quality(crawl.pages)
    return Spending(
        corpus.name,
        pages,
        len(crawl.fetches),
        len(crawl.fetches) / pages,
        len(mattering & set(crawl.counts)) / len(mattering) if mattering else 1.0,
        overshoot((one.truth for one in crawl.pages), budget, spared),
        overshoot((one.found for one in crawl.pages), budget, spared),
        why[HUB],
        why[RANDOM],
        right,
        off,
        crawl.planning / crawl.whole,
        crawl.rounds / crawl.whole,
    )


def overshoot(templates: Iterable[Hashable | None], budget: int, spared: float) -> float:
    """The pages beyond *budget* of their *templates*, but for those *spared*, for each one within.
    Pages without a template count as neither.

    >>> overshoot(["post"] * 24 + ["tag"] * 6 + [None], 20, 1.3)
    0.103...
    """
    counts = Counter(template for template in templates if template is not None)
    beyond = sum(max(count - budget, 0) for count in counts.values())
    return max(beyond - spared, 0.0) / max(counts.total() - beyond, 1)


def quality(pages: Sequence[Fetch]) -> tuple[float, float]:
    """The share of right predictions after the first :data:`LEARNT` of a crawl's *pages*, and how
    far their confidence was off on average. Pages without a template in the end do not count; a
    page of which nothing was expected does, as wrong."""
    late = [one for one in pages[int(LEARNT * len(pages)) :] if one.found is not None]
    if not late:
        return 0.0, 0.0
    told = [(one.expected, one.found) for one in late if one.expected is not None]
    right = np.array([expected.template == found for expected, found in told], bool)
    sure = np.array([expected.confidence for expected, _ in told], np.float64)
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    off = sum(abs(float((right[bins == n] - sure[bins == n]).sum())) for n in range(BINS))
    return int(right.sum()) / len(late), off / max(len(told), 1)


def searches(corpus: Corpus, seed: int = 0) -> Iterator[Search]:
    """Look for the pages of each template of *corpus* that has some pages and not most of all. The
    page that is given is the one in the middle of them, in order of discovery."""
    with TemporaryDirectory() as folder, replay(corpus, Path(folder), 10**9) as store:
        urls = {row.docid: row.url for row in store.pages.rows()}
        ends = {id_: store.urls.end_of(id_) for id_, _ in store.urls.all()}
        links = {
            docid: [ends[id_] for id_ in np.unique(sights.targets).tolist()]
            for docid, sights in store.pages.sightings()
        }
    start = corpus.fetch(ROOT + corpus.start)
    starts = [docid for docid, url in urls.items() if start is not None and url == start.url]
    kinds = {docid: corpus.template_of(url) for docid, url in urls.items()}
    pages: defaultdict[str, list[int]] = defaultdict(list)
    for docid, name in kinds.items():
        if name is not None:
            pages[name].append(docid)
    for template, wanted in sorted(pages.items()):
        if SOUGHT <= len(wanted) <= MOST * len(urls):
            given = wanted[len(wanted) // 2]
            ideal = oracle(links, [*starts, given], wanted)
            fair = informed(links, [*starts, given], wanted, kinds)
            with TemporaryDirectory() as folder:
                aims = Aims(like=(urls[given],), seed=seed)
                crawl = Simulator(corpus, Path(folder) / "crawl", aims).run()
            reachable = len(ideal & set(wanted))
            yield _compared(corpus.name, template, crawl, reachable, len(ideal), len(fair))


def _compared(
    site: str, template: str, crawl: Simulation, reachable: int, ideal: int, fair: int
) -> Search:
    found = [n for n, one in enumerate(crawl.fetches, 1) if one.truth == template]
    enough, fetches = math.ceil(WHOLE * reachable), len(crawl.fetches)
    return Search(
        site,
        template,
        reachable,
        len(found) / reachable,
        fetches,
        len(found) / fetches,
        ideal,
        fetches / ideal,
        found[enough - 1] / ideal if len(found) >= enough else None,
        fair,
        fetches - (found[-1] if found else 0),
    )
