"""The speed of the parts: of pages against lxml's parse of the same pages, in one run, and of
clustering as its input doubles."""

from __future__ import annotations

import resource
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tplcrawl import garbage
from tplcrawl.batch.documents import Document
from tplcrawl.batch.ingest import add_document
from tplcrawl.clustering.lzw_links import one_edit_clusters
from tplcrawl.clustering.methods import make_method
from tplcrawl.evaluation.corpus import ROOT, Corpus
from tplcrawl.evaluation.metrics import rounded, score
from tplcrawl.evaluation.replay import fetched
from tplcrawl.evaluation.sample.site import SampleSite
from tplcrawl.evaluation.synthetic import synthetic_pages
from tplcrawl.fingerprints import lzw
from tplcrawl.fingerprints.branches import Branches
from tplcrawl.fingerprints.features import features_of
from tplcrawl.fingerprints.tag_paths import hash_set
from tplcrawl.page.profile import parse, profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.page.walk import walk
from tplcrawl.similarity.branch_index import BranchIndex
from tplcrawl.similarity.sets import linked_sets
from tplcrawl.store.store import Store

_SIMILAR = 0.8


@dataclass(frozen=True, slots=True)
class PageSpeed:
    """What a page of one site costs, as multiples of its parse."""

    site: str
    pages: int
    parse_ms: float
    walk: float
    profile: float
    """Everything that is read of a page: sightings, paths, fingerprint, cleaned links."""
    features: float
    """What the default method compares, from a profile."""
    lzw: float
    """The fingerprint, from the raw page."""

    def as_dict(self) -> dict[str, Any]:
        """The measures by name, rounded."""
        return rounded(asdict(self), 3)


@dataclass(frozen=True, slots=True)
class Growth:
    """What one algorithm costs for one size of input."""

    what: str
    size: int
    cpu_s: float
    per_s: float
    peak_mb: float
    """The most memory that this process has held so far."""
    f1: float | None

    def as_dict(self) -> dict[str, Any]:
        """The measures by name, rounded."""
        return rounded(asdict(self), 3)


def sample_pages(most: int) -> list[Document]:
    """Pages of the sample site."""
    site = SampleSite()
    paths = list(site.pages)[:most]
    return [Document(ROOT + path, str(site.html(path)).encode(), "utf-8") for path in paths]


def corpus_pages(corpus: Corpus, most: int) -> list[Document]:
    """Pages of a packed site as a crawl meets them."""
    found = []
    with TemporaryDirectory() as folder, Store(Path(folder)) as store:
        cleaner = Cleaner(Site([ROOT]))
        for page in fetched(corpus, store, most):
            found.append(page.document)
            add_document(store, page.docid, page.document, cleaner)
    return found


def page_speed(site: str, documents: Sequence[Document]) -> PageSpeed:
    """Measure the steps of each page side by side, as a crawl takes them."""
    garbage.settle(often=False)
    cleaner = Cleaner(Site([ROOT]))
    spent = dict.fromkeys(("parse", "profile", "walk", "features", "lzw"), 0.0)

    clock = time.process_time
    for one in documents:
        times = [clock()]
        root = parse(one.body, one.encoding)
        times.append(clock())
        profile = profile_of(
            one.url, one.body, cleaner, tree=partial(_same, root), encoding=one.encoding
        )
        times.append(clock())
        walk(root)
        times.append(clock())
        features_of(profile.url, profile.outline, profile.lzw)
        times.append(clock())
        lzw.fingerprint(one.body)
        times.append(clock())
        for step, (begin, end) in zip(spent, pairwise(times), strict=True):
            spent[step] += end - begin
    ratios = {step: seconds / max(spent["parse"], 1e-9) for step, seconds in spent.items()}
    parse_ms = 1e3 * ratios.pop("parse") * spent["parse"] / max(len(documents), 1)
    return PageSpeed(site, len(documents), parse_ms, **ratios)


def all_sites(speeds: Sequence[PageSpeed]) -> PageSpeed:
    """The pages of all sites as those of one: a page that takes long counts for more."""
    pages = sum(one.pages for one in speeds)
    parse = sum(one.parse_ms * one.pages for one in speeds)
    steps = {
        step: sum(getattr(one, step) * one.parse_ms * one.pages for one in speeds) / parse
        for step in ("walk", "profile", "features", "lzw")
    }
    return PageSpeed("all", pages, parse / pages, **steps)


def _same(root: Any) -> Any:
    return root


def growths(most: int) -> Iterator[Growth]:
    """Each algorithm at a quarter, a half and the whole of its size: that of its promise, or *most*
    where that is less."""
    for what, size, trial in (
        ("all pairs of sets", 1_000, _all_pairs),
        ("LZW, distinct", 1_000_000, _distinct),
        ("LZW, one prefix", 1_000_000, _one_prefix),
        ("branches, LSH", 100_000, _branches),
        ("hybrid", 1_000_000, _hybrid),
    ):
        for part in (4, 2, 1):
            count = min(size, most) // part
            work = trial(count)
            began = time.process_time()
            f1 = work()
            spent = time.process_time() - began
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            yield Growth(what, count, spent, count / max(spent, 1e-9), peak, f1)


Work = Callable[[], float | None]
"""What is timed; returns its F1 where that is known."""


def _silent(work: Callable[[], Any]) -> Work:
    def run() -> None:
        work()

    return run


def _all_pairs(count: int) -> Work:
    pages, _ = synthetic_pages(count)
    sets = [pages.features[page].tag_paths for page in range(count)]
    return _silent(lambda: deque(linked_sets(sets, _SIMILAR, of_larger=True), 0))


def _distinct(count: int) -> Work:
    rows = np.random.default_rng(2).integers(0, 25, (count, lzw.LENGTH), np.uint8)
    return _one_edit(map(bytes, rows))


def _one_prefix(count: int) -> Work:
    head = bytes(range(lzw.LENGTH - 8))
    rows = np.random.default_rng(3).integers(0, 25, (count, 8), np.uint8)
    return _one_edit(head + bytes(row) for row in rows)


def _one_edit(fingerprints: Iterable[bytes]) -> Work:
    distinct = list(dict.fromkeys(fingerprints))
    return _silent(lambda: one_edit_clusters(distinct))


def _branches(count: int) -> Work:
    chance = np.random.default_rng(4)
    kinds = chance.integers(0, 1 << 32, (50, 90), np.uint32)
    pages = []
    for page in range(count):
        members = hash_set(chance.choice(kinds[page % len(kinds)], 70, replace=False))
        pages.append(Branches(members, chance.integers(1, 20, len(members))))
    return _silent(lambda: BranchIndex(pages, threshold=0.9).buckets())


def _hybrid(count: int) -> Work:
    pages, truth = synthetic_pages(count)

    def work() -> float:
        found = make_method("hybrid").cluster(pages).assignments
        return score([one.template for one in found], truth).f1

    return work
