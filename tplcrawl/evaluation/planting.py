"""What goes wrong on real sites, planted into packed ones: the truth for mismatches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tplcrawl.batch.documents import Document
from tplcrawl.clustering.mismatches import LOGIN
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.faults import FAULTS, WAVES, Surroundings
from tplcrawl.evaluation.sample.dice import Dice
from tplcrawl.page.profile import profile_of

USUAL = 15
"""Pages of a template from which on some of them go wrong."""
SHARE = 7
"""The percentage of these that do."""
LASTING = 40
"""Pages of a wave."""


@dataclass(frozen=True, slots=True)
class Visited:
    """A page of a crawl in which nothing went wrong."""

    url: str
    truth: str | None
    linked: int
    """How many pages link to it."""


@dataclass(frozen=True)
class FaultyCorpus(Corpus):
    """A packed site of which some pages show something else."""

    shown: Mapping[str, Document] = field(default_factory=dict, repr=False)
    """What they show instead, by their URLs."""
    kinds: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What that is to be called, by the same."""

    def fetch(self, url: str) -> Document | None:
        """The page that *url* answers with, or what it shows instead."""
        document = super().fetch(url)
        if document is None or document.url not in self.shown:
            return document
        return replace(self.shown[document.url], url=document.url)


def plant(corpus: Corpus, fault: str, visited: Sequence[Visited], seed: int) -> FaultyCorpus:
    """*corpus* with one of :data:`FAULTS` at some of the pages that a crawl *visited*, in order."""
    home, *rest = visited
    by_links = sorted(rest, key=lambda page: (-page.linked, page.url))
    around = Surroundings(corpus.fetch, home.url, [page.url for page in by_links], seed)
    everywhere = (page.url for page in rest if 2 * page.linked > len(visited))
    spared = {home.url, *around.menu, *everywhere}
    shown = {}
    for page in _chosen(fault, visited, seed):
        if page.url not in spared:
            strange = [one.url for one in visited if one.truth != page.truth]
            source = around.instead(fault, page.url, strange)
            if source is not None:
                shown[page.url] = source
    kinds = {url: _called(fault, document) for url, document in shown.items()}
    if _asks(corpus.fetch(home.url)):
        # Where every page asks for a password, that is no wall.
        kinds = dict.fromkeys(shown, FAULTS[fault])
    return FaultyCorpus(corpus.folder, corpus.start, corpus.answers, shown, kinds)


def _chosen(fault: str, visited: Sequence[Visited], seed: int) -> Sequence[Visited]:
    """The pages that are to go wrong."""
    if fault in WAVES:
        first = len(visited) // 3 + Dice(seed, fault).roll(max(len(visited) // 3, 1))
        return visited[first : first + LASTING]
    counts = Counter(page.truth for page in visited)
    return [
        page
        for page in visited
        if page.truth is not None
        and counts[page.truth] >= USUAL
        and Dice(seed, fault, page.url).chance(SHARE)
    ]


def _called(fault: str, document: Document) -> str:
    """What *document* is to be called where it does not belong: whoever is sent to a form for a
    password stands before a wall, whatever sent him there."""
    return LOGIN if _asks(document) else FAULTS[fault]


def _asks(document: Document | None) -> bool:
    """Whether it asks for a password."""
    if document is None:
        return False
    return profile_of(document.url, document.body, None, encoding=document.encoding).asks
