"""Streams of a real crawl in other formats."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import MakePage, Serve, SiteCrawler

TITLES = ("=cmd|'/c calc'!A0", "+49 30 123", "-2+3", "@SUM(A1:A9)", "\uff1d1+1",
          "Plain, \"quoted\"", "two\nlines", "caf\u00e9 \U0001f600", "<b>bold</b>")  # fmt: skip


def site(make_html: MakePage) -> dict[str, Answer]:
    paths = [f"/item/{number}" for number in range(len(TITLES))]
    table = {
        path: make_html("/", title=title.replace("<", "&lt;"))
        for path, title in zip(paths, TITLES, strict=True)
    }
    table["/"] = make_html(*paths, title="=Home")
    return table


def test_csv_is_safe_and_json_after_it_leaves_no_csv(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl" / "streams"
    with serve(site(make_html)) as web:
        crawl_site(web.url, folder.parent, "TPLCRAWL_STREAM_FORMAT=csv", load=False)
        index = json.loads((folder / "index.json").read_text())
        files = [entry["file"] for entry in index["streams"]]
        assert sorted([*files, "index.json"]) == sorted(path.name for path in folder.iterdir())
        titles = []
        for entry in index["streams"]:
            with (folder / entry["file"]).open(newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            assert len(rows) == entry["items"]
            titles += [row["title"] for row in rows]
            assert all(row["url"].startswith(web.url) for row in rows)
        assert not [title for title in titles if title[:1] in "=+-@\uff1d"]
        expected = [" ".join(title.split()) for title in ("=Home", *TITLES)]
        assert sorted(title.removeprefix("'") for title in titles) == sorted(expected)

        crawl_site(web.url, folder.parent, "TPLCRAWL_STREAM_FORMAT=json", load=False)
    index = json.loads((folder / "index.json").read_text())
    assert index["format"] == "json"
    assert not list(folder.glob("*.csv"))
    items = [
        item
        for entry in index["streams"]
        for item in json.loads((folder / entry["file"]).read_text(encoding="utf-8"))
    ]
    assert sorted(item["title"] for item in items) == sorted(expected)
