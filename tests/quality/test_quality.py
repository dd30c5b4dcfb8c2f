"""The quality gate: F1 of the default method on sites with known templates never falls below the
floors of ``baseline.json``, which are what was measured once, minus 0.02."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.metrics import score
from tplcrawl.evaluation.replay import labelled, replay

FLOORS: dict[str, float] = json.loads(Path(__file__).with_name("baseline.json").read_text())
PACKED = Path(__file__).parents[3] / "shared" / "corpora"
REAL = ("cgit", "machina_forum", "nikola_news", "shopify-airplantcity")
REAL_PAGES, MOST_PAGES = 300, 1000
EARLY = {"wiki-slashed": 100}
"""Sites of which so many pages are looked at: soon it is known without links, too."""


def check(corpus: Corpus, most: int, store: Path) -> None:
    with replay(corpus, store, most) as crawl:
        site = labelled(corpus, crawl)
        found = Hybrid().cluster(site.pages)
    known = [i for i, template in enumerate(site.truth) if template is not None]
    assert len(known) > min(200, 0.9 * most)
    scores = score([found.assignments[i].template for i in known], [site.truth[i] for i in known])
    assert corpus.name in FLOORS, f"no floor for {corpus.name}; its F1 is {scores.f1:.3f}"
    assert scores.f1 >= FLOORS[corpus.name], scores


def test_a_site_that_is_made_up(made_site: Corpus, tmp_path: Path) -> None:
    check(made_site, EARLY.get(made_site.name, MOST_PAGES), tmp_path / "crawl")


@pytest.mark.parametrize("name", REAL)
def test_a_real_site(name: str, tmp_path: Path) -> None:
    packed = PACKED / f"{name}.tar.xz"
    if not packed.is_file():
        pytest.skip(f"{packed} is not there")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data")
    check(Corpus.open(tmp_path / name), REAL_PAGES, tmp_path / "crawl")


def test_every_floor_is_of_a_site(made_sites: list[str]) -> None:
    assert set(FLOORS) == {*made_sites, *REAL}
    assert all(0 < floor < 1 for floor in FLOORS.values())
