from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.predictions import Predictor
from tplcrawl.records import Prediction

LOCATIONS = st.none() | st.sampled_from([1, 2, (1, "1.2.1"), (1, "1.2.2")])
LESSONS = st.lists(st.tuples(LOCATIONS, st.none() | st.integers(1, 4)))


@given(LESSONS, st.data())
def test_a_url_is_expected_to_be_of_the_template_that_most_are_of(
    lessons: list[tuple[Hashable | None, int | None]], data: st.DataObject
) -> None:
    """By a count of all lessons; whatever their order, and the smaller id where two are equal."""
    predictor = Predictor()
    for location, template in data.draw(st.permutations(lessons)):
        predictor.learn(location, template)
    for location in (None, 1, 2, (1, "1.2.1"), (1, "1.2.2"), "unseen"):
        counts = Counter(t for where, t in lessons if where == location and t is not None)
        expected = None
        if location is not None and counts:
            best = max(counts.values())
            template = min(t for t, count in counts.items() if count == best)
            expected = Prediction(template, best / (counts.total() + 1))
        assert predictor.predict(location) == expected


@given(st.integers(1, 500))
def test_no_number_of_pages_makes_sure(pages: int) -> None:
    predictor = Predictor()
    confidences = []
    for _ in range(pages):
        predictor.learn("here", 1)
        told = predictor.predict("here")
        assert told is not None
        confidences.append(told.confidence)
    assert confidences == sorted(confidences)
    assert confidences[0] >= 0.5
    assert confidences[-1] < 1
