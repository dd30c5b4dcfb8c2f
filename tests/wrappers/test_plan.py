"""The plan chooses what XPath chooses, whatever the page and the steps."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from tplcrawl.wrappers.plan import Plan
from tplcrawl.wrappers.steps import Label, Step, Target, css, xpath

TAGS = ("div", "p", "dt", "dd")
WORDS = ("Price:", "Price: 3", "b", "it's", 'a "b"', "\xa0", " ", "\n", "")

words = st.sampled_from(WORDS)
attributes = st.fixed_dictionaries(
    {}, optional={"class": st.sampled_from(("x", "x y", "y", "")), "href": st.just("/h")}
)
trees = st.recursive(
    st.tuples(st.sampled_from(TAGS), attributes, words, st.just([]), words),
    lambda below: st.tuples(
        st.sampled_from(TAGS), attributes, words, st.lists(below, max_size=4), words
    ),
    max_leaves=12,
)
labels = st.builds(
    Label,
    st.sampled_from(("inside", "before", "term", "text")),
    st.sampled_from(("Price:", "b", "it's", 'a "b"')),
    st.just(False),
) | st.builds(Label, st.sampled_from(("inside",)), st.just("Price:"), st.just(True))
numbers = st.sampled_from((0, 1, 2, -1, -2))
steps = st.one_of(
    st.builds(Step, st.sampled_from(TAGS), nth=numbers),
    st.builds(
        Step, st.sampled_from(TAGS), classes=st.sampled_from((("x",), ("x", "y"))), nth=numbers
    ),
    st.builds(Step, st.sampled_from(TAGS), bare=st.just(True), nth=numbers),
    st.builds(Step, st.sampled_from(TAGS), label=labels, nth=numbers),
    st.builds(
        Step, st.sampled_from(TAGS), has=st.sampled_from((("p", ""), ("p", "x"))), nth=numbers
    ),
)
targets = st.one_of(
    st.builds(Target, st.just("text"), nth=numbers),
    st.builds(Target, st.just("text"), label=labels.filter(lambda one: one.where == "inside")),
    st.builds(Target, st.just("text"), label=st.just(Label("before", "b"))),
    st.just(Target("attribute", "href")),
)


def build(spec: Any) -> Any:
    """An element of nested tuples; the tails are given by the parts themselves."""
    tag, attribs, text, below, tail = spec
    element = etree.Element(tag, attribs)
    element.text, element.tail = text, tail
    for part in below:
        element.append(build(part))
    return element


@given(trees, st.lists(steps, min_size=1, max_size=3), targets)
def test_it_chooses_what_xpath_chooses(spec: Any, path: list[Step], target: Target) -> None:
    root = etree.Element("html")
    root.append(build(spec))
    whole = (Step("html"), *path)
    (found,), _ = Plan([(whole, target)]).apply(root)
    assert found == [str(one) for one in root.getroottree().xpath(xpath(whole, target))]


@example(
    ("div", {}, "Price:", [], ""),
    [[Step("div", label=Label("inside", "Price:", prefix=True), nth=nth)] for nth in (0, 1)],
)
@given(trees, st.lists(st.lists(steps, min_size=1, max_size=3), min_size=2, max_size=6))
def test_many_selectors_do_not_disturb_each_other(spec: Any, paths: list[list[Step]]) -> None:
    root = etree.Element("html")
    root.append(build(spec))
    fields = [((Step("html"), *path), Target("text", nth=0)) for path in paths]
    together, _ = Plan(fields).apply(root)
    assert together == [Plan([one]).apply(root)[0][0] for one in fields]


@given(trees, st.lists(steps, min_size=1, max_size=2))
def test_what_css_can_say_is_what_it_says(spec: Any, path: list[Step]) -> None:
    root = etree.Element("html")
    root.append(build(spec))
    whole = (Step("html"), *path)
    said = css(whole)
    if said is not None:
        cssselect = pytest.importorskip("cssselect")
        found = root.xpath(
            cssselect.HTMLTranslator().css_to_xpath(said, prefix="descendant-or-self::")
        )
        # CSS takes all of a step that means the first one only.
        assert set(root.getroottree().xpath(xpath(whole))) <= set(found)


def test_an_id_stands_for_the_whole_way() -> None:
    root = etree.fromstring("<html><body><p><b id='x y'>no</b><b id='x'>yes</b></p></body></html>",
                            etree.HTMLParser())  # fmt: skip
    path = (Step("b", id="x"),)
    assert Plan([(path, Target("text"))]).apply(root)[0] == [["yes"]]
    assert root.xpath(xpath(path, Target("text"))) == ["yes"]


def test_a_link_with_the_name_does_not_hide_an_id() -> None:
    root = etree.fromstring("<html><body><a name='x'>no</a><b id='x'>yes</b></body></html>",
                            etree.HTMLParser())  # fmt: skip
    path = (Step("b", id="x"),)
    assert Plan([(path, Target("text"))]).apply(root)[0] == [["yes"]]


def test_rows_have_fields_of_their_own() -> None:
    root = etree.fromstring("<html><body><ul><li><b>1</b><i>a</i><li><i>b</i></ul></body></html>",
                            etree.HTMLParser())  # fmt: skip
    rows = (Step("html"), Step("body"), Step("ul"), Step("li", nth=0))
    fields = [((Step("b"),), Target("text")), ((Step("i"),), Target("text"))]
    assert Plan([], [(rows, fields)]).apply(root)[1] == [[[["1"], ["a"]], [[], ["b"]]]]


def test_two_lists_may_have_the_same_rows() -> None:
    root = etree.fromstring("<html><body><p><b>1</b><p><b>2</b></body></html>", etree.HTMLParser())
    rows = (Step("html"), Step("body"), Step("p", nth=0))
    fields = [((Step("b"),), Target("text"))]
    assert Plan([], [(rows, fields), (rows, fields)]).apply(root)[1] == [[[["1"]], [["2"]]]] * 2
