from __future__ import annotations

import json
from typing import Any

from tplcrawl.wrappers.learning import study


def skeleton(pages: Any, numbers: range) -> list[dict[str, Any]]:
    (one,) = study("t1", pages(numbers)).skeletons
    told: dict[str, Any] = json.loads(json.dumps(one.as_dict()))
    assert told["pages"] == [page.url for page in pages(numbers)]
    nodes: list[dict[str, Any]] = told["nodes"]
    return nodes


def only(nodes: list[dict[str, Any]], end: str) -> dict[str, Any]:
    (node,) = [node for node in nodes if node["xpath"].endswith(end)]
    return node


def test_nodes_stand_below_their_parents(pages: Any) -> None:
    nodes = skeleton(pages, range(10))
    assert nodes[0]["parent"] is None
    assert nodes[0]["tag"] == "html"
    for number, node in enumerate(nodes[1:], 1):
        assert 0 <= node["parent"] < number
        assert 0 < node["support"] <= 1
        assert node["optional"] == (node["support"] < 1)


def test_what_is_optional_and_what_is_repeated_is_told(pages: Any) -> None:
    nodes = skeleton(pages, range(10))
    banner = only(nodes, '" banner ")][1]')
    assert (banner["support"], banner["optional"], banner["repeated"]) == (0.5, True, False)
    rows = [node for node in nodes if node["tag"] == "li" and "reviews" in node["xpath"]]
    assert [node["repeated"] for node in rows] == [True]
    # Every fifth product has none, the others have one to four.
    assert rows[0]["rows"] == 2.0
    edition = [node for node in nodes if node["xpath"].endswith('="Edition"]][1]')]
    assert [node["support"] for node in edition] == [0.4]


def test_what_is_fixed_and_what_varies_is_told(pages: Any) -> None:
    nodes = skeleton(pages, range(10))
    (label,) = [
        text for node in nodes for text in node.get("texts", ()) if text.get("fixed") == "ISBN"
    ]
    assert label["support"] == 1.0
    (title,) = only(nodes, "/h1[1]")["texts"]
    assert title["values"] == 10
    assert title["examples"][0] == "Ash 0"
    assert "fixed" not in title


def test_two_templates_have_two_skeletons(pages: Any, notes: Any) -> None:
    lesson = study("t1", [*notes(4), *pages(range(6))])
    first, second = lesson.skeletons
    assert {url.split("/")[3] for url in first.pages} == {"p"}
    assert {url.split("/")[3] for url in second.pages} == {"note"}
    assert lesson.wrapper.learned_from == first.pages


def test_one_page_has_no_skeleton(pages: Any) -> None:
    assert study("t1", pages(range(1))).skeletons == ()
