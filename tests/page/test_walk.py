from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tplcrawl.outline import Outline
from tplcrawl.page.limits import Limits
from tplcrawl.page.profile import parse
from tplcrawl.page.walk import walk

LINKS = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
WORDS = re.compile(r"\w\w")

TAGS = ["div", "ul", "li", "o:p", "svg", "math", "p", "b"]
CLASSES = ["", " class=card", " class='card big'", " class=item-7", " class=''", " class='a \tb '"]
HREFS = ["/x", "y?z=1", "#top", "", "http://other.example/"]
TEXTS = [" ", "\n\t", "a", "ab", "to read", "é9", "– ·", "\xa0"]
OTHERS = ["<!-- to <a href=/no> -->", "<a name=x>to</a>", "<br>", "<?php no ?>", "</a>", "<a>"]
HEAD = [
    "<title> A\n title </title>",
    "<link rel=stylesheet href=/no>",
    "<link rel='NEXT nofollow' href=/2>",
    "<link rel=prev href=/0>",
    "<script>var a = '<a href=/no>'</script>",
]
OPENED = [f"<{tag}{classes}>" for tag in TAGS for classes in CLASSES]
LINKED = [
    f"<{kind}{classes} {LINKS[kind]}='{href}'>{rest}"
    for kind, rest in [("a", "to</a>"), ("a", ""), ("area", ""), ("iframe", "to</iframe>")]
    for classes in CLASSES[:3]
    for href in HREFS
]
CLOSED = [f"</{tag}>" for tag in TAGS]
TOKENS = st.one_of(*map(st.sampled_from, (OPENED, LINKED, CLOSED, TEXTS, OTHERS)))
PAGES = st.builds(
    lambda head, body: f"<head>{''.join(head)}</head><body>{''.join(body)}",
    st.lists(st.sampled_from(HEAD), max_size=3),
    st.lists(TOKENS, max_size=40),
)
"""Pages that are mostly broken: what counts is the tree that the parser makes of them."""


def tree(page: str) -> Any:
    return parse(page.encode(), "utf-8")


def naive_walk(element: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Each element that counts, and the steps that lead to it."""
    if not isinstance(element.tag, str):
        return
    path = (*above, " ".join([element.tag, *(element.get("class") or "").split()]))
    yield element, path
    if element.tag not in ("svg", "math"):
        for child in element:
            yield from naive_walk(child, path)


def naive_href(element: Any) -> str | None:
    if element.tag == "link" and {"next", "prev"} & set(element.get("rel").lower().split()):
        return str(element.get("href"))
    return element.get(LINKS.get(element.tag, "no such attribute")) or None


def naive_links(root: Any) -> list[Any]:
    return [element for element, _ in naive_walk(root) if naive_href(element)]


def steps_to(outline: Outline, index: int) -> tuple[str, ...]:
    steps: list[str] = []
    while index >= 0:
        steps.insert(0, outline.steps[index])
        index = outline.parents[index]
    return tuple(steps)


def location_of(element: Any) -> tuple[str, tuple[int, ...]]:
    """What lxml says of where *element* stands: its path without positions, and these."""
    steps = element.getroottree().getpath(element).split("/")[1:]
    parted = [re.fullmatch(r"(.+?)(?:\[(\d+)\])?", step) for step in steps]
    assert all(parted)
    return (
        "".join(f"/{part[1]}" for part in parted if part),
        tuple(int(part[2] or 1) for part in parted if part),
    )


@given(PAGES)
@settings(max_examples=200)
def test_outline_is_the_whole_tree_of_tags_and_classes(page: str) -> None:
    root = tree(page)
    outline = walk(root).outline
    assert [steps_to(outline, index) for index in outline.sequence] == [
        path for _, path in naive_walk(root)
    ]


@given(PAGES)
@settings(max_examples=200)
def test_a_path_carries_text_where_any_of_its_elements_begins_with_text(page: str) -> None:
    root = tree(page)
    outline = walk(root).outline
    expected: dict[tuple[str, ...], bool] = {}
    for element, path in naive_walk(root):
        expected[path] = expected.get(path, False) or bool((element.text or "").strip())
    found: dict[tuple[str, ...], bool] = {}
    for index, text in enumerate(outline.texts):
        path = steps_to(outline, index)
        found[path] = found.get(path, False) or text
    assert found == expected


@given(PAGES)
@example("<div class='a  b'></div><div class='a b '></div><div class=''></div><div></div>")
@settings(max_examples=200)
def test_an_outline_names_each_path_once_above_before_below(page: str) -> None:
    outline = walk(tree(page)).outline
    paths = [steps_to(outline, index) for index in range(len(outline.steps))]
    assert len(set(paths)) == len(paths)
    assert all(parent < index for index, parent in enumerate(outline.parents))


@given(PAGES)
@settings(max_examples=200)
def test_links_stand_where_lxml_says(page: str) -> None:
    root = tree(page)
    walked = walk(root)
    links, outline = walked.links, walked.outline
    elements = naive_links(root)
    assert list(links.hrefs) == [naive_href(element) for element in elements]
    assert [
        (outline.path(path), positions)
        for path, positions in zip(links.paths, links.positions, strict=True)
    ] == [location_of(element) for element in elements]


@given(PAGES)
@settings(max_examples=200)
def test_a_link_is_prose_where_words_follow_it_or_begin_its_parent(page: str) -> None:
    root = tree(page)
    assert list(walk(root).links.prose) == [
        bool(WORDS.search(element.tail or "") or WORDS.search(element.getparent().text or ""))
        for element in naive_links(root)
    ]


@given(PAGES, st.integers(0, 30), st.integers(0, 6))
@settings(max_examples=200)
def test_a_cut_walk_is_the_beginning_of_the_whole_one(page: str, elements: int, links: int) -> None:
    root = tree(page)
    whole = walk(root)
    cut = walk(root, Limits(elements=elements, links=links))
    everything = list(root.iter("*"))
    seen = [pair for pair in naive_walk(root) if pair[0] in everything[:elements]]
    reachable = [element for element, _ in seen if naive_href(element)]
    assert list(cut.links.hrefs) == [naive_href(element) for element in reachable[:links]]
    assert cut.links.positions == whole.links.positions[: len(cut.links.hrefs)]
    assert [steps_to(cut.outline, index) for index in cut.outline.sequence] == [
        path for _, path in seen
    ]
    more = {"elements": len(everything) > elements, "links": len(reachable) > links}
    assert cut.cuts == tuple(name for name, reached in more.items() if reached)


@given(PAGES, st.integers(1, 8))
@settings(max_examples=200)
def test_no_more_levels_are_walked_than_the_limit_says(page: str, depth: int) -> None:
    root = tree(page)
    cut = walk(root, Limits(depth=depth))
    paths = [path for _, path in naive_walk(root)]
    assert [steps_to(cut.outline, index) for index in cut.outline.sequence] == [
        path for path in paths if len(path) <= depth
    ]
    assert cut.cuts == (("depth",) if any(len(path) > depth for path in paths) else ())


@given(PAGES)
def test_limits_that_are_met_exactly_cut_nothing(page: str) -> None:
    root = tree(page)
    whole = walk(root)
    elements, links = sum(1 for _ in root.iter("*")), len(whole.links.hrefs)
    levels = max(whole.outline.depths) + 1
    assert walk(root, Limits(elements=elements, links=links, depth=levels)) == whole


def test_a_long_class_attribute_is_cut_and_said() -> None:
    names = " ".join(f"name-{i}" for i in range(100))
    root = tree(f"<p class='{names}'><a href=/x class='ok'>x</a></p>")
    walked = walk(root, Limits(classes=50))
    step = walked.outline.steps[2]
    assert len(step) <= 50
    assert f"p {names}".startswith(step)
    assert walked.outline.steps[3] == "a ok"
    assert walked.cuts == ("classes",)


def test_positions_count_siblings_of_one_tag_only() -> None:
    root = tree("<p>x</p><a href=/1>1</a><p>y</p><!-- a --><a href=/2>2</a>")
    assert walk(root).links.positions == ((1, 1, 1), (1, 1, 2))


@pytest.mark.parametrize("drawing", ["svg", "math"])
def test_the_insides_of_drawings_are_not_looked_at(drawing: str) -> None:
    inside = "<g class=big><title>no</title><a href=/no>to</a><text>no</text></g>"
    root = tree(f"<p><{drawing}>{inside}</{drawing}><a href=/yes>to</a></p>")
    walked = walk(root)
    assert walked.links.hrefs == ("/yes",)
    assert walked.outline.steps == ("html", "body", "p", drawing, "a")
    assert walked.head.title == ""


def test_what_links_say_is_read_where_it_is_asked_for() -> None:
    """Catches names inside of links, beside pictures or in them, that are lost, what stands beside
    a link taken for its words, and links that swallow a page."""
    page = (
        """<a href=/1>Blue <b>lamp</b> here</a> not this
        <a href=/2><span><img src=i alt="Red chair"></span></a><a href=/3></a>
        <a href=/4>"""
        + "<i>w</i>" * 999
    )
    said = [" ".join(text.split()) for text in walk(tree(page), said=True).links.said]
    assert said[:3] == ["Blue lamp here", "Red chair", ""]
    assert 5 < len(said[3]) < 100
    assert not any(walk(tree(page)).links.said)
    long = walk(tree(f"<a href=/1>{'w ' * 9999}</a>"), said=True).links.said
    assert len(long[0]) < 999


def test_a_field_for_a_password_is_an_element() -> None:
    """Catches a style sheet for forms, which many sites have on every page: their login walls were
    taken for excuses."""

    def asks(body: str) -> bool:
        return walk(parse(body.encode(), "utf-8")).head.asks

    style = "<style>body input[type=password]{border:0}</style>"
    assert not asks(f"<html><head>{style}</head><body><input type=text></body></html>")
    assert asks(f"<html><head>{style}</head><body><input type=' Password '></body></html>")
    assert asks("<form><input name=word type='password'><input type=submit></form>")
