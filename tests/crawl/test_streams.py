from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import Settings

from tplcrawl.crawl.streams import exporter_class, formula_safe, write_streams
from tplcrawl.errors import JobError, UsageError
from tplcrawl.records import Assignment
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store

EXPORTERS = Settings().getwithbase("FEED_EXPORTERS")
HOSTILE = ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", " =1", "\n@x", "\uff1d1", "\0=cmd"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "crawl") as made:
        yield made


def scraped(store: Store, docid: int, template: int | None, *items: dict[str, Any]) -> None:
    store.pages.assign(docid, Assignment(template, 1.0, "so it is"))
    store.pages.add_items(docid, [Item("dict", json.dumps(item)) for item in items])


def written(store: Store, format_: str = "jsonl") -> Path:
    folder = store.folder / "streams"
    write_streams(store, folder, {1: "product", 2: "post"}, format_, EXPORTERS)
    return folder


def index(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "index.json").read_text())
    return found


def test_every_item_stands_in_the_stream_of_its_page_in_order(store: Store) -> None:
    scraped(store, 5, 2, {"n": 1})
    scraped(store, 3, 1, {"n": 2}, {"n": 3})
    scraped(store, 4, None, {"n": 4})
    scraped(store, 9, 1, {"n": 5})
    store.pages.add_items(0, [Item("dict", '{"n": 6}')])
    folder = written(store)
    assert (folder / "t1.jsonl").read_text() == '{"n": 2}\n{"n": 3}\n{"n": 5}\n'
    assert (folder / "t2.jsonl").read_text() == '{"n": 1}\n'
    assert (folder / "unassigned.jsonl").read_text() == '{"n": 6}\n{"n": 4}\n'
    assert index(folder)["streams"] == [
        {"template": "t1", "name": "product", "file": "t1.jsonl", "items": 3},
        {"template": "t2", "name": "post", "file": "t2.jsonl", "items": 1},
        {"template": "unassigned", "name": None, "file": "unassigned.jsonl", "items": 2},
    ]


def test_a_template_that_was_merged_leaves_no_file(store: Store) -> None:
    scraped(store, 1, 1, {"n": 1})
    scraped(store, 2, 2, {"n": 2})
    folder = written(store)
    store.pages.assign(2, Assignment(1, 1.0, "merged"))
    written(store)
    assert sorted(path.name for path in folder.iterdir()) == ["index.json", "t1.jsonl"]
    assert (folder / "t1.jsonl").read_text() == '{"n": 1}\n{"n": 2}\n'


def test_what_somebody_else_keeps_there_stays(store: Store) -> None:
    scraped(store, 1, 1, {"n": 1})
    folder = written(store)
    for name in ("notes.txt", "t1.old.jsonl", "total"):
        (folder / name).write_text("mine")
    written(store)
    names = ["index.json", "notes.txt", "t1.jsonl", "t1.old.jsonl", "total"]
    assert sorted(path.name for path in folder.iterdir()) == names


def test_another_format_leaves_no_file_of_the_first(store: Store) -> None:
    scraped(store, 1, 1, {"n": 1})
    written(store)
    folder = written(store, "json")
    assert sorted(path.name for path in folder.iterdir()) == ["index.json", "t1.json"]
    assert json.loads((folder / "t1.json").read_text()) == [{"n": 1}]
    assert index(folder)["format"] == "json"


def test_without_items_there_is_an_index_and_nothing_else(store: Store) -> None:
    folder = written(store)
    assert [path.name for path in folder.iterdir()] == ["index.json"]
    assert index(folder)["streams"] == []


def test_csv_has_the_fields_of_all_items_not_only_of_the_first(store: Store) -> None:
    scraped(store, 1, 1, {"a": 1}, {"b": 2, "a": 3}, {"c": ["x", "y"]})
    with (written(store, "csv") / "t1.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {"a": "1", "b": "", "c": ""},
        {"a": "3", "b": "2", "c": ""},
        {"a": "", "b": "", "c": "x,y"},
    ]


def test_no_cell_of_a_csv_is_a_formula(store: Store) -> None:
    items = [{f"field{n}": text, "list": [text, "x"]} for n, text in enumerate(HOSTILE)]
    nested = {"field0": {"inner": "=1"}, "list": [["=2"], {"x": "=3"}]}
    scraped(store, 1, 1, *items, nested)
    with (written(store, "csv") / "t1.csv").open(newline="", encoding="utf-8") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell.lstrip("\0 \t\r\n")[:1] in list("=+-@\uff1d")]


def test_no_head_of_a_csv_is_a_formula(store: Store) -> None:
    """Items may take the names of their fields from a page."""
    scraped(store, 1, 1, {"=cmd|'/c calc'!A0": 1, "fine": 2})
    with (written(store, "csv") / "t1.csv").open(newline="", encoding="utf-8") as file:
        assert not [cell for cell in next(csv.reader(file)) if cell.startswith("=")]


@given(st.text())
def test_a_safe_text_only_ever_gains_an_apostrophe(text: str) -> None:
    safe = formula_safe(text)
    assert safe in (text, f"'{text}")
    assert formula_safe(safe) == safe
    assert safe[:1] not in ("=", "+", "-", "@", "\t", "\r")


@pytest.mark.parametrize("value", [7, -7, 1.5, None, True])
def test_numbers_stay_numbers(value: object) -> None:
    assert formula_safe(value) is value


@pytest.mark.parametrize("format_", sorted(EXPORTERS))
def test_every_format_of_scrapy_is_written_whole(store: Store, format_: str) -> None:
    scraped(store, 1, 1, {"text": "\u4e16\u754c", "number": 1})
    folder = written(store, format_)
    (entry,) = index(folder)["streams"]
    assert (folder / entry["file"]).stat().st_size > 0
    assert {path.name for path in folder.iterdir()} == {entry["file"], "index.json"}


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"papyrus.*csv.*json"):
        exporter_class("papyrus", EXPORTERS)


def test_a_directory_in_the_way_is_one_clear_error(store: Store) -> None:
    scraped(store, 1, 1, {"n": 1})
    (store.folder / "streams").write_text("in the way")
    with pytest.raises(JobError, match="cannot write"):
        written(store)
