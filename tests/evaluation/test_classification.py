from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering.inbound import InboundCounter
from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.sampling import spread
from tplcrawl.clustering.taught import teach
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.classification import FOLDS, teachable, validated
from tplcrawl.evaluation.replay import Labelled
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline

NOTHING = np.empty(0, np.uint32)
Row = tuple[int, str | None]
"""A page's structure, in one number, and its template."""

ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.none() | st.sampled_from("abc")), min_size=1, max_size=45
)


def features(paths: Iterable[int]) -> Features:
    own = np.array(sorted(paths), np.uint32)
    return Features(own, NOTHING, NOTHING, NOTHING, NOTHING, b"")


def site_of(rows: Sequence[Row]) -> Labelled:
    """A page of each structure has tags of its own."""
    outlines = [Outline((-1,), (f"tag{kind}",), (False,), (0,)) for kind, _ in rows]
    pages = Pages(
        urls=[f"http://a.com/{n}" for n in range(len(rows))],
        features=[features(range(10 * kind, 10 * kind + 9)) for kind, _ in rows],
        outlines=outlines,
        inbound=InboundCounter().result(),
        first_locations=[None] * len(rows),
    )
    return Labelled("made", pages, [template for _, template in rows])


def by_hand(rows: Sequence[Row], examples: int) -> tuple[float, float, float]:
    """Accuracy, precision and recall where pages of one structure look the same and others have
    nothing in common: a page gets the template that most of the taught pages of its structure
    have."""
    known = [(kind, template) for kind, template in rows if template is not None]
    first = list(dict.fromkeys(template for _, template in known))
    right = given = correct = possible = 0
    for i, (kind, template) in enumerate(known):
        others = [row for j, row in enumerate(known) if j % FOLDS != i % FOLDS]
        votes: Counter[str] = Counter()
        for name in first:
            own = [k for k, t in others if t == name]
            votes[name] += sum(k == kind for k in spread(own, examples))
        best = max(votes.values())
        answer = next(name for name in first if votes[name] == best) if best else None
        taught = template in {t for _, t in others}
        right += answer == (template if taught else None)
        given += answer is not None
        possible += taught
        correct += answer is not None and taught and answer == template
    return right / max(len(known), 1), correct / max(given, 1), correct / max(possible, 1)


@settings(max_examples=60)
@given(ROWS, st.integers(1, 5))
def test_each_page_is_classified_once_by_what_the_other_tenths_teach(
    rows: list[Row], examples: int
) -> None:
    found = validated("md5", site_of(rows), examples)
    accuracy, precision, recall = by_hand(rows, examples)
    assert (found.accuracy, found.precision, found.recall) == pytest.approx(
        (accuracy, precision, recall)
    )
    assert found.f1 == pytest.approx(2 * precision * recall / ((precision + recall) or 1))
    templates = [template for _, template in rows if template is not None]
    assert (found.pages, found.templates) == (len(templates), len(set(templates)))


@pytest.mark.parametrize("name", ["md5", "common-paths", "paths"])
def test_templates_that_look_different_are_told_apart(name: str) -> None:
    rows = [(n % 3, "abc"[n % 3]) for n in range(60)]
    found = validated(name, site_of(rows), 10)
    assert (found.accuracy, found.precision, found.recall, found.f1) == (1, 1, 1, 1)


def test_a_page_whose_template_was_not_taught_should_be_of_none() -> None:
    """There is one page of ``b``, so no classifier has seen another."""
    rows: list[Row] = [(0, "a")] * 19
    found = validated("md5", site_of([*rows, (1, "b")]), 10)
    assert (found.accuracy, found.precision, found.recall) == (1, 1, 1)
    found = validated("md5", site_of([*rows, (0, "b")]), 10)
    assert (found.accuracy, found.precision, found.recall) == (0.95, 0.95, 1)


def test_a_site_without_known_pages_has_nothing_to_be_wrong_about() -> None:
    found = validated("md5", site_of([(0, None)] * 5), 10)
    assert (found.pages, found.templates, found.accuracy, found.f1) == (0, 0, 0, 0)


def test_only_methods_that_can_be_taught_are_offered() -> None:
    assert set(teachable()) <= set(METHODS)
    assert {"lzw", "md5", "paths", "tag-shingles"} <= set(teachable())
    assert "hybrid" not in teachable()
    for name in METHODS:
        if name not in teachable():
            with pytest.raises(UsageError, match=name):
                teach(make_method(name), [])


def test_a_verdict_is_told_by_names() -> None:
    told = validated("md5", site_of([(n % 3, "abc"[n % 2]) for n in range(30)]), 3).as_dict()
    assert (told["site"], told["method"], told["pages"]) == ("made", "md5", 30)
    assert json.loads(json.dumps(told)) == told
