from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tplcrawl.errors import InputError
from tplcrawl.evaluation.corpus import ROOT, Corpus

PAGE = b"<html><p>caf\xe9</p></html>"
Pack = Callable[..., Path]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """Makes a packed site of one file, from what it answers."""

    def pack(answers: dict[str, dict[str, Any]], truth: str = "", site: object = None) -> Path:
        folder = tmp_path / "shop"
        (folder / "f").mkdir(parents=True)
        (folder / "f" / "1").write_bytes(PAGE)
        told = {"start": "/"} if site is None else site
        (folder / "site.json").write_text(json.dumps(told))
        (folder / "map.json").write_text(json.dumps(answers))
        (folder / "truth.tsv").write_text(truth, encoding="utf-8")
        return folder

    return pack


def test_a_page_is_found_however_its_address_is_spelt(pack: Pack) -> None:
    corpus = Corpus.open(pack({"/": {"file": "f/1"}, "/é a?q=x y": {"file": "f/1"}}))
    assert (corpus.name, corpus.start) == ("shop", "/")
    for path in ("", "/", "/%C3%A9%20a?q=x%20y", "/é a?q=x y"):
        found = corpus.fetch(ROOT + path)
        assert found is not None
        assert found.body == PAGE
    for path in ("/é a", "/none", "//"):
        assert corpus.fetch(ROOT + path) is None


def test_redirects_are_followed_to_their_end(pack: Pack) -> None:
    answers: dict[str, dict[str, Any]] = {
        "/a/1": {"location": "2"},
        "/a/2": {"location": "/b?x=1"},
        "/b?x=1": {"location": f"{ROOT}/end"},
        "/end": {"file": "f/1"},
        "/loop": {"location": "/loop"},
        "/nowhere": {"location": "/none"},
    }
    corpus = Corpus.open(pack(answers))
    found = corpus.fetch(f"{ROOT}/a/1")
    assert found is not None
    assert found.url == f"{ROOT}/end"
    assert corpus.fetch(f"{ROOT}/loop") is None
    assert corpus.fetch(f"{ROOT}/nowhere") is None


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [(None, "cp1252"), ("text/html; charset=koi8-r", "koi8-r"), ("application/xhtml+xml", "cp1252"),
     ("text/plain", None), ("image/png", None), ("text/htmlx", None)],
)  # fmt: skip
def test_only_pages_are_answers(pack: Pack, kind: str | None, encoding: str | None) -> None:
    answer = {"file": "f/1"} if kind is None else {"file": "f/1", "type": kind}
    found = Corpus.open(pack({"/": answer})).fetch(f"{ROOT}/")
    assert (found and found.encoding) == encoding


def test_the_truth_is_found_however_the_address_is_spelt(pack: Pack) -> None:
    corpus = Corpus.open(pack({}, "/\thome\n/caf%C3%A9?b=2&a=1\titem\n"))
    assert corpus.template_of(ROOT) == "home"
    assert corpus.template_of(f"{ROOT}/café?a=1&b=2") == "item"
    assert corpus.template_of(f"{ROOT}/cafe") is None


@pytest.mark.parametrize("missing", ["site.json", "map.json", "truth.tsv"])
def test_a_part_that_is_missing_is_named(pack: Pack, missing: str) -> None:
    folder = pack({"/": {"file": "f/1"}})
    (folder / missing).unlink()
    with pytest.raises(InputError, match=missing):
        Corpus.open(folder).template_of(ROOT)


@pytest.mark.parametrize("name", ["site.json", "map.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b"null", b"7"])
def test_a_part_that_says_something_else_is_told_in_one_line(
    pack: Pack, name: str, content: bytes
) -> None:
    folder = pack({"/": {"file": "f/1"}})
    (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=str(folder)) as caught:
        Corpus.open(folder)
    assert "\n" not in str(caught.value)


def test_a_site_without_a_start_is_told(pack: Pack) -> None:
    with pytest.raises(InputError, match="start"):
        Corpus.open(pack({"/": {"file": "f/1"}}, site={"title": "no start"}))


@pytest.mark.parametrize("answer", [{"file": "f/2"}, {"file": "f"}])
def test_a_file_that_is_missing_is_named(pack: Pack, answer: dict[str, Any]) -> None:
    corpus = Corpus.open(pack({"/": answer}))
    with pytest.raises(InputError, match=answer["file"]):
        corpus.fetch(f"{ROOT}/")
