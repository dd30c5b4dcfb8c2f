from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.page.site import Site
from tplcrawl.sharing.tasks import Task

SITE = Site(["http://a.test/"])
URL = "http://a.test/b"
KEY = Task(URL, 0).key.encode()


@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=1000), max_size=50),
    st.integers(0, 10**6),
    st.none() | st.tuples(st.text(max_size=5000), st.lists(st.integers(0, 999), min_size=1)),
    st.lists(st.binary(min_size=4, max_size=4), max_size=8).map(b"".join),
)
def test_what_one_worker_sends_another_one_reads(
    path: str, depth: int, place: tuple[str, list[int]] | None, words: bytes
) -> None:
    where = (None, None) if place is None else ("/" + place[0], ".".join(map(str, place[1])))
    task = Task(f"{URL}?{path}", depth, *where, words)
    if "\x7f" in path:
        return
    found = Task.decode(task.key.encode(), task.encode().encode(), SITE)
    assert (found.url, found.depth, found.words) == (task.url, depth, words)
    assert found == task or found.location == "/other"


WRONG = [
    [0, "http://b.test/b", None, None, ""],
    [0, "ftp://a.test/b", None, None, ""],
    [0, "http://a.test/b c", None, None, ""],
    [0, "http://a.test/other", None, None, ""],
    [0, URL + "x" * 3000, None, None, ""],
    [0, 7, None, None, ""],
    [-1, URL, None, None, ""],
    [True, URL, None, None, ""],
    ["0", URL, None, None, ""],
    [2**40, URL, None, None, ""],
    [0, URL, "html", "1", ""],
    [0, URL, "/html", None, ""],
    [0, URL, None, "1", ""],
    [0, URL, "/html", "1.", ""],
    [0, URL, "/html", 1, ""],
    [0, URL, None, None],
    [0, URL, None, None, None],
    [0, URL, None, None, "word"],
    [0, URL, None, None, "00" * 36],
    {"url": URL},
    "text",
    None,
]


@pytest.mark.parametrize("wrong", WRONG)
def test_anything_else_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="not"):
        Task.decode(KEY, json.dumps(wrong).encode(), SITE)


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 50_000, b'"' + b"x" * 50_000 + b'"'])
def test_no_json_is_refused(text: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        Task.decode(KEY, text, SITE)
