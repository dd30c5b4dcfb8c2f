"""``tplcrawl classify``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.ingest import ingest
from tplcrawl.batch.warc import read_warc
from tplcrawl.clustering.methods import make_method
from tplcrawl.commands import main
from tplcrawl.crawl.outputs import write_outputs
from tplcrawl.evaluation.archives import write_archive
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.recording import Recording
from tplcrawl.store.store import Store

Capture = pytest.CaptureFixture[str]

SIZES = Sizes(categories=3, products=40, posts=30, threads=20, boards=2, users=20, tags=5)
SMALL = Sizes(categories=2, products=20, posts=15, threads=5, boards=1, users=5)
APACHE = b"""<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"><html><head>
<title>404 Not Found</title></head><body><h1>Not Found</h1>
<p>The requested URL was not found on this server.</p><hr>
<address>Apache Server at a.com Port 80</address></body></html>"""
FOREIGN = b"""<!doctype html><html><head><title>404</title></head><frameset cols="*,*">
<frame src="x"><frame src="y"></frameset><noframes><center><h6>no</h6></center></noframes></html>"""


def crawl_of(site: SampleSite, folder: Path, method: str = "hybrid") -> Path:
    """A crawl of *site*, with all its files."""
    documents = [
        Document(f"http://a.com{path}", (site.html(path) or "").encode(), "utf-8")
        for path in site.pages
    ]
    with Store(folder) as store:
        ingest(store, documents, Losses(), save_html=True)
    recording = Recording(folder, None, make_method(method), save_html="all")
    write_outputs(
        recording.store, "finished", "jsonl", {"jsonl": "scrapy.exporters.JsonLinesItemExporter"}
    )
    recording.close()
    return folder


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of the sample site; not to be changed."""
    return crawl_of(SampleSite(SIZES), tmp_path_factory.mktemp("crawl") / "sample")


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A page of no template of the crawl."""
    (tmp_path / "foreign page.html").write_bytes(FOREIGN)
    return tmp_path / "foreign page.html"


def classified(capsys: Capture, crawl: Path, *pages: Path | str) -> list[str | None]:
    """The templates that are printed, in the order of the pages."""
    capsys.readouterr()
    assert main(["classify", str(crawl), *map(str, pages), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows = [json.loads(line) for line in out.split("\n")[:-1]]
    assert [row["page"] for row in rows] == list(map(str, pages))
    for row in rows:
        assert set(row) == {"page", "template", "confidence", "reason"}
        assert 0 <= row["confidence"] <= 1
        assert row["reason"]
    return [row["template"] for row in rows]


def samples(crawl: Path) -> list[Path]:
    """The sample pages of all templates."""
    return sorted((crawl / "samples").rglob("*.html"))


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_samples_of_each_template_are_of_it_and_nothing_is_written(
    crawl: Path, capsys: Capture
) -> None:
    before = files(crawl)
    pages = samples(crawl)
    assert len({page.parent for page in pages}) > 10
    assert classified(capsys, crawl, *pages) == [page.parent.name for page in pages]
    assert files(crawl) == before


def test_pages_that_were_not_crawled_are_of_the_template_of_their_likes(
    crawl: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Another site of the same engine, with other content."""
    names = {}
    for line in (crawl / "pages.jsonl").read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        names[page["url"].removeprefix("http://a.com")] = page["template"]
    old, new = SampleSite(SIZES), SampleSite(SIZES, seed=4)
    own = {page.template: names[path] for path, page in old.pages.items()}
    paths: list[Path] = []
    expected = []
    for template in ("product", "post", "thread", "user", "category", "board", "home"):
        for path in [p for p, page in new.pages.items() if page.template == template][:4]:
            paths.append(tmp_path / f"{len(paths)}.html")
            paths[-1].write_text(new.html(path) or "", encoding="utf-8")
            expected.append(own[template])
    found = classified(capsys, crawl, *paths)
    assert sum(a == b for a, b in zip(found, expected, strict=True)) >= 0.9 * len(paths)


@pytest.mark.parametrize("body", [FOREIGN, APACHE], ids=["frames", "error"])
def test_a_page_that_has_nothing_in_common_with_the_site_is_of_none(
    crawl: Path, tmp_path: Path, capsys: Capture, body: bytes
) -> None:
    (tmp_path / "page.html").write_bytes(body)
    assert classified(capsys, crawl, tmp_path / "page.html") == [None]


@pytest.mark.parametrize("method", ["lzw", "md5", "common-paths"])
def test_the_method_of_the_crawl_says(
    tmp_path: Path, foreign: Path, capsys: Capture, method: str
) -> None:
    """One that compares with examples may not know an outlier again; it never mistakes it."""
    crawl = crawl_of(SampleSite(SMALL), tmp_path / "crawl", method)
    pages = samples(crawl)
    found = classified(capsys, crawl, *pages)
    for page, template in zip(pages, found, strict=True):
        assert template in (page.parent.name, *([None] if method == "common-paths" else []))
    assert found.count(None) < 0.2 * len(found)
    assert classified(capsys, crawl, foreign) == [None]


def test_a_method_that_goes_by_links_knows_no_saved_page(tmp_path: Path, capsys: Capture) -> None:
    crawl = crawl_of(SampleSite(SMALL), tmp_path / "crawl", "uxclust")
    pages = samples(crawl)[:3]
    assert classified(capsys, crawl, *pages) == [None] * 3
    assert main(["classify", str(crawl), str(pages[0])]) == 0
    assert capsys.readouterr().out.startswith(f"{pages[0]}\tnone\t0.00\t")


def test_people_are_told_one_line_for_each_page(crawl: Path, capsys: Capture) -> None:
    pages = samples(crawl)[::20]
    assert main(["classify", str(crawl), *map(str, pages)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for page, line in zip(pages, lines, strict=True):
        name, template, sure, reason = line.split("\t")
        assert (name, template) == (str(page), page.parent.name)
        assert re.fullmatch(r"[01]\.\d\d", sure)
        assert reason


def test_a_page_may_come_from_standard_input(crawl: Path) -> None:
    page = samples(crawl)[-1]
    code = "import sys; from tplcrawl.commands import main; sys.exit(main())"
    words = [sys.executable, "-c", code, "classify", str(crawl), "-", "--json"]
    done = subprocess.run(words, input=page.read_bytes(), capture_output=True, check=True)
    row = json.loads(done.stdout)
    assert (row["page"], row["template"], done.stderr) == ("-", page.parent.name, b"")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0\xff\xfe not HTML at all",
        b"<html><link rel=canonical href='http://[not/a/url'>",
        b"<html><link rel=canonical href='http://a.com:port/'>",
        b"<html><link rel=canonical href='http://\xe2\x84\x80.com/'>",
        b"<html><link rel=canonical href='&#xD800;/%ff?a=%'>",
        b"<html>" + b"<div>" * 3000,
        b"<html><meta charset=utf-16><meta charset=hex><p class='" + b"x " * 500 + b"'>",
    ],
    ids=["empty", "bytes", "address", "port", "host", "surrogate", "deep", "charset"],
)
def test_whatever_a_page_is_there_is_an_answer(
    crawl: Path, tmp_path: Path, capsys: Capture, body: bytes
) -> None:
    page = tmp_path / "page"
    page.write_bytes(body)
    assert len(classified(capsys, crawl, page)) == 1


def test_an_odd_name_is_printed_as_it_is(crawl: Path, tmp_path: Path, capsys: Capture) -> None:
    for name in ("a b.html", "é\u2028.html", "#?%.html"):
        (tmp_path / name).write_bytes(FOREIGN)
        assert len(classified(capsys, crawl, tmp_path / name)) == 1


@pytest.fixture
def wrong(crawl: Path, foreign: Path, tmp_path: Path) -> Callable[[str], list[str]]:
    """Arguments of jobs that cannot be done."""

    def wrong(kind: str) -> list[str]:
        (tmp_path / "folder").mkdir()
        (tmp_path / "bad").mkdir()
        (tmp_path / "bad" / "crawl.db").write_text("no database" * 99)
        jobs = {
            "no page": [str(crawl), str(foreign), str(tmp_path / "none.html")],
            "no archive": [str(crawl), str(foreign), str(tmp_path / "none.warc.gz")],
            "no crawl": [str(tmp_path / "folder"), str(foreign)],
            "nowhere": [str(tmp_path / "none"), str(foreign)],
            "no database": [str(tmp_path / "bad"), str(foreign)],
        }
        return jobs[kind]

    return wrong


@pytest.mark.parametrize("kind", ["no page", "no archive", "no crawl", "nowhere", "no database"])
def test_what_cannot_be_read_is_told_in_one_line(
    wrong: Callable[[str], list[str]], tmp_path: Path, capsys: Capture, kind: str
) -> None:
    words = wrong(kind)
    before = sorted(tmp_path.rglob("*"))
    assert main(["classify", *words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"tplcrawl: [^\n]+\n", err)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("words", [[], ["crawl"], ["crawl", "page", "--nonsense"]])
def test_what_cannot_be_parsed_is_wrong_usage(words: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["classify", *words])
    assert caught.value.code == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("method", ["hybrid", "lzw"])
def test_archives_and_directories_are_streams_of_pages(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each host by what was learnt of it."""
    archive = tmp_path / "pages.warc.gz"
    write_archive(archive, 60)
    crawl = tmp_path / "crawl"
    assert main(["cluster", str(archive), "-o", str(crawl), "--method", method]) == 0
    lines = map(json.loads, (crawl / "pages.jsonl").read_text("utf-8").splitlines())
    known = {page["url"]: page["template"] for page in lines}
    page = next(read_warc(archive, Losses()))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "page.html").write_bytes(page.body)
    capsys.readouterr()
    words = ["classify", str(crawl), str(archive), str(tmp_path / "other"), "--json"]
    assert main(words) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {one["page"] for one in told} == {*known, "http://other/page.html"}
    agreed = sum(one["template"] == known.get(one["page"]) for one in told)
    assert agreed >= 0.9 * len(known)
