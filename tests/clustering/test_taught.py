from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.common_paths import CommonPaths
from tplcrawl.clustering.lzw import LZW
from tplcrawl.clustering.methods import make_method
from tplcrawl.clustering.tag_shingles import TagShingles
from tplcrawl.clustering.taught import Taught, teach
from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline

MakeFeatures = Callable[..., Features]

NO_OUTLINE = Outline((), (), (), ())
SETS = st.frozensets(st.integers(0, 6), min_size=1, max_size=5)
EXAMPLES = st.lists(st.tuples(st.integers(1, 3), SETS), max_size=8)


def similarity(a: frozenset[int], b: frozenset[int]) -> float:
    """``1 - CPD`` of paper 001."""
    return len(a & b) / max(len(a), len(b))


def learn(features: MakeFeatures, examples: Sequence[tuple[int, frozenset[int]]]) -> Taught[object]:
    classifier = teach(
        CommonPaths(), [(t, Arrival(features(paths), NO_OUTLINE)) for t, paths in examples]
    )
    assert isinstance(classifier, Taught)
    return classifier


def answer(features: MakeFeatures, classifier: Taught[object], page: frozenset[int]) -> int | None:
    given = classifier.assign(Arrival(features(page), NO_OUTLINE))
    assert 0 <= given.confidence <= 1
    return given.template


@settings(max_examples=150)
@given(EXAMPLES, SETS)
def test_a_page_is_of_the_most_similar_template_whose_threshold_it_reaches_or_of_none(
    features: MakeFeatures, examples: list[tuple[int, frozenset[int]]], page: frozenset[int]
) -> None:
    classifier = learn(features, examples)
    own: dict[int, list[frozenset[int]]] = {}
    for template, example in examples:
        own.setdefault(template, []).append(example)
    thresholds = {
        template: min((similarity(a, b) for a, b in combinations(some, 2)), default=1.0)
        for template, some in own.items()
    }
    assert classifier.thresholds == thresholds
    alike = {template: max(similarity(page, one) for one in some) for template, some in own.items()}
    reached = {t: value for t, value in alike.items() if value >= thresholds[t]}
    best: list[int | None] = [t for t, value in reached.items() if value == max(reached.values())]
    assert answer(features, classifier, page) in (best or [None])


def test_one_example_alone_must_be_met_exactly(features: MakeFeatures) -> None:
    classifier = learn(features, [(7, frozenset({1, 2, 3, 4}))])
    assert classifier.thresholds == {7: 1.0}
    assert answer(features, classifier, frozenset({1, 2, 3, 4})) == 7
    assert answer(features, classifier, frozenset({1, 2, 3})) is None


def test_a_varied_template_takes_in_what_a_uniform_one_does_not(features: MakeFeatures) -> None:
    """What is enough is the template's own affair (section 4.2)."""
    varied = [(1, frozenset({1, 2, 3, 4})), (1, frozenset({1, 2, 5, 6}))]
    uniform = [(2, frozenset({11, 12, 13, 14})), (2, frozenset({11, 12, 13, 14}))]
    classifier = learn(features, varied + uniform)
    assert classifier.thresholds == {1: 0.5, 2: 1.0}
    assert answer(features, classifier, frozenset({1, 2, 7, 8})) == 1
    assert answer(features, classifier, frozenset({11, 12, 7, 8})) is None


def test_a_method_with_one_threshold_for_all_keeps_it() -> None:
    """CTSS has 0.8, however unlike the examples are (section 4.2)."""
    outlines = [
        Outline(
            (-1, *[0] * 9), tuple(f"{tag}{n}" for n in range(10)), (False,) * 10, tuple(range(10))
        )
        for tag in "ab"
    ]
    method = TagShingles()
    pages = [(1, Arrival(page_features(), outline)) for outline in outlines]
    classifier = teach(method, pages)
    assert isinstance(classifier, Taught)
    assert classifier.thresholds == {1: method.at_least} == {1: 0.8}


def page_features() -> Features:
    return Features.decode(bytes(20))


@pytest.mark.parametrize("name", ["common-paths", "lzw", "md5", "mdh5", "lcts", "tag-vector"])
def test_who_knows_nothing_says_none(name: str) -> None:
    given = teach(make_method(name), []).assign(
        Arrival(page_features(), Outline((-1,), ("html",), (False,), (0,)))
    )
    assert (given.template, given.confidence) == (None, 0)


def test_of_equal_examples_the_template_with_most_wins(features: MakeFeatures) -> None:
    page = Arrival(features(mark=b"\0\1\2"), NO_OUTLINE)
    for votes, expected in (([2, 1, 2], 2), ([1, 2, 1], 1), ([2, 1], 1)):
        classifier = teach(LZW(), [(template, page) for template in votes])
        assert classifier.assign(page).template == expected


@pytest.mark.parametrize("name", ["hybrid", "uxclust", "cosine"])
def test_what_cannot_be_taught_says_so(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} cannot be taught"):
        teach(make_method(name), [])
