"""The sample site, crawled whole by the command that users type."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tplcrawl.evaluation.crawls import score_crawl
from tplcrawl.evaluation.sample.server import sample_answers
from tplcrawl.evaluation.sample.site import SampleSite

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Crawl, Serve, SiteCrawler, Web

SITE = SampleSite()
answer = sample_answers(SITE)
BYTES = ("pages.jsonl", "templates.json", "skipped.jsonl", "coverage.json", "report.html",
         "streams", "samples")  # fmt: skip


@pytest.fixture(scope="module")
def web(serve: Serve) -> Iterator[Web]:
    with serve(answer) as server:
        yield server


@pytest.fixture(scope="module")
def crawl(web: Web, crawl_site: SiteCrawler, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    return crawl_site(web.url, tmp_path_factory.mktemp("sample") / "crawl")


@pytest.fixture(scope="module")
def asked(crawl: Crawl, web: Web) -> Counter[str]:
    """What the server was asked during the first crawl."""
    return web.counts


def test_every_page_of_the_site_is_one_line(crawl: Crawl) -> None:
    assert sorted(crawl.targets) == sorted(SITE.pages)
    assert len({page["docid"] for page in crawl.pages}) == len(SITE.pages)


def test_every_page_was_fetched_once_and_nothing_else(asked: Counter[str]) -> None:
    assert asked.pop("/robots.txt") == 1
    assert asked == dict.fromkeys(SITE.pages, 1)


def test_the_templates_are_those_that_the_site_is_made_of(crawl: Crawl) -> None:
    scores = score_crawl(crawl.folder, SITE.truth())
    assert scores.pages == len(SITE.pages)
    assert scores.f1 > 0.95


def test_every_file_of_the_design_is_there_and_no_other(crawl: Crawl) -> None:
    assert {path.name for path in crawl.folder.iterdir()} - {".lock"} == {
        "crawl.db", "pages.jsonl", "templates.json", "streams", "samples", "tables",
        "coverage.json", "report.html", "skipped.jsonl",
    }  # fmt: skip
    assert not list(crawl.folder.rglob("*.part"))


def test_a_page_has_the_documented_fields(crawl: Crawl) -> None:
    ids = {template["id"] for template in crawl.json("templates.json")["templates"]}
    for page in crawl.pages:
        assert page.keys() >= {
            "url", "docid", "status", "template", "confidence", "reason", "predicted", "location",
            "mismatch", "depth", "redirected_from",
        }  # fmt: skip
        assert page["status"] == 200
        assert page["template"] in ids | {None}
        assert page["predicted"] in ids | {None}
        assert 0 <= page["confidence"] <= 1
        assert page["reason"]
        assert page["redirected_from"] is None
        assert page["mismatch"] in (True, False, None)
        assert (page["depth"] == 0) == (page["location"] is None) == (page["url"].count("/") == 3
                and page["url"].endswith("/"))  # fmt: skip


def test_pages_come_breadth_first(crawl: Crawl) -> None:
    depths = [page["depth"] for page in crawl.pages]
    assert depths == sorted(depths)
    assert max(depths) > 2


def test_most_templates_were_known_before_the_fetch(crawl: Crawl) -> None:
    told = [page for page in crawl.pages if page["predicted"] is not None]
    right = [page for page in told if page["predicted"] == page["template"]]
    assert len(told) > len(crawl.pages) / 2
    assert len(right) > 0.7 * len(told)
    assert all(page["mismatch"] is None for page in right if page["template"])


def test_templates_are_described_largest_first(crawl: Crawl, web: Web) -> None:
    found = crawl.json("templates.json")
    assert found["site"] in web.url
    assert found["method"] == "hybrid"
    sizes = Counter(page["template"] for page in crawl.pages if page["template"])
    assert {row["id"]: row["pages"] for row in found["templates"]} == sizes
    assert [row["pages"] for row in found["templates"]] == sorted(sizes.values(), reverse=True)
    names = [row["name"] for row in found["templates"]]
    assert len(set(names)) == len(names)
    known = {page["url"]: page["template"] for page in crawl.pages}
    for row in found["templates"]:
        assert re.fullmatch(r"t\d+", row["id"])
        assert row["share"] == pytest.approx(row["pages"] / len(crawl.pages), abs=1e-4)
        assert row["url_pattern"].startswith("/")
        assert row["sample_urls"]
        assert {known[url] for url in row["sample_urls"]} == {row["id"]}
        assert 0 <= row["cohesion"] <= 1
        assert isinstance(row["aliases"], list)
        assert row["locations"] or row["sample_urls"] == [web.url]


def test_every_item_stands_once_in_the_stream_of_its_template(crawl: Crawl) -> None:
    known = {page["url"]: page["template"] for page in crawl.pages}
    assert sorted(item["url"] for item in crawl.items) == sorted(known)
    for template, items in crawl.streams.items():
        assert {known[item["url"]] or "unassigned" for item in items} == {template}
        assert {item["template"] or "unassigned" for item in items} == {template}
    assert crawl.coverage["items"] == len(known)


def test_an_item_says_what_its_page_says(crawl: Crawl, web: Web) -> None:
    path = next(path for path, page in SITE.pages.items() if page.template == "product")
    (item,) = [item for item in crawl.items if item["url"] == web.url.rstrip("/") + path]
    assert item["title"] == SITE.pages[path].values["product"]["title"]
    assert item["lang"] == "en"
    assert item["json_ld"] == ["Product"]


def test_samples_are_what_the_server_sent_the_medoid_first(crawl: Crawl, web: Web) -> None:
    by_docid = {page["docid"]: page for page in crawl.pages}
    folders = sorted(path.name for path in (crawl.folder / "samples").iterdir())
    assert folders == sorted(row["id"] for row in crawl.json("templates.json")["templates"])
    for template in folders:
        name = f"samples/{template}"
        told = crawl.lines(f"{name}/manifest.jsonl")
        assert told[0]["role"] == "medoid"
        assert {row["role"] for row in told[1:]} <= {"diverse", "outlier"}
        files = {path.name for path in (crawl.folder / name).glob("*.html")}
        assert files == {row["file"] for row in told}
        for row in told:
            page = by_docid[row["docid"]]
            assert page["template"] == template
            assert page["url"] == row["url"]
            html = SITE.html(page["url"].removeprefix(web.url.rstrip("/")))
            assert html is not None
            assert (crawl.folder / name / row["file"]).read_bytes() == html.encode()


def test_the_report_counts_every_url(crawl: Crawl) -> None:
    numbers = crawl.coverage
    count = len(SITE.pages)
    assert numbers["stopped"] == "finished"
    assert numbers["funnel"] == {
        "discovered": count, "wanted": count, "asked": count, "fetched": count, "pages": count,
        "assigned": count - numbers["unassigned"]["pages"],
    }  # fmt: skip
    assert sum(numbers["states"].values()) == count
    assert sum(row["fetched"] for row in numbers["templates"]) == numbers["funnel"]["assigned"]
    assert sum(row["pages"] for row in numbers["depths"]) == count
    assert numbers["cuts"] == {}
    assert numbers["reasons"] == {}
    assert crawl.reasons == {}


def test_the_html_report_needs_nothing_from_elsewhere(crawl: Crawl) -> None:
    html = (crawl.folder / "report.html").read_text(encoding="utf-8")
    assert not re.search(
        r"<(?:link|img|iframe|object|embed)\b|<script[^>]* src|@import|url\((?!#)", html
    )
    for row in crawl.json("templates.json")["templates"]:
        assert f'id="{row["id"]}"' in html


def test_the_summary_names_every_template_and_nothing_is_said_on_stderr(crawl: Crawl) -> None:
    head, *rows = crawl.out.splitlines()
    assert head.split() == ["id", "name", "pages", "share", "sample"]
    for row, template in zip(rows, crawl.json("templates.json")["templates"], strict=False):
        id_, name, pages, share, sample = row.split()
        assert (id_, name, int(pages)) == (template["id"], template["name"], template["pages"])
        assert share == f"{template['share']:.1%}"
        assert template["sample_urls"][0].startswith(sample.rstrip("\u2026"))
    assert f"\n{len(SITE.pages)} pages, " in crawl.out
    assert f"{crawl.folder}/report.html" in crawl.out
    assert max(map(len, crawl.out.splitlines()[:-1])) <= 100
    assert crawl.err == ""


def test_the_database_is_sound_and_belongs_to_tplcrawl(crawl: Crawl) -> None:
    with closing(sqlite3.connect(f"file:{crawl.folder}/crawl.db?mode=ro", uri=True)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*) FROM page").fetchone() == (len(SITE.pages),)


def test_a_run_with_a_limit_that_is_reached_already_says_so(
    web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    for told in (", [0-9]+ URLs left → ", ", [0-9]+ URLs left; nothing was fetched: the limits"):
        assert re.search(told, crawl_site(web.url, tmp_path / "crawl", max_pages=3).out)


def test_a_second_run_fetches_nothing_says_so_and_changes_nothing(
    crawl: Crawl, asked: Counter[str], web: Web, crawl_site: SiteCrawler
) -> None:
    before = crawl.files(*BYTES)
    web.forget()
    again = crawl_site(web.url, crawl.folder)
    assert set(web.asked) <= {"/robots.txt"}
    assert "nothing was left to fetch" in again.out
    assert again.err == ""
    assert crawl.files(*BYTES) == before
