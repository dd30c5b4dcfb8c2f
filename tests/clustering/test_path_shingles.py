from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clustering.laws import check_all_pairs, check_later_pages, lawful_similarity, seen_by
from tests.clustering.made_bodies import SITES, outline_of
from tplcrawl.clustering.path_shingles import PathShingles
from tplcrawl.clustering.paths import Paths
from tplcrawl.errors import UsageError

LEVELS = st.sampled_from([0.0, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0])


@settings(max_examples=60)
@given(SITES, LEVELS, st.integers(1, 5), st.data())
def test_any_order_has_the_clusters_of_all_pairs(
    site: list[str],
    level: float,
    length: int,
    data: st.DataObject,
) -> None:
    method = PathShingles(length=length, similarity=level)
    outlines = [outline_of(body) for body in site]
    seen = seen_by(method, outlines)
    for a, b in product(seen, repeat=2):
        lawful_similarity(method, a, b)
    order = data.draw(st.permutations(range(len(site))))
    check_all_pairs(method, outlines, order)


def test_paths_that_differ_in_one_step_still_share_shingles() -> None:
    deep = "<div><section><div><div><ul><li><a>x</a></li></ul></div></div></section></div>"
    bodies = (deep, f"<main>{deep}</main>")
    shingles = seen_by(PathShingles(), map(outline_of, bodies))
    paths = seen_by(Paths(), map(outline_of, bodies))
    # Nine steps to the link are six windows, ten with main are seven; those from the first div
    # on, four, are the same, and so is the path to the title.
    assert PathShingles().similarity(*shingles) == (4 + 1) / (7 + 1)
    assert Paths().similarity(*paths) == 1 / 2


def test_windows_longer_than_all_paths_are_the_paths() -> None:
    outline = outline_of("<div><b>x</b></div><p>a</p>")
    (shingles,) = seen_by(PathShingles(length=50), [outline])
    (paths,) = seen_by(Paths(), [outline])
    assert shingles.tolist() == paths.tolist()


def test_later_pages_are_classified() -> None:
    check_later_pages(PathShingles())


def test_a_method_says_how_to_make_it_again() -> None:
    method = PathShingles(length=3, most=7)
    assert method.parameters() == {"length": 3, "similarity": 0.9, "most": 7}
    assert PathShingles(**method.parameters()).parameters() == method.parameters()


@pytest.mark.parametrize(
    "parameters",
    [{"length": 0}, {"length": -2}, {"length": 2.5}, {"length": "x"}, {"similarity": 2}],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(UsageError, match=f"path-shingles: {name}"):
        PathShingles(**parameters)
