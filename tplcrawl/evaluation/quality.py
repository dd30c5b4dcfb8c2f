"""How well each method finds the templates of sites that are known, and what it costs."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tplcrawl.clustering.base import Method
from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.metrics import Scores, score
from tplcrawl.evaluation.replay import labelled, replay
from tplcrawl.store.store import Store

UXCLUST_PRINTED = "uxclust-printed"
"""Paper 001 to the letter: positional locations, cut-off 100."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One method on one site."""

    site: str
    method: str
    scores: Scores
    learned_from: int
    """The pages that were compared; the others were assigned."""
    seconds: float
    memory: int
    """The most memory that clustering added, in bytes."""

    def as_dict(self) -> dict[str, Any]:
        """The outcome by names, for JSON."""
        return {
            "site": self.site,
            "method": self.method,
            **self.scores.as_dict(),
            "learned_from": self.learned_from,
            "pages_per_second": round(self.scores.pages / max(self.seconds, 1e-9), 1),
            "memory_mb": round(self.memory / 1e6, 1),
        }


def run_methods(
    corpora: Sequence[Corpus],
    methods: Sequence[str],
    pages: int,
    parameters: Mapping[str, Any],
    progress: Callable[[str], None],
) -> Iterator[Outcome]:
    """Every method on every site, each in a process of its own, so that the memory of one is not
    another's."""
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as processes:
        for corpus in corpora:
            progress(f"{corpus.name}: reading {pages} pages")
            with TemporaryDirectory() as folder:
                replay(corpus, Path(folder), pages).close()
                for name in methods:
                    progress(f"{corpus.name}: {name}")
                    arguments = (corpus, Path(folder), name, dict(parameters))
                    yield processes.submit(measured, *arguments).result()


def method_of(name: str, parameters: Mapping[str, Any]) -> tuple[Method, bool]:
    """A method by its name here, and whether it wants positional locations."""
    if name == UXCLUST_PRINTED:
        return make_method("uxclust", **{"cutoff": 100, **parameters}), True
    return make_method(name, **parameters), False


def names() -> list[str]:
    """The methods that are compared."""
    found = list(METHODS)
    found.insert(found.index("uxclust"), UXCLUST_PRINTED)
    return found


def measured(corpus: Corpus, folder: Path, name: str, parameters: Mapping[str, Any]) -> Outcome:
    """Cluster the replay of *corpus* in *folder*."""
    method, positional = method_of(name, parameters)
    with Store(folder, write=False) as store:
        site = labelled(corpus, store, positional=positional)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.perf_counter()
        found = method.cluster(site.pages)
        seconds = time.perf_counter() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    known = [i for i, template in enumerate(site.truth) if template is not None]
    scores = score(
        [found.assignments[i].template for i in known], [str(site.truth[i]) for i in known]
    )
    return Outcome(corpus.name, name, scores, found.learned_from, seconds, memory * 1024)


def means(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """For each method: mean and worst F1, and the means of the other measures."""
    rows = []
    for name in dict.fromkeys(outcome.method for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.method == name]

        def mean(measure: str, own: list[Outcome] = own) -> float:
            total: float = sum(getattr(one.scores, measure) for one in own)
            return round(total / len(own), 3)

        pages = sum(one.scores.pages for one in own)
        rows.append(
            {
                "method": name,
                "f1": mean("f1"),
                "worst_f1": round(min(one.scores.f1 for one in own), 3),
                **{
                    measure: mean(measure)
                    for measure in (
                        "precision", "recall", "ari", "ri", "purity", "v_measure", "macro_recall",
                        "clusters",
                    )
                },
                "pages_per_second": round(pages / max(sum(one.seconds for one in own), 1e-9)),
                "memory_mb": round(max(one.memory for one in own) / 1e6),
            }
        )  # fmt: skip
    return rows


def gaps(outcomes: Sequence[Outcome], method: str = "hybrid") -> dict[str, tuple[str, float]]:
    """For each site, the best other method and how far *method* is ahead of it."""
    found = {}
    for site in dict.fromkeys(outcome.site for outcome in outcomes):
        scores = {o.method: o.scores.f1 for o in outcomes if o.site == site}
        own = scores.pop(method, None)
        if own is not None and scores:
            best = max(scores, key=lambda name: (scores[name], name))
            found[site] = (best, round(own - scores[best], 3))
    return found
