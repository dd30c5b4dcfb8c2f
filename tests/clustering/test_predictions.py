from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.predictions import (
    MOST,
    NO_PAGE,
    Link,
    Predictor,
    _Clue,
    _elected,
)

Kind = Callable[[int], tuple[Link, int]]
"""Makes the n-th link of a site, and the template that it leads to."""


def by_location(n: int) -> tuple[Link, int]:
    """URLs say nothing."""
    return Link(f"http://a.com/{n * 7919 % 1000}", "menu" if n % 3 else "list", 1), 1 + (n % 3 > 0)


def by_folder(n: int) -> tuple[Link, int]:
    """One location leads everywhere."""
    return Link(f"http://a.com/{'abc'[n % 3]}/{n}", "anywhere", 1), 1 + n % 3


def by_ending(n: int) -> tuple[Link, int]:
    return Link(f"http://a.com/x/{n}-{'edit' if n % 2 else 'view'}.html", "anywhere", 1), 1 + n % 2


def by_parameter(n: int) -> tuple[Link, int]:
    do = ("edit", "history", "diff")[n % 3]
    return Link(f"http://a.com/wiki?title=Page{n}&do={do}", "anywhere", 1), 1 + n % 3


@pytest.mark.parametrize("kind", [by_location, by_folder, by_ending, by_parameter])
def test_the_site_says_which_clue_is_right(kind: Kind) -> None:
    predictor = Predictor()
    right = 0
    for n in range(400):
        link, template = kind(n)
        told = predictor.predict(link)
        right += n >= 100 and told is not None and told.template == template
        predictor.learn(n + 2, link, template)
    assert right == 300


def test_one_list_leads_to_other_pages_where_it_stands_on_another_template() -> None:
    """The same markup and the same URLs, on two kinds of pages."""
    predictor = Predictor()
    for n in range(2):
        predictor.learn(n, Link(f"http://a.com/{n}", "menu"), 8 + n)
    for n in range(2, 60):
        predictor.learn(n, Link(f"http://a.com/{n}", "list", n % 2), 1 + n % 2)
    for source in (0, 1):
        told = predictor.predict(Link("http://a.com/99", "list", source))
        assert told is not None
        assert told.template == 1 + source
    told = predictor.predict(Link("http://a.com/99", "list", 77), on=9)
    assert told is not None
    assert told.template == 2, "the template of a page that is not known yet is said"


def test_a_place_that_leads_elsewhere_from_now_on_is_believed_soon() -> None:
    """A list that goes through one part of a site after another, each far larger than the next."""
    predictor = Predictor()
    for n in range(1000):
        predictor.learn(n, Link(f"http://a.com/old/{n}.html", "list"), 1)
    wrong = 0
    for n in range(50):
        told = predictor.predict(Link(f"http://a.com/new/{n}.html", "list"))
        wrong += told is None or told.template != 2
        predictor.learn(1000 + n, Link(f"http://a.com/new/{n}.html", "list"), 2)
    assert wrong <= 10


def test_what_stands_behind_the_name_of_a_project_is_told_from_its_address() -> None:
    """One place leads to all, each project has folders of its own, and pages stand deep in them."""
    predictor = Predictor()
    kinds = ["log", "tree", "blame"]
    right = 0
    for n in range(300):
        address = f"http://a.com/project-{n * 7919 % 90}x/{kinds[n % 3]}/some/{n}/file"
        told = predictor.predict(Link(address, "list"))
        right += n >= 100 and told is not None and told.template == 1 + n % 3
        predictor.learn(n, Link(address, "list"), 1 + n % 3)
    assert right == 200


def test_confidence_is_how_often_it_is_right() -> None:
    """Of a location that leads to one template in four of five cases, by chance."""
    dice = random.Random(7)
    predictor = Predictor()
    sure: list[tuple[float, bool]] = []
    for n in range(3000):
        link = Link(f"http://a.com/{n}", "list", 1)
        template = 1 if dice.random() < 0.8 else 2
        told = predictor.predict(link)
        if told is not None and n > 300:
            sure.append((told.confidence, told.template == template))
        predictor.learn(n + 2, link, template)
    mean = sum(confidence for confidence, _ in sure) / len(sure)
    right = sum(one for _, one in sure) / len(sure)
    assert abs(mean - right) < 0.03


def test_when_a_crawl_has_ended_what_came_last_counts_no_more() -> None:
    """Catches telling of all URLs what came of the last ones: what their names have in common with
    those that do have an own kind is as good as certain then."""
    lessons = [("shop", 1), ("blog", 2)]
    told = []
    for ended in (False, True):
        predictor = Predictor(ended=ended)
        for n in range(600):
            folder, template = lessons[n >= 300]
            noise = 3 if n < 300 and n % 5 == 0 else template
            predictor.learn(n, Link(f"http://a.com/{folder}/w{n}x/", folder, 1), noise)
        told.append(predictor.predict(Link("http://a.com/shop/w999x/", "shop", 1)))
    assert [one.template if one else None for one in told] == [2, 1]


def test_what_was_never_met_is_doubtful() -> None:
    """Links from a new corner, with a new folder, are not taken for what all others were."""
    predictor = Predictor()
    for n in range(200):
        predictor.learn(n, Link(f"http://a.com/user/{n}/", "list", 1), 1)
    usual = predictor.predict(Link("http://a.com/user/999/", "list", 1))
    strange = predictor.predict(Link("http://a.com/user/999/posts/", "foot", 1))
    assert usual is not None
    assert usual.confidence > 0.9
    assert strange is None or strange.confidence < 0.7


LESSONS = st.lists(
    st.tuples(
        st.sampled_from(["", "a/1", "a/2?x=1", "b.html", "%ff", "a//", "?q=&q"]),
        st.sampled_from([None, "x", ("y", "1.2")]),
        st.none() | st.integers(0, 9),
        st.none() | st.integers(0, 3),
    ),
    max_size=30,
)


@given(LESSONS)
def test_a_prediction_is_a_template_that_was_learnt_and_no_certainty(
    lessons: list[tuple[str, str | tuple[str, str] | None, int | None, int | None]],
) -> None:
    one, other = Predictor(), Predictor()
    known: set[int] = set()
    for docid, (path, location, source, template) in enumerate(lessons):
        link = Link(f"http://a.com/{path}", location, source)
        told = one.predict(link)
        for _ in range(docid % 3):
            assert other.predict(link) == told, "asking changes nothing"
        if told is not None:
            assert location is not None
            assert told.template in known
            assert 0 <= told.confidence < 1
        one.learn(docid, link, template)
        other.learn(docid, link, template)
        if template is not None and location is not None:
            known.add(template)
            assert one.predict(link) is not None


def test_that_no_page_comes_is_learnt_like_a_template() -> None:
    predictor = Predictor()
    for n in range(40):
        predictor.learn(n, Link(f"http://a.com/{'new' if n % 2 else 'old'}/{n}", "list"), n % 2)
    told = predictor.predict(Link("http://a.com/old/99", "list"))
    assert told is not None
    assert told.template == NO_PAGE


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tplcrawl.clustering.predictions.MOST", 10)
    assert MOST > 10_000
    predictor = Predictor()
    for n in range(100):
        predictor.learn(n, Link(f"http://a.com/{chr(97 + n % 26)}{chr(97 + n // 26)}", "list"), 1)
    assert max(map(len, predictor._clues)) == 10
    told = predictor.predict(Link("http://a.com/zz", "list"))
    assert told is not None
    assert told.template == 1


@given(
    st.lists(
        st.tuples(st.integers(1, 6), st.integers(0, 3), st.integers(0, 5), st.booleans()),
        max_size=60,
    )
)
def test_the_elected_template_has_the_most_votes(lessons: list[tuple[int, int, int, bool]]) -> None:
    """Counted over all templates that any clue knows, one after the other."""
    votes = [(0.25 * (kind + 1), _Clue()) for kind in range(4)]
    for template, kind, again, same in lessons:
        for _ in range(1 + again):
            votes[kind][1].count(template if same else template % 2 + 1, 0.9)
    heard = [one for one in votes if one[1].pages]
    if heard:
        scores: dict[int, float] = {}
        for weight, clue in heard:
            assert clue.best == max(clue.counts, key=clue.counts.__getitem__)
            for template, count in clue.counts.items():
                scores[template] = scores.get(template, 0.0) + weight * count / clue.pages
        assert _elected(heard) == max(scores.items(), key=lambda one: one[1])
