from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.errors import InputError
from tplcrawl.evaluation.crawls import read_truth, score_crawl, target_key

WORDS = st.text("ab é/&=+?%\u2028", max_size=4)
PARTS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=3)


def target_of(path: str, parts: list[tuple[str, str]]) -> str:
    query = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in parts)
    return f"/{quote(path, safe='')}?{query}"


@given(WORDS, PARTS, st.data())
def test_spelling_and_order_of_the_query_do_not_count(
    path: str, parts: list[tuple[str, str]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(parts))
    where, _, query = target_of(path, shuffled).replace("%2F", "%2f").partition("?")
    other = f"{where}?{query.replace('%20', '+')}"
    assert target_key(other) == target_key(target_of(path, parts))


def test_what_is_escaped_does_not_end_a_part() -> None:
    """``%26`` in a value is no ``&``."""
    assert target_key("/a?x=1%26y%3D2") != target_key("/a?x=1&y=2")


TARGETS = [
    "/",
    "/a\u2028b",
    "/a\x0bb",
    "/a\x0cb",
    "/a\x1cb",
    "/a\x85b",
    "/a\tb",
    "/a?x=\u2029",
    "/é ü",
]


def test_only_a_line_feed_ends_a_line_of_the_truth(tmp_path: Path) -> None:
    truth = {target: f"type {n}" for n, target in enumerate(TARGETS)}
    file = tmp_path / "truth.tsv"
    for end in ("", "\n"):
        text = "\n".join(f"{target}\t{name}" for target, name in truth.items()) + end
        file.write_bytes(text.encode())
        assert read_truth(file) == truth


def test_a_truth_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.tsv: No such file"):
        read_truth(tmp_path / "none.tsv")
    (tmp_path / "latin.tsv").write_bytes(b"/caf\xe9\tpage\n")
    with pytest.raises(InputError, match=r"latin\.tsv"):
        read_truth(tmp_path / "latin.tsv")


def test_a_crawl_is_scored_by_the_pages_that_the_truth_names(tmp_path: Path) -> None:
    pages = [
        ("http://127.0.0.1:8000", "t1"),
        ("http://127.0.0.1:8000/caf%C3%A9?b=2&a=1", "t1"),
        ("http://127.0.0.1:8000/a\u2028b", "t2"),
        ("http://127.0.0.1:8000/unknown", "t2"),
        ("http://127.0.0.1:8000/none", None),
    ]
    lines = [json.dumps({"url": url, "template": t}, ensure_ascii=False) for url, t in pages]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    truth = {"/": "home", "/café?a=1&b=2": "page", "/a\u2028b": "page", "/none": "page", "/x": "x"}
    found = score_crawl(tmp_path, truth)
    assert (found.pages, found.templates, found.clusters, found.assigned) == (4, 2, 3, 0.75)
    assert (found.precision, found.recall) == (0, 0)
