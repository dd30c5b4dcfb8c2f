from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.ingest import ingest
from tplcrawl.clustering.base import Arrival, Clustering
from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.clustering.inbound import Inbound
from tplcrawl.clustering.pages import Pages
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.metrics import score
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline
from tplcrawl.recollection import pages_of
from tplcrawl.store.store import Store

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

SITE = SampleSite(
    Sizes(categories=3, products=40, posts=30, threads=20, boards=2, users=12, tags=5)
)
ROOT = "http://a.com"
NO_OUTLINE = Outline((), (), (), ())


def written(folder: Path) -> Path:
    """A store of the sample site's pages."""
    documents = [
        Document(f"{ROOT}{path}", (SITE.html(path) or "").encode(), "utf-8") for path in SITE.pages
    ]
    losses = Losses()
    with Store(folder) as store:
        ingest(store, documents, losses, save_html=False)
    assert not losses.counts
    return folder


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("site") / "crawl")


@pytest.fixture(scope="module")
def site(crawl: Path) -> Iterator[Pages]:
    """The pages of the sample site, all of them in memory."""
    with Store(crawl, write=False) as store:
        pages = pages_of(store)
        yield Pages(
            list(pages.urls), list(pages.features), list(pages.outlines), pages.inbound,
            list(pages.first_locations), pages.stands,
        )  # fmt: skip


def permuted(pages: Pages, order: Sequence[int]) -> Pages:
    """The same pages, met in another order."""
    where = np.empty(len(order), np.int64)
    where[list(order)] = np.arange(len(order))
    inbound = pages.inbound
    rows = np.argsort(where[inbound.pages], kind="stable")
    return Pages(
        urls=[pages.urls[i] for i in order],
        features=[pages.features[i] for i in order],
        outlines=[pages.outlines[i] for i in order],
        inbound=Inbound(
            where[inbound.pages][rows],
            inbound.locations[rows],
            inbound.prose[rows],
            inbound.counts[rows],
        ),
        first_locations=[pages.first_locations[i] for i in order],
        stands=lambda some: pages.stands([order[i] for i in some]),
    )


def parts(pages: Pages, found: Clustering) -> set[frozenset[str]]:
    """The sets of URLs that share a template."""
    groups: dict[int | None, set[str]] = {}
    for url, given_ in zip(pages.urls, found.assignments, strict=True):
        groups.setdefault(given_.template, set()).add(url)
    assert None not in groups
    return set(map(frozenset, groups.values()))


def test_the_templates_of_a_site_are_found(site: Pages) -> None:
    found = Hybrid().cluster(site)
    truth = [SITE.pages[url.removeprefix(ROOT)].template for url in site.urls]
    scores = score([one.template for one in found.assignments], truth)
    assert scores.f1 > 0.97
    assert scores.macro_recall > 0.9
    assert found.learned_from == len(SITE.pages)


def test_templates_are_numbered_from_0_and_every_page_is_sure_to_a_degree(site: Pages) -> None:
    found = Hybrid().cluster(site)
    numbers = {one.template for one in found.assignments}
    assert numbers == set(range(len(numbers)))
    sizes = Counter(one.template for one in found.assignments)
    for one in found.assignments:
        assert 0 < one.confidence <= 1
        assert (one.reason == "like no other page") == (sizes[one.template] == 1)


@settings(max_examples=5)
@given(seed=st.integers(0, 1000))
def test_the_order_of_the_pages_does_not_matter(site: Pages, seed: int) -> None:
    expected = Hybrid().cluster(site)
    sure = {url: one.confidence for url, one in zip(site.urls, expected.assignments, strict=True)}
    order = np.random.default_rng(seed).permutation(len(site)).tolist()
    other = permuted(site, order)
    found = Hybrid().cluster(other)
    assert parts(other, found) == parts(site, expected)
    for url, one in zip(other.urls, found.assignments, strict=True):
        assert one.confidence == pytest.approx(sure[url], abs=0.002)


CODE = """
import sys
from pathlib import Path
from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.outline import Outline
from tplcrawl.recollection import pages_of
from tplcrawl.store.store import Store
with Store(Path(sys.argv[1]), write=False) as store:
    for learn in (1500, 40):
        for one in Hybrid(learn=learn).cluster(pages_of(store)).assignments:
            sys.stdout.write(f"{one}\\n")
"""


def test_the_seed_of_hashes_does_not_matter(crawl: Path) -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", CODE, str(crawl)],
            env={"PYTHONHASHSEED": seed}, capture_output=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    (output,) = outputs
    assert output.count(b"\n") == 2 * len(SITE.pages)


def test_pages_that_were_not_learned_from_are_given_the_templates_of_their_likes(
    site: Pages,
) -> None:
    found = Hybrid(learn=80).cluster(site)
    assert found.learned_from == 80 < len(site)
    assert len(found.assignments) == len(site)
    truth = [SITE.pages[url.removeprefix(ROOT)].template for url in site.urls]
    assert score([one.template for one in found.assignments], truth).f1 > 0.9
    reasons = Counter(one.reason for one in found.assignments)
    assert reasons["like its template's samples"] + reasons["unlike all known templates"] == (
        len(site) - 80
    )


def test_a_page_that_comes_again_is_given_its_template(site: Pages) -> None:
    """Even where its URL and its place are not known."""
    found = Hybrid().cluster(site)
    locations = site.inbound.locations_by_page(len(site))
    for i, one in enumerate(found.assignments):
        own, outline = site.features[i], site.outlines[i]
        again = found.classifier.assign(
            Arrival(own, outline, site.first_locations[i], locations[i])
        )
        assert again.template == one.template
        nowhere = Features(own.tag_paths, own.class_paths, own.classes, own.body, own.url[:0], b"")
        assert found.classifier.assign(Arrival(nowhere, outline)).template == one.template


@pytest.mark.parametrize("count", [0, 1, 2, 10])
def test_a_handful_of_equal_pages_is_one_template(
    count: int, features: MakeFeatures, pages: MakePages
) -> None:
    made = pages([features([*range(20), 100 + n]) for n in range(count)])
    found = Hybrid().cluster(made)
    assert [one.template for one in found.assignments] == [0] * count
    later = found.classifier.assign(Arrival(features(range(20)), NO_OUTLINE))
    assert later.template == (0 if count else None)


@pytest.mark.parametrize("variants", [2, 3])
def test_an_optional_part_does_not_make_a_template_of_a_handful(
    variants: int, features: MakeFeatures, pages: MakePages
) -> None:
    """Ten pages that have nearly everything in common, and one of a few parts each."""
    made = pages([features([*range(20), 100 + n % variants]) for n in range(10)])
    found = Hybrid().cluster(made)
    assert [one.template for one in found.assignments] == [0] * 10


@pytest.mark.parametrize(
    "template", ["product", "post", "thread", "user", "category", "board", "tag", "static"]
)
def test_ten_pages_of_one_template_are_one_template(template: str, tmp_path: Path) -> None:
    site = SampleSite()
    paths = [path for path, page in site.pages.items() if page.template == template][:10]
    documents = [Document(f"{ROOT}{path}", (site.html(path) or "").encode(), "utf-8")
                 for path in paths]  # fmt: skip
    with Store(tmp_path) as store:
        ingest(store, documents, Losses(), save_html=False)
        found = Hybrid().cluster(pages_of(store))
    assert [one.template for one in found.assignments] == [0] * len(paths)


def test_copies_are_one_template_and_strangers_another(
    features: MakeFeatures, pages: MakePages
) -> None:
    kinds = [features(range(20)), features(range(50, 90)), features(range(300, 310))]
    for order in ([0] * 9 + [1] * 9 + [2], [0, 1] * 9 + [2]):
        made = pages([kinds[kind] for kind in order])
        found = Hybrid().cluster(made)
        names = {kind: found.assignments[order.index(kind)].template for kind in range(3)}
        assert [one.template for one in found.assignments] == [names[kind] for kind in order]


def test_its_parameters_make_it_again_and_wrong_ones_are_refused() -> None:
    assert Hybrid().parameters() == {"learn": 1500}
    assert json.loads(json.dumps(Hybrid(learn=7).parameters())) == {"learn": 7}
    for wrong in (1, 0, -5):
        with pytest.raises(UsageError, match="learn"):
            Hybrid(learn=wrong)
