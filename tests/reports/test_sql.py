"""What the report says is what plain SQL says."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, MakePage, Serve, SiteCrawler


@pytest.fixture(scope="module")
def crawl(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path_factory: Any
) -> Crawl:
    """A real crawl with redirects, errors, pages out of bounds, and some left waiting."""
    lists = {
        f"/list/{n}": make_html(*(f"/item/{n * 10 + i}" for i in range(10)), title="A list")
        for n in range(4)
    }
    body = "<div class=item><h1>x</h1><img src=/x.png><p>text</p></div>"
    items = {f"/item/{n}": make_html("/", title=f"Item {n % 7}", body=body) for n in range(40)}
    items["/item/3"] = Answer(status=301, headers=(("Location", "/item/4"),))
    items["/item/5"] = Answer(b"no", 500)
    items["/item/6"] = Answer(b"{}", type="application/json")
    home = make_html(*lists, "/private/a", "/gone", title="")
    with serve({"/": home, **lists, **items}) as web:
        folder = tmp_path_factory.mktemp("sql")
        return crawl_site(web.url, folder, "RETRY_ENABLED=False", deny="private", max_pages=36)


def ask(crawl: Crawl, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(crawl.folder / "crawl.db")) as database:
        return database.execute(sql).fetchall()


def one(crawl: Crawl, sql: str) -> Any:
    return ask(crawl, sql)[0][0]


def test_the_funnel_and_the_states(crawl: Crawl) -> None:
    told = crawl.coverage
    names = ["queued", "fetched", "skipped", "failed", "redirected", "held"]
    states = dict(ask(crawl, "SELECT state, count(*) FROM url GROUP BY state"))
    assert told["states"] == {name: states.get(n, 0) for n, name in enumerate(names)}
    assert [name for name, count in told["states"].items() if not count] == ["held"]
    assert told["funnel"] == {
        "discovered": one(crawl, "SELECT count(*) FROM url"),
        "wanted": one(crawl, "SELECT count(*) FROM url WHERE state != 2"),
        "asked": one(crawl, "SELECT count(*) FROM url WHERE state IN (1, 3, 4)"),
        "fetched": one(crawl, "SELECT count(*) FROM url WHERE state = 1"),
        "pages": one(crawl, "SELECT count(*) FROM page"),
        "assigned": one(crawl, "SELECT count(*) FROM assignment WHERE template IS NOT NULL"),
    }
    reasons = "SELECT reason, count(*) FROM url WHERE state IN (2, 3) GROUP BY reason"
    assert told["reasons"] == dict(ask(crawl, reasons))


def test_the_templates(crawl: Crawl) -> None:
    told = crawl.coverage["templates"]
    rows = ask(
        crawl,
        "SELECT 't' || template, count(*), round(avg(confidence), 3) FROM assignment"
        " WHERE template IS NOT NULL GROUP BY template",
    )
    assert {(one["id"], one["pages"]) for one in told} == {row[:2] for row in rows}
    assert [one["confidence"] for one in told] == [
        pytest.approx({row[0]: row[2] for row in rows}[one["id"]], abs=2e-3) for one in told
    ]
    # Every URL without a page counts once, for one template or for none.
    rows = [*told, crawl.coverage["unassigned"]]
    queued = one(crawl, "SELECT count(*) FROM url WHERE state = 0")
    assert sum(row["queued"] for row in rows) == queued
    for name, state in (("skipped", 2), ("failed", 3)):
        counts: Counter[str] = Counter()
        for row in rows:
            counts.update(row[name])
        by_reason = f"SELECT reason, count(*) FROM url WHERE state = {state} GROUP BY reason"
        assert counts == dict(ask(crawl, by_reason))


def test_depths_links_and_answers(crawl: Crawl) -> None:
    told = crawl.coverage
    depths = "SELECT depth, count(*) FROM url JOIN page ON docid = id GROUP BY depth ORDER BY depth"
    assert [(one["depth"], one["pages"]) for one in told["depths"]] == ask(crawl, depths)
    found = ask(
        crawl,
        "SELECT 't' || a.template, 't' || b.template, count(*) FROM url"
        " JOIN assignment a ON a.docid = source JOIN assignment b ON b.docid = id GROUP BY 1, 2",
    )
    edges = told["links"]["edges"]
    assert {(e["from"], e["to"], e["found"]) for e in edges if e["found"]} == set(found)
    statuses = "SELECT cast(status AS text), count(*) FROM url WHERE status > 0 GROUP BY 1"
    assert told["answers"]["statuses"] == dict(ask(crawl, statuses))
    assert set(told["answers"]["statuses"]) == {"200", "301", "404", "500"}
    same = told["answers"]["duplicates"]
    assert same["untitled"] == one(crawl, "SELECT count(*) FROM page WHERE title = ''") == 1
    assert same["same_title"] == one(
        crawl,
        "SELECT count(*) FROM page p WHERE title != '' AND EXISTS"
        " (SELECT 1 FROM page q WHERE q.title = p.title AND q.docid != p.docid)",
    )
    assert told["answers"]["redirects"]["urls"] == 1
    assert told["items"] == one(crawl, "SELECT count(*) FROM item")


def test_the_mismatches(crawl: Crawl) -> None:
    told = crawl.coverage["mismatches"]
    where = "FROM page JOIN assignment USING (docid) WHERE predicted > 0 AND template > 0"
    assert told["predicted"] == one(crawl, f"SELECT count(*) {where}")
    assert told["right"] == one(crawl, f"SELECT count(*) {where} AND predicted = template")
    assert sum(one_["predicted"] for one_ in told["calibration"]) == told["predicted"]
    assert told["denied"] == sum(bool(page["mismatch"]) for page in crawl.pages)
    assert told["denied"] == sum(told["kinds"].values())
    for template in crawl.coverage["templates"]:
        own = [page["mismatch"] for page in crawl.pages if page["template"] == template["id"]]
        assert template["denied"] == dict(Counter(kind for kind in own if kind))


def test_the_tables_say_the_same(crawl: Crawl) -> None:
    with (crawl.folder / "tables" / "urls.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    urls = {row["url"] for row in rows}
    assert len(urls) == len(rows) == one(crawl, "SELECT count(*) FROM url WHERE state != 4")
    states = json.dumps(Counter(row["state"] for row in rows))
    assert str(crawl.coverage["states"]["queued"]) in states


def test_what_was_left_out_and_when_templates_were_met(crawl: Crawl) -> None:
    told = crawl.coverage
    rows = ask(
        crawl,
        "SELECT coalesce(reason, 'max-pages'), count(*) FROM url WHERE state NOT IN (1, 4)"
        " GROUP BY 1, state",
    )
    assert sorted((one["reason"], one["urls"]) for one in told["left_out"]) == sorted(rows)
    first = "SELECT count(DISTINCT template), count(*) FROM assignment WHERE template > 0"
    assert told["discovery"]["found"] == ask(crawl, first)[0][0] == len(told["templates"])
    curve = ask(
        crawl,
        "SELECT 't' || template, min(at) FROM (SELECT template,"
        " row_number() OVER (ORDER BY docid) AS at FROM assignment) WHERE template > 0"
        " GROUP BY template ORDER BY 2",
    )
    assert [(one["template"], one["page"]) for one in told["discovery"]["curve"]] == curve
    cuts = one(crawl, "SELECT count(*) FROM page WHERE cuts != ''")
    assert bool(told["cuts"]) == bool(cuts)
    elsewhere = "SELECT count(*) FROM page JOIN url ON id = docid WHERE canonical NOT IN ('', url)"
    assert told["answers"]["duplicates"]["canonical_elsewhere"] == one(crawl, elsewhere)
    alone = "SELECT reason, count(*) FROM assignment WHERE template IS NULL GROUP BY 1"
    assert told["unassigned"]["reasons"] == dict(ask(crawl, alone))


def test_what_a_budget_holds_back(
    serve: Serve, make_html: MakePage, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    item = "<div class=item><h1>x</h1><img src=/x.png><p>text</p></div>"
    items = {f"/item/{n}": make_html("/", title=f"Item {n}", body=item) for n in range(60)}
    with serve({"/": make_html(*items), **items}) as web:
        crawl = crawl_site(web.url, tmp_path, "TPLCRAWL_MAX_PAGES_PER_TEMPLATE=8")
    told = crawl.coverage
    held = one(crawl, "SELECT count(*) FROM url WHERE state = 5")
    assert told["states"]["held"] == held > 20
    assert sum(row["urls"] for row in told["left_out"] if row["state"] == "held") == held
    expected = "SELECT 't' || expected, count(*) FROM url WHERE state = 5 GROUP BY 1"
    rows = {row["id"]: row["skipped"].get("budget", 0) for row in told["templates"]}
    assert {id_: count for id_, count in rows.items() if count} == dict(ask(crawl, expected))
    assert told["funnel"]["wanted"] == told["funnel"]["discovered"] - held
    assert any(f"{held} URLs" in finding["text"] for finding in told["findings"])
