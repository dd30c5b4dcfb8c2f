"""How well it is told what goes wrong on a site: faults planted into packed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tplcrawl.errors import InputError
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.planting import Visited, plant
from tplcrawl.evaluation.simulation import Simulator
from tplcrawl.planning.aims import Aims
from tplcrawl.reports.crawl import Crawl
from tplcrawl.store.arrivals import arrivals
from tplcrawl.store.store import Store

NOTHING = "nothing"
"""No fault: all that is told is a false alarm."""


@dataclass(frozen=True, slots=True)
class Detection:
    """What was told of a crawl of one site with one fault."""

    site: str
    fault: str
    pages: int
    planted: int
    """Pages that showed something else."""
    seen: int
    """Those of them that are called a mismatch."""
    called: int
    """Those that are called what they are."""
    others: int
    """Other pages that are called so; without a fault, that are called anything."""

    def as_dict(self) -> dict[str, Any]:
        """The numbers by their names."""
        return asdict(self)


def detections(
    corpus: Corpus, faults: Sequence[str], most: int, seed: int = 0
) -> Iterator[Detection]:
    """Crawl the first *most* pages of *corpus*, and again with each of *faults*."""
    told, visited = _crawl(corpus, most)
    if not visited:
        raise InputError(f"no page of {corpus.name} can be reached: nothing is at {corpus.start}")
    yield Detection(corpus.name, NOTHING, len(visited), 0, 0, 0, len(told))
    for fault in faults:
        site = plant(corpus, fault, visited, seed)
        told, pages = _crawl(site, most)
        planted = {page.url for page in pages} & site.shown.keys()
        kinds = Counter(told[url] == site.kinds[url] for url in told.keys() & planted)
        right = set(site.kinds.values())
        others = sum(kind in right for url, kind in told.items() if url not in planted)
        yield Detection(
            corpus.name, fault, len(pages), len(planted), kinds.total(), kinds[True], others
        )


def _crawl(corpus: Corpus, most: int) -> tuple[dict[str, str], list[Visited]]:
    """What is told of the pages of a crawl, by URL, and the pages in order."""
    with TemporaryDirectory() as folder:
        Simulator(corpus, Path(folder), Aims()).run(most)
        with Store(Path(folder)) as store:
            crawl = Crawl.read(store, "finished")
            urls = {page.docid: page.url for page in crawl.pages}
            linked = Counter(
                target
                for _, links in store.pages.sightings()
                for target in np.unique(links.targets).tolist()
            )
            order = [one.docid for one in arrivals(store.database)]
    told = {urls[docid]: kind for docid, kind in crawl.mismatches.items()}
    return told, [
        Visited(urls[docid], corpus.template_of(urls[docid]), linked[docid]) for docid in order
    ]
