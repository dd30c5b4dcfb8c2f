"""Courses of crawls: the measures against a slow account of the same crawl."""

from __future__ import annotations

from collections import Counter

import pytest

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.methods import make_method
from tplcrawl.evaluation.online import Timed, _mattering, _off, _right
from tplcrawl.evaluation.synthetic import synthetic_pages
from tplcrawl.records import Assignment


def test_what_is_timed_answers_as_without() -> None:
    pages, _ = synthetic_pages(120)
    plain = make_method("hybrid", learn=60)
    timed = Timed(make_method("hybrid", learn=60))
    one, other = plain.cluster(pages), timed.cluster(pages)
    assert one.assignments == other.assignments
    assert (timed.name, timed.parameters()) == (plain.name, plain.parameters())
    spent = timed.seconds
    assert spent > 0
    page = Arrival(pages.features[0], pages.outlines[0])
    assert one.classifier.assign(page) == other.classifier.assign(page)
    assert timed.seconds > spent


def test_right_is_who_is_of_the_most_frequent_true_template() -> None:
    given = [Assignment(template, 1.0, "") for template in (1, 1, 1, 2, 2)]
    assert _right(given, ["a", "a", "b", "b", None]) == [True, True, False, True, None]


def test_the_templates_that_matter_hold_nearly_all_pages() -> None:
    assert list(_mattering(Counter({1: 90, 2: 5, 3: 5}))) == [1, 2]
    assert list(_mattering(Counter({1: 94, 2: 3, 3: 3}))) == [1, 2]
    assert list(_mattering(Counter())) == []


def test_synthetic_pages_all_differ_and_are_the_same_again() -> None:
    pages, truth = synthetic_pages(200)
    again, same = synthetic_pages(200)
    assert truth == same
    sets = {pages.features[page].tag_paths.tobytes() for page in range(200)}
    assert len(sets) == 200
    assert all(pages.features[p].encode() == again.features[p].encode() for p in range(200))


def test_confidence_is_off_by_what_tenths_lack_or_have_too_much() -> None:
    """Too sure in one tenth is not made good by too little in another."""
    assert _off([(0.95, True)] * 19 + [(0.95, False)]) == pytest.approx(0)
    assert _off([(0.95, False)] * 2 + [(0.25, True)] * 2) == pytest.approx((0.95 + 0.75) / 2)
    assert _off([(1.0, True)]) == _off([]) == 0
