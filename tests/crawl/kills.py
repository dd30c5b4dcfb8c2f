"""A small site to be crawled again and again, and what must be equal after a death."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from tplcrawl.evaluation.sample.server import sample_answers
from tplcrawl.evaluation.sample.site import SampleSite, Sizes

if TYPE_CHECKING:
    from tests.conftest import Crawl

SITE = SampleSite(Sizes(categories=3, products=36, posts=14, threads=14, boards=2, users=10))
answer = sample_answers(SITE)


def stored_items(folder: Path) -> Counter[str]:
    """How often each page's item is in the database, which is sound."""
    with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = database.execute("SELECT data FROM item").fetchall()
    return Counter(json.loads(data)["url"] for (data,) in rows)


def stored_ids(folder: Path) -> dict[str, int]:
    """The ids of all URLs."""
    with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as database:
        return dict(database.execute("SELECT url, id FROM url"))


def stored_sightings(folder: Path) -> dict[int, bytes]:
    """The links of every page."""
    with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as database:
        return dict(database.execute("SELECT docid, sightings FROM page"))


def assert_equal(found: Crawl, whole: Crawl) -> None:
    """Every page and every item, once, in the same template."""
    assert Counter(page["url"] for page in found.pages) == Counter(
        page["url"] for page in whole.pages
    )
    assert len({page["docid"] for page in found.pages}) == len(found.pages)
    assert found.partition == whole.partition
    for name in ("depth", "location", "title"):
        told = {page["url"]: page[name] for page in found.pages}
        assert told == {page["url"]: page[name] for page in whole.pages}
    template = {page["url"]: page["template"] or "unassigned" for page in found.pages}
    streamed = [(item["url"], name) for name, items in found.streams.items() for item in items]
    assert sorted(streamed) == sorted(template.items())
    assert stored_items(found.folder) == Counter(template.keys())
    assert found.reasons == whole.reasons
