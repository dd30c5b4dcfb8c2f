from __future__ import annotations

import json
from pathlib import Path

import pytest

from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.metrics import Scores, score
from tplcrawl.evaluation.quality import (
    UXCLUST_PRINTED,
    Outcome,
    gaps,
    means,
    measured,
    method_of,
    names,
    run_methods,
)
from tplcrawl.evaluation.replay import labelled, replay
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.store.store import Store

SIZES = Sizes(categories=2, products=20, posts=12, threads=10, boards=2, users=8, tags=3)
PAGES = 60


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A small sample site; the truth does not name the users' pages."""
    folder = tmp_path_factory.mktemp("packed") / "small"
    (folder / "f").mkdir(parents=True)
    site = SampleSite(SIZES)
    answers = {}
    for number, path in enumerate(site.pages):
        answers[path] = {"file": f"f/{number}"}
        (folder / "f" / str(number)).write_text(site.html(path) or "", encoding="utf-8")
    (folder / "site.json").write_text('{"start": "/"}')
    (folder / "map.json").write_text(json.dumps(answers))
    rows = [f"{path}\t{name}\n" for path, name in site.truth().items() if name != "user"]
    (folder / "truth.tsv").write_text("".join(rows))
    return Corpus.open(folder)


@pytest.fixture(scope="module")
def crawl(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its replay, written to a folder."""
    folder = tmp_path_factory.mktemp("crawl")
    replay(corpus, folder, PAGES).close()
    return folder


def by_hand(
    corpus: Corpus, crawl: Path, name: str, *, positional: bool = False, **given: int
) -> Scores:
    """The scores of one method, page by page."""
    clusters, truth = [], []
    with Store(crawl, write=False) as store:
        site = labelled(corpus, store, positional=positional)
        found = make_method(name, **given).cluster(site.pages)
    for assignment, template in zip(found.assignments, site.truth, strict=True):
        if template is not None:
            clusters.append(assignment.template)
            truth.append(template)
    assert 0 < len(truth) < PAGES
    return score(clusters, truth)


@pytest.mark.parametrize("name", ["hybrid", "uxclust", "paths"])
def test_a_method_is_scored_on_the_pages_that_the_truth_names(
    corpus: Corpus, crawl: Path, name: str
) -> None:
    outcome = measured(corpus, crawl, name, {})
    assert outcome.scores == by_hand(corpus, crawl, name)
    assert (outcome.site, outcome.method, outcome.learned_from) == ("small", name, PAGES)
    assert outcome.memory >= 0


def test_parameters_are_given_to_the_method(corpus: Corpus, crawl: Path) -> None:
    outcome = measured(corpus, crawl, "hybrid", {"learn": 20})
    assert outcome.scores == by_hand(corpus, crawl, "hybrid", learn=20)
    assert outcome.learned_from == 20


def test_uxclust_as_printed_is_positional_with_its_cutoff(corpus: Corpus, crawl: Path) -> None:
    method, positional = method_of(UXCLUST_PRINTED, {})
    assert (method.name, method.parameters()["cutoff"], positional) == ("uxclust", 100, True)
    method, positional = method_of(UXCLUST_PRINTED, {"cutoff": 3})
    assert (method.parameters()["cutoff"], positional) == (3, True)
    assert method_of("uxclust", {})[1] is False
    outcome = measured(corpus, crawl, UXCLUST_PRINTED, {"cutoff": 2})
    printed = by_hand(corpus, crawl, "uxclust", positional=True, cutoff=2)
    assert outcome.scores == printed != by_hand(corpus, crawl, "uxclust", cutoff=2)


def test_all_methods_are_compared() -> None:
    assert sorted(names()) == sorted([*METHODS, UXCLUST_PRINTED])
    for name in names():
        method_of(name, {})
    with pytest.raises(UsageError):
        method_of("magic", {})


def test_every_method_is_run_on_every_site_in_processes_of_their_own(corpus: Corpus) -> None:
    told: list[str] = []
    outcomes = list(run_methods([corpus, corpus], ["hybrid", "md5"], PAGES, {}, told.append))
    assert [one.method for one in outcomes] == ["hybrid", "md5"] * 2
    assert outcomes[0].scores == outcomes[2].scores
    assert outcomes[1].scores == outcomes[3].scores != outcomes[0].scores
    assert len(told) == 6


def scores(f1: float, pages: int = 10, precision: float = 0.5) -> Scores:
    return Scores(pages, 2, 3, 1.0, precision, 0.5, f1, 0.5, 0.5, 0.5, 0.5, 0.5)


OUTCOMES = [
    Outcome("one", "hybrid", scores(0.9, precision=0.25), 10, 2.0, 5_000_000),
    Outcome("one", "md5", scores(0.8), 10, 1.0, 0),
    Outcome("one", "lzw", scores(0.8), 10, 1.0, 0),
    Outcome("two", "hybrid", scores(0.5, pages=30, precision=0.75), 30, 6.0, 2_000_000),
    Outcome("two", "md5", scores(0.75, pages=30), 30, 0.0, 0),
    Outcome("three", "md5", scores(1.0), 10, 1.0, 0),
]


def test_means_are_over_the_sites_of_each_method() -> None:
    rows = means(OUTCOMES)
    assert [row["method"] for row in rows] == ["hybrid", "md5", "lzw"]
    hybrid, md5, _ = rows
    assert (hybrid["f1"], hybrid["worst_f1"], hybrid["precision"]) == (0.7, 0.5, 0.5)
    assert (hybrid["pages_per_second"], hybrid["memory_mb"]) == (5, 5)
    assert (md5["f1"], md5["worst_f1"], md5["pages_per_second"]) == (0.85, 0.75, 25)
    assert means([]) == []


def test_gaps_are_to_the_best_other_method_of_each_site() -> None:
    assert gaps(OUTCOMES) == {"one": ("md5", 0.1), "two": ("md5", -0.25)}
    assert gaps(OUTCOMES[:3], "lzw") == {"one": ("hybrid", -0.1)}
    assert gaps(OUTCOMES[:1]) == {}


def test_an_outcome_is_told_by_names() -> None:
    told = OUTCOMES[0].as_dict()
    assert (told["site"], told["method"], told["f1"], told["learned_from"]) == (
        "one", "hybrid", 0.9, 10
    )  # fmt: skip
    assert (told["pages_per_second"], told["memory_mb"]) == (5.0, 5.0)
    json.dumps(told)
