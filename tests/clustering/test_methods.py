from __future__ import annotations

import json
from collections.abc import Callable, Hashable

import pytest

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.clustering.pages import Pages
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline

NAMES = sorted(METHODS)


def test_an_unknown_name_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="uxclust") as caught:
        make_method("uxclusts")
    assert all(name in str(caught.value) for name in NAMES)


def test_parameters_reach_the_method() -> None:
    with pytest.raises(UsageError, match="cut-off"):
        make_method("uxclust", cutoff=0)
    assert vars(make_method("uxclust", similarity=0.5))["similarity"] == 0.5


@pytest.mark.parametrize("name", NAMES)
def test_a_method_is_called_what_it_is_registered_as(name: str) -> None:
    assert make_method(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_a_method_can_be_made_again_from_what_a_store_keeps_of_it(name: str) -> None:
    parameters = make_method(name).parameters()
    again = make_method(name, **json.loads(json.dumps(parameters)))
    assert again.parameters() == parameters
    assert vars(again) == vars(make_method(name))


def test_no_method_takes_a_parameter_that_it_does_not_have() -> None:
    with pytest.raises(UsageError, match=r"uxclust has no learn; it has: .*similarity"):
        make_method("uxclust", learn=5)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_next_to_no_pages_are_no_problem(
    pages: Callable[..., Pages], features: Callable[..., Features], name: str, count: int
) -> None:
    """A crawl may end with items but without a page."""
    site = pages([features([1, 2])] * count)
    found = make_method(name).cluster(site)
    assert len(found.assignments) == count
    nothing = Outline((), (), (), ())
    locations: list[Hashable | None] = [None, "list"]
    for location in locations:
        given = found.classifier.assign(
            Arrival(features=features([1, 2]), outline=nothing, first_location=location)
        )
        known = {one.template for one in found.assignments}
        assert given.template is None or given.template in known


@pytest.mark.parametrize("name", NAMES)
def test_the_same_pages_give_the_same_answer(
    pages: Callable[..., Pages], features: Callable[..., Features], name: str
) -> None:
    site = pages(
        [features([0, n % 4, 10 + n % 7, 20 + n]) for n in range(60)],
        [f"list {n % 3}" for n in range(60)],
    )
    first = make_method(name).cluster(site).assignments
    assert make_method(name).cluster(site).assignments == first
