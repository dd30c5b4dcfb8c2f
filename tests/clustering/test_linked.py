from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.linked import Linked
from tplcrawl.clustering.pages import Pages
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline

MakeFeatures = Callable[..., Features]
MakePages = Callable[..., Pages]

NOTHING = Outline((), (), (), ())
NUMBERS = st.lists(st.integers(0, 40), max_size=25)


class Numbers(Linked[int]):
    """Pages are numbers, the more alike the closer they are."""

    name: ClassVar[str] = "numbers"
    threshold: ClassVar[float] = 0.5

    def represent(self, features: Features, outline: Outline) -> int:
        return int(features.tag_paths[0])

    def similarity(self, a: int, b: int) -> float:
        return 1 / (1 + abs(a - b))


def chains(numbers: Sequence[int], gap: int) -> dict[int, int]:
    """The chain that each number is in: no two neighbours are farther apart than *gap*."""
    found: dict[int, int] = {}
    last = None
    for number in sorted(set(numbers)):
        new = last is None or number - last > gap
        found[number] = found[last] if last is not None and not new else number
        last = number
    return found


@settings(deadline=None, max_examples=150)
@given(numbers=NUMBERS, gap=st.integers(0, 4))
def test_pages_are_in_one_cluster_where_a_chain_links_them(
    pages: MakePages, features: MakeFeatures, numbers: list[int], gap: int
) -> None:
    site = pages([features([number]) for number in numbers])
    found = Numbers(similarity=1 / (1 + gap)).cluster(site)
    labels = [given.template for given in found.assignments]
    assert list(dict.fromkeys(labels)) == list(range(len(set(labels))))
    expected = chains(numbers, gap)
    pairs = {(label, expected[number]) for label, number in zip(labels, numbers, strict=True)}
    assert len(pairs) == len(set(labels)) == len(set(expected.values()))
    assert found.learned_from == len(numbers)


@settings(deadline=None, max_examples=150)
@given(numbers=NUMBERS, gap=st.integers(0, 4), most=st.integers(1, 10))
def test_pages_that_were_not_compared_join_the_nearest_or_none(
    pages: MakePages, features: MakeFeatures, numbers: list[int], gap: int, most: int
) -> None:
    method = Numbers(similarity=1 / (1 + gap), most=most)
    found = method.cluster(pages([features([number]) for number in numbers]))
    compared = [
        number
        for number, given in zip(numbers, found.assignments, strict=True)
        if given.reason == "linked by similarity"
    ]
    assert found.learned_from == len(compared) == min(most, len(numbers))
    assert len({given.template for given in found.assignments} - {None}) == len(
        set(chains(compared, gap).values())
    )
    for number, page in zip(numbers, found.assignments, strict=True):
        arrival = Arrival(features=features([number]), outline=NOTHING)
        again = found.classifier.assign(arrival)
        if page.reason != "linked by similarity":
            assert again == page
        if page.template is None:
            assert page.confidence == 0
        elif len(compared) <= 5:
            # Every page that was compared is an example.
            nearest = min(abs(number - one) for one in compared)
            assert nearest <= gap
            assert again.confidence == round(1 / (1 + nearest), 3)


@pytest.mark.parametrize("parameters", [{"similarity": 1.5}, {"similarity": -0.1}, {"most": 0}])
def test_wrong_parameters_are_refused_when_the_method_is_made(
    parameters: dict[str, float],
) -> None:
    with pytest.raises(UsageError, match="numbers: " + next(iter(parameters))):
        Numbers(**parameters)  # type: ignore[arg-type]
