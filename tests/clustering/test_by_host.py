from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.by_host import cluster_by_host
from tplcrawl.clustering.inbound import Inbound
from tplcrawl.clustering.methods import make_method
from tplcrawl.clustering.pages import Pages
from tplcrawl.evaluation.synthetic import synthetic_pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import hash_set
from tplcrawl.outline import Outline

EMPTY = Outline((), (), (), ())
NONE = hash_set(())


def features(lzw: bytes) -> Features:
    return Features(NONE, NONE, NONE, NONE, NONE, lzw)


def pages(found: Sequence[tuple[str, bytes]]) -> Pages:
    nothing = np.empty(0, np.int64)
    return Pages(
        urls=[url for url, _ in found],
        features=[features(lzw) for _, lzw in found],
        outlines=[EMPTY] * len(found),
        inbound=Inbound(nothing, nothing, nothing.astype(bool), nothing),
        first_locations=[None] * len(found),
    )


SHOP, POST = bytes(range(20)), bytes(reversed(range(20)))
FOUND = [
    ("http://a.com/1", SHOP),
    ("http://b.com/1", SHOP),
    ("https://www.a.com/2", SHOP),
    ("http://b.com/2", POST),
    ("http://a.com:8080/", SHOP),
]


def test_no_template_spans_two_hosts() -> None:
    found = cluster_by_host(make_method("lzw"), pages(FOUND))
    assert [given.template for given in found.assignments] == [0, 1, 0, 2, 3]
    assert found.learned_from == len(FOUND)


def test_a_page_is_asked_about_where_it_stands() -> None:
    classifier = cluster_by_host(make_method("lzw"), pages(FOUND)).classifier

    def template(url: str, lzw: bytes) -> int | None:
        return classifier.assign(Arrival(features(lzw), EMPTY, url=url)).template

    assert template("http://b.com/new", SHOP) == 1
    assert template("http://www.b.com/new", POST) == 2
    assert template("http://a.com/new", POST) is None
    assert template("http://c.com/", SHOP) is None
    assert template("http://[bad/", SHOP) is None


@pytest.mark.parametrize("method", ["hybrid", "lzw", "paths"])
def test_a_host_among_others_is_clustered_as_if_it_were_alone(method: str) -> None:
    """Evidence of other hosts leaks in nowhere: rows and links are cut out together."""
    alone, _ = synthetic_pages(300)
    rows = np.arange(0, 300, 2)
    urls = [url if n % 2 else url.replace("s.test", "t.test") for n, url in enumerate(alone.urls)]
    both = Pages(urls, alone.features, alone.outlines, alone.inbound, alone.first_locations)
    made = make_method(method)
    wanted = made.cluster(both.some(rows)).assignments
    assert cluster_by_host(made, both).assignments[::2] == wanted
