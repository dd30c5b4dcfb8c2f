from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tplcrawl.reports.outputs import write_reports
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State

Write = Callable[..., int]

URL = "http://a.com/"
FILES = {"pages.jsonl", "skipped.jsonl", "templates.json", "coverage.json", "report.html"}


@pytest.fixture
def crawl(store: Store, write: Write) -> Store:
    """A store with pages of two templates, and URLs without a page."""
    write(store, URL, 1, links=[f"/p{n}?x=<&y='\u2028" for n in range(12)])
    for url in [one.url for one in store.urls.waiting(1, 8)]:
        write(store, url, 2, html=f"<title>{url}\u2028</title>", items=[Item("A", "{}")], depth=1)
    store.urls.settle(12, State.FAILED, reason="status 404", status=404)
    return store


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith((".lock", "crawl.db"))
    }


def test_all_files_are_there_and_agree(crawl: Store) -> None:
    rows = write_reports(crawl, "max-pages").templates
    found = files(crawl.folder)
    assert {name for name in found if "/" not in name} == FILES
    assert {name for name in found if name.startswith("tables/")} >= {"tables/urls.csv"}
    lines = {
        name: [json.loads(line) for line in found[name].decode().split("\n")[:-1]]
        for name in ("pages.jsonl", "skipped.jsonl")
    }
    templates = json.loads(found["templates.json"])["templates"]
    coverage = json.loads(found["coverage.json"])
    assert [one["id"] for one in templates] == [one.id for one in rows] == ["t2", "t1"]
    for one in templates:
        own = [line for line in lines["pages.jsonl"] if line["template"] == one["id"]]
        assert one["pages"] == len(own)
    assert coverage["funnel"]["pages"] == len(lines["pages.jsonl"]) == 9
    urls = [line["url"] for name in lines for line in lines[name]]
    assert len(urls) == len(set(urls)) == coverage["funnel"]["discovered"] == 13
    assert coverage["stopped"] == "max-pages"
    assert {line["reason"] for line in lines["skipped.jsonl"]} == {"status 404", "max-pages"}
    report = found["report.html"].decode()
    assert all(f'id="{one["id"]}"' in report for one in templates)


def test_reports_can_be_written_again_from_a_store_that_is_only_read(crawl: Store) -> None:
    """Byte for byte the same, and nothing is left aside."""
    write_reports(crawl, "finished")
    before = files(crawl.folder)
    crawl.close()
    for name in FILES:
        (crawl.folder / name).write_bytes(b"old")
    with Store(crawl.folder, write=False) as store:
        write_reports(store, "finished")
    assert files(crawl.folder) == before


def test_a_crawl_with_items_alone_has_reports(store: Store) -> None:
    store.pages.add_items(0, [Item("A", "{}")])
    assert not write_reports(store, "finished").templates
    assert {name for name in files(store.folder) if "/" not in name} == FILES


def test_no_text_of_a_page_becomes_markup_of_the_report(store: Store, write: Write) -> None:
    """Titles that many pages share, classes that name a template, reasons and URLs."""
    markup = "<img src=x onerror=alert(1)>"
    escaped = markup.replace("<", "&lt;").replace(">", "&gt;")
    html = f"<title>{escaped}</title><main class='\"><b>{escaped}'>x</main>"
    for number in range(8):
        write(store, f"{URL}{number}'\"><b>", 1, html=html, depth=1)
    write(store, URL, 2, html=html, links=[f"/to?{markup}"])
    write_reports(store, markup)
    report = (store.folder / "report.html").read_text(encoding="utf-8")
    assert escaped in report
    assert markup not in report
    assert '"><b>' not in report
