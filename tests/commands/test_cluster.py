"""``tplcrawl cluster``."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tplcrawl.batch import parts
from tplcrawl.batch.aside import aside
from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.ingest import ingest
from tplcrawl.batch.warc_records import response_record
from tplcrawl.clustering.methods import METHODS
from tplcrawl.commands import cluster, main
from tplcrawl.evaluation.crawls import score_crawl
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import Launcher, ReadCrawl

Fill = Callable[..., Path]
Capture = pytest.CaptureFixture[str]

SITE = SampleSite(
    Sizes(categories=2, products=30, posts=20, threads=15, boards=2, users=10, tags=3)
)
OUTPUTS = ("pages.jsonl", "templates.json", "skipped.jsonl", "coverage.json", "report.html",
           "streams", "samples")  # fmt: skip


def page(number: int, *links: str) -> bytes:
    """A page of one template."""
    rows = "".join(f"<li><a href='{link}'>x</a></li>" for link in links)
    more = "<table><tr><td>1</td></tr></table>" if number % 2 else ""
    return (
        f"<!doctype html><html><head><title>Page {number}</title></head><body><header>"
        f"<h1>Site</h1></header><main><h2>{number}</h2><p>text</p>{more}</main>"
        f"<footer><ul>{rows}<li>end</li></ul></footer></body></html>"
    ).encode()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample site, as it was archived; not to be changed."""
    path = tmp_path_factory.mktemp("archive") / "sample.warc.gz"
    headers = [("Content-Type", "text/html; charset=utf-8")]
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for target in SITE.pages:
            body = (SITE.html(target) or "").encode()
            http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
            record = writer.create_warc_record(
                f"http://a.com{target}", "response", BytesIO(body), len(body), http_headers=http
            )
            writer.write_record(record)
    return path


@pytest.fixture(scope="module")
def result(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its templates; not to be changed."""
    folder = tmp_path_factory.mktemp("result") / "sample"
    assert main(["cluster", str(archive), "-o", str(folder)]) == 0
    return folder


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Makes a folder of pages."""

    def fill(pages: dict[str, bytes], name: str = "pages") -> Path:
        for path, content in pages.items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return tmp_path / name

    return fill


@pytest.fixture
def ten(fill: Fill) -> Path:
    """Ten pages of one template, without links."""
    return fill({f"{n}.html": page(n) for n in range(10)})


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """What a crawl left, with links."""
    folder = tmp_path / "crawl"
    documents = [
        Document(f"http://a.com{path}", (SITE.html(path) or "").encode(), "utf-8")
        for path in list(SITE.pages)[:40]
    ]
    with Store(folder) as store:
        ingest(store, documents, Losses(), save_html=True)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def told(capsys: Capture, code: int, words: list[str]) -> str:
    """Run a command that fails with *code*; return the one line that it says."""
    capsys.readouterr()
    assert main(words) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"tplcrawl: [^\n]+\n", err), err
    return err


def test_an_archive_is_clustered_and_all_files_of_a_crawl_are_written(
    result: Path, read_crawl: ReadCrawl
) -> None:
    scores = score_crawl(result, SITE.truth())
    assert (scores.pages, scores.assigned) == (len(SITE.pages), 1)
    assert scores.f1 > 0.97
    found = read_crawl(result)
    assert found.json("templates.json")["method"] == "hybrid"
    assert sum(map(len, found.streams.values())) == len(found.items) == len(SITE.pages)
    assert set(OUTPUTS) <= {path.name for path in result.iterdir()}
    assert not list(result.rglob("*.part"))


def test_pages_that_are_linked_to_and_not_there_are_listed(fill: Fill, tmp_path: Path) -> None:
    folder = fill({"a.html": page(1, "b.html", "gone.html"), "b.html": page(2, "a.html")})
    assert main(["cluster", str(folder), "-o", str(tmp_path / "out")]) == 0
    lines = (tmp_path / "out" / "skipped.jsonl").read_text().splitlines()
    assert [(json.loads(line)["url"], json.loads(line)["reason"]) for line in lines] == [
        ("http://pages/gone.html", "not in the input")
    ]


def test_people_are_told_what_was_found(ten: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["cluster", str(ten), "-o", str(tmp_path / "out"), "--method", "md5"]) == 0
    out, err = capsys.readouterr()
    assert out.endswith(f"\n10 pages, 2 templates → {tmp_path}/out/report.html\n")
    assert err == ""


def test_json_is_all_that_is_printed_where_it_is_wanted(
    ten: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["cluster", str(ten), "-o", str(tmp_path / "out"), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == json.loads((tmp_path / "out" / "templates.json").read_text())
    assert out.count("\n") == 1
    assert err == ""


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_what_was_left_out_is_told_beside_the_result(
    fill: Fill, tmp_path: Path, capsys: Capture, json_too: list[str]
) -> None:
    one, two = fill({"a.html": page(1)}, "x/same"), fill({"a.html": page(2)}, "y/same")
    (one / "gone.html").symlink_to("nowhere")
    assert main(["cluster", str(one), str(two), "-o", str(tmp_path / "out"), *json_too]) == 0
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "tplcrawl: left out 1: URL seen before",
        "tplcrawl: left out 1: unreadable: No such file or directory",
    ]
    assert "left out" not in out


@pytest.mark.parametrize("how", [[], ["--method", "lzw"]], ids=["profiled", "skimmed"])
def test_why_there_is_no_page_is_told(tmp_path: Path, capsys: Capture, how: list[str]) -> None:
    """Catches an archive of answers that are none, of which nothing is said."""
    path = tmp_path / "a.warc.gz"
    html = [(b"Content-Type", b"text/html")]
    records = [response_record(f"http://a.com/{n}", 404, html, page(n)) for n in range(3)]
    path.write_bytes(b"".join(records))
    assert main(["cluster", str(path), "-o", str(tmp_path / "out"), *how]) == 1
    told = f"tplcrawl: no page of HTML in {path}; left out 3: status 404\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize("how", [["--jobs", "2"], ["--method", "lzw"]], ids=["profiled", "skimmed"])
def test_what_was_lost_to_damage_is_told_and_kept_with_the_result(
    archive: Path, tmp_path: Path, capsys: Capture, how: list[str]
) -> None:
    """Catches a result that does not say what its archive lacked."""
    content = archive.read_bytes()
    damaged, at = tmp_path / "damaged.warc.gz", len(content) // 2
    damaged.write_bytes(content[:at] + bytes(9) + content[at + 9 :])
    out = tmp_path / "out"
    assert main(["cluster", str(damaged), "-o", str(out), *how]) == 0
    err = capsys.readouterr().err.splitlines()
    with Store(out, write=False) as store:
        assert len(store.pages) == len(SITE.pages) - 1
        lost = store.lost
    assert lost["damaged place of an archive"] == 1
    assert err == [f"tplcrawl: left out {count:,}: {reason}" for reason, count in lost.items()]
    if "lzw" not in how:
        assert main(["report", str(out), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["lost"] == lost
        assert "damaged place of an archive" in (out / "report.html").read_text("utf-8")


def test_a_broken_archive_is_clustered_as_far_as_it_goes(
    archive: Path, tmp_path: Path, capsys: Capture, read_crawl: ReadCrawl
) -> None:
    content = archive.read_bytes()
    broken = tmp_path / "broken.WARC.GZ"
    broken.write_bytes(content[: len(content) // 2] + b"\xff" * 99)
    assert main(["cluster", str(broken), "-o", str(tmp_path / "out")]) == 0
    assert "left out" in capsys.readouterr().err
    assert 20 < len(read_crawl(tmp_path / "out").pages) < len(SITE.pages)


@pytest.mark.parametrize("method", ["hybrid", "common-paths"])
def test_ten_pages_of_one_template_are_one_template(
    ten: Path, tmp_path: Path, read_crawl: ReadCrawl, method: str
) -> None:
    """One in two has an optional part."""
    assert main(["cluster", str(ten), "-o", str(tmp_path / "out"), "--method", method]) == 0
    found = read_crawl(tmp_path / "out")
    assert [one["pages"] for one in found.json("templates.json")["templates"]] == [10]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_writes_its_name_and_where_it_looked(
    crawl: Path, tmp_path: Path, method: str, read_crawl: ReadCrawl
) -> None:
    words = ["cluster", str(crawl), "-o", str(tmp_path / "out"), "--method", method]
    if "most" in METHODS[method]().parameters():
        words += ["--set", "most=25"]
    assert main(words) == 0
    found = read_crawl(tmp_path / "out")
    assert found.json("templates.json")["method"] == method
    assert len(found.pages) == 40


def test_parameters_reach_the_method(crawl: Path, tmp_path: Path, capsys: Capture) -> None:
    words = ["cluster", str(crawl), "-o", str(tmp_path / "out"), "--set", "learn=30"]
    assert main(words) == 0
    assert "40 pages, learned from 30 of them, " in capsys.readouterr().out
    with Store(tmp_path / "out", write=False) as store:
        assert store.meta("parameters") == {"learn": 30}


def test_positional_locations_are_told_apart(crawl: Path, tmp_path: Path) -> None:
    counts = {}
    for name in ([], ["--positional"]):
        out = tmp_path / f"out{len(name)}"
        words = ["cluster", str(crawl), "-o", str(out), "--method", "uxclust", "--set", "cutoff=3"]
        assert main([*words, *name]) == 0
        lines = [json.loads(line) for line in (out / "pages.jsonl").read_text().splitlines()]
        counts[len(name)] = sum(line["template"] is not None for line in lines)
    assert counts[0] > 20 > counts[1]


@pytest.mark.parametrize("kind", ["crawl", "result"])
def test_the_pages_of_a_crawl_are_clustered_anew_and_it_stays_as_it_is(
    crawl: Path, result: Path, tmp_path: Path, kind: str, read_crawl: ReadCrawl
) -> None:
    source = tmp_path / "source"
    shutil.copytree(crawl if kind == "crawl" else result, source)
    before = files(source)
    assert main(["cluster", str(source), "-o", str(tmp_path / "out"), "--method", "md5"]) == 0
    assert files(source) == before
    found = read_crawl(tmp_path / "out")
    assert found.json("templates.json")["method"] == "md5"
    assert len(found.pages) == (40 if kind == "crawl" else len(SITE.pages))
    assert len(list((tmp_path / "out" / "samples").rglob("*.html"))) > 5


def test_an_earlier_result_is_replaced_and_nothing_of_it_stays(
    ten: Path, tmp_path: Path, fill: Fill, read_crawl: ReadCrawl
) -> None:
    out = tmp_path / "out"
    words = ["-o", str(out), "--method", "md5"]
    assert main(["cluster", str(ten), *words]) == 0
    fresh = tmp_path / "fresh"
    other = fill({"x.html": page(1)}, "other")
    for folder in (out, fresh):
        assert main(["cluster", str(other), "-o", str(folder), "--method", "md5"]) == 0
    assert read_crawl(out).files(*OUTPUTS) == read_crawl(fresh).files(*OUTPUTS)


def test_an_earlier_result_is_replaced_behind_a_symbolic_link(
    ten: Path, tmp_path: Path, read_crawl: ReadCrawl
) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "disk", target_is_directory=True)
    for _ in range(2):
        assert main(["cluster", str(ten), "-o", str(tmp_path / "out"), "--method", "md5"]) == 0
    assert len(read_crawl(tmp_path / "disk").pages) == 10


def test_a_crawl_is_never_overwritten(ten: Path, crawl: Path, capsys: Capture) -> None:
    before = files(crawl)
    err = told(capsys, 1, ["cluster", str(ten), "-o", str(crawl)])
    assert "is not overwritten" in err
    assert files(crawl) == before


@pytest.mark.parametrize("name", ["samples", "index", "report.html"])
def test_what_only_looks_like_a_result_is_never_taken_away(
    ten: Path, tmp_path: Path, capsys: Capture, name: str
) -> None:
    """Catches replacing the samples and reports of somebody who has never called us."""
    out = tmp_path / "mine"
    (out / name / "letters").mkdir(parents=True)
    err = told(capsys, 1, ["cluster", str(ten), "-o", str(out)])
    assert f"holds {name}" in err
    assert (out / name / "letters").is_dir()


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("after", range(0, 8, 2))
def test_a_result_that_was_not_put_in_its_place_whole_is_made_again(
    ten: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, earlier: bool
) -> None:
    """Catches taking what a killed run has left for the files of somebody else."""
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    words = ["cluster", str(ten), "--method", "md5", "-o"]
    assert main([*words, str(fresh)]) == 0
    if earlier:
        assert main([*words, str(out)]) == 0
    replace, moved = Path.replace, list[Path]()

    def die(self: Path, target: Path) -> Path:
        if target.parent == out:
            if len(moved) == after:
                raise KeyboardInterrupt
            moved.append(target)
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", die)
        assert main([*words, str(out)]) == 130
    assert main([*words, str(out)]) == 0
    for name in ("pages.jsonl", "templates.json"):
        assert (out / name).read_bytes() == (fresh / name).read_bytes()
    assert {path.name for path in out.iterdir()} == {path.name for path in fresh.iterdir()}


def test_nothing_of_another_method_stays(ten: Path, fill: Fill, tmp_path: Path) -> None:
    """Catches a report, and extraction rules, that belong to other templates."""
    out = tmp_path / "out"
    assert main(["cluster", str(ten), "-o", str(out), "--method", "md5"]) == 0
    (out / "wrappers").mkdir()
    (out / "wrappers" / "t1.json").write_text("{}")
    assert main(["cluster", str(ten), "-o", str(out), "--method", "lzw", "--save-html=none"]) == 0
    left = {path.name for path in out.iterdir()}
    assert left <= {"crawl.db", ".lock", "pages.jsonl", "templates.json"}


def test_a_result_is_no_part_of_its_input(ten: Path, capsys: Capture) -> None:
    """Catches samples and reports being clustered as pages by the next call."""
    before = files(ten)
    told(capsys, 2, ["cluster", str(ten), "-o", str(ten / "out")])
    assert files(ten) == before


@pytest.mark.parametrize("inputs", ["itself", "itself and more"])
def test_a_result_never_goes_where_it_comes_from(
    result: Path, ten: Path, tmp_path: Path, capsys: Capture, inputs: str
) -> None:
    out = tmp_path / "again"
    shutil.copytree(result, out)
    before = files(out)
    more = [str(ten)] if inputs != "itself" else []
    told(capsys, 2, ["cluster", str(out), *more, "-o", str(out)])
    assert files(out) == before


@pytest.mark.parametrize("method", ["md5", "uxclust"])
def test_an_input_below_the_result_is_not_taken_away(
    ten: Path, tmp_path: Path, method: str
) -> None:
    """Neither with an earlier result nor after an error."""
    before = files(ten)
    for name in ("md5", method):
        main(["cluster", str(ten), "-o", str(tmp_path), "--method", name])
        assert files(ten) == before


def test_a_crawls_directory_must_be_the_only_input(
    crawl: Path, ten: Path, tmp_path: Path, capsys: Capture
) -> None:
    for inputs in ([crawl, ten], [ten, crawl], [crawl, crawl]):
        err = told(capsys, 2, ["cluster", *map(str, inputs), "-o", str(tmp_path / "out")])
        assert "only input" in err
        assert not (tmp_path / "out").exists()


WRONG = {
    "method": ["--method", "magic"],
    "parameter": ["--set", "magic=1"],
    "of another method": ["--method", "md5", "--set", "similarity=1"],
    "too low": ["--set", "learn=1"],
    "too high": ["--method", "common-paths", "--set", "similarity=1.5"],
    "no number": ["--set", "learn=many"],
    "no whole number": ["--set", "learn=2.5"],
    "not a number": ["--set", "learn=nan"],
    "no number at all": ["--method", "common-paths", "--set", "similarity=high"],
    "no whole number of pages": ["--method", "paths", "--set", "most=2.5"],
    "no cutoff": ["--method", "uxclust", "--set", "cutoff=few"],
    "no job": ["--jobs", "0"],
    "half a sample": ["--method", "uxclust", "--set", "samples=2.5"],
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage_is_told_in_one_line_and_nothing_is_made(
    ten: Path, tmp_path: Path, capsys: Capture, name: str
) -> None:
    told(capsys, 2, ["cluster", str(ten), "-o", str(tmp_path / "out"), *WRONG[name]])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words",
    [[], ["pages"], ["-o", "out"], ["pages", "-o", "out", "--set", "learn"],
     ["pages", "-o", "out", "--set", "=1"], ["pages", "-o", "out", "--nonsense"]],
)  # fmt: skip
def test_what_cannot_be_parsed_is_wrong_usage(words: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["cluster", *words])
    assert caught.value.code == 2
    assert capsys.readouterr().out == ""


@pytest.fixture
def bad(tmp_path: Path, ten: Path, fill: Fill) -> Callable[[str], list[str]]:
    """Arguments of a job that cannot be done."""

    def bad(kind: str) -> list[str]:
        text = tmp_path / "text.warc"
        text.write_bytes(b"this is no archive\n" * 50)
        empty = tmp_path / "empty.warc.gz"
        empty.write_bytes(b"")
        jobs = {
            "no input": [str(tmp_path / "none")],
            "no archive": [str(text)],
            "no archive after pages": [str(ten), str(text)],
            "an empty archive": [str(empty)],
            "a file": [str(ten / "1.html")],
            "no page": [str(fill({"notes.txt": b"text"}, "notes"))],
            "no links": [str(ten), "--method", "uxclust"],
        }
        return jobs[kind]

    return bad


BAD = ("no input", "no archive", "no archive after pages", "an empty archive", "a file", "no page",
       "no links")  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_job_that_cannot_be_done_is_told_in_one_line_and_leaves_nothing(
    bad: Callable[[str], list[str]], tmp_path: Path, capsys: Capture, kind: str
) -> None:
    words = bad(kind)
    before = sorted(tmp_path.rglob("*"))
    told(capsys, 1, ["cluster", *words, "-o", str(tmp_path / "out" / "deep")])
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("kind", BAD)
def test_what_else_is_in_the_directory_survives_a_job_that_cannot_be_done(
    bad: Callable[[str], list[str]], tmp_path: Path, capsys: Capture, kind: str
) -> None:
    words = bad(kind)
    out = tmp_path / "mine"
    (out / "letters").mkdir(parents=True)
    (out / "letters" / "diary.txt").write_text("dear diary")
    told(capsys, 1, ["cluster", *words, "-o", str(out)])
    assert files(out) == {"letters/diary.txt": b"dear diary"}


def test_inputs_that_are_no_archives_are_told_before_any_is_read(
    ten: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches telling of one among hundreds after hours of work, and of one at a time."""
    wrong = [tmp_path / f"{n}.warc.gz" for n in range(7)]
    for path in wrong:
        path.write_bytes(gzip.compress(b"this is no archive\n" * 50))
    monkeypatch.setattr(cluster, "_survey", None)
    words = ["cluster", str(ten), *map(str, wrong), "-o", str(tmp_path / "out")]
    err = told(capsys, 1, words)
    assert [str(path) in err for path in wrong] == [True] * 5 + [False] * 2
    assert "and 2 more" in err


def test_what_else_is_in_the_directory_survives_when_a_result_is_replaced(
    ten: Path, tmp_path: Path
) -> None:
    out = tmp_path / "mine"
    words = ["cluster", str(ten), "-o", str(out), "--method", "md5"]
    assert main(words) == 0
    (out / "diary.txt").write_text("dear diary")
    assert main(words) == 0
    assert (out / "diary.txt").read_text() == "dear diary"


def test_an_earlier_result_is_there_until_a_new_one_is(
    bad: Callable[[str], list[str]], ten: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    assert main(["cluster", str(ten), "-o", str(out), "--method", "md5"]) == 0
    before = files(out)
    told(capsys, 1, ["cluster", *bad("no page"), "-o", str(out)])
    assert files(out) == before


@pytest.mark.parametrize("method", [name for name, kind in METHODS.items() if kind.needs_links])
def test_a_method_that_needs_links_says_so(
    ten: Path, tmp_path: Path, capsys: Capture, method: str
) -> None:
    err = told(capsys, 1, ["cluster", str(ten), "-o", str(tmp_path / "out"), "--method", method])
    assert err == f"tplcrawl: {method} needs links between the pages; this input has none\n"


def test_a_directory_that_cannot_be_made_is_told(
    ten: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "out").write_text("a file")
    told(capsys, 1, ["cluster", str(ten), "-o", str(tmp_path / "out")])
    assert (tmp_path / "out").read_text() == "a file"


def test_the_same_input_gives_the_same_bytes_whatever_the_seed_of_hashes(
    archive: Path, tmp_path: Path, run_tplcrawl: Launcher, read_crawl: ReadCrawl
) -> None:
    found = []
    for seed in ("1", "2"):
        out = tmp_path / seed / "out"
        done = run_tplcrawl("cluster", str(archive), "-o", str(out), "--json",
                            env={"PYTHONHASHSEED": seed})  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        found.append((done.stdout, read_crawl(out).files(*OUTPUTS)))
    assert found[0] == found[1]
    assert len(found[0][1]) > 30


def test_several_jobs_give_the_same_files(
    archive: Path, result: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "SIZE", 50)
    for jobs in ("1", "2"):
        assert main(["cluster", str(archive), "-o", str(tmp_path / jobs), "--jobs", jobs]) == 0
    assert files(tmp_path / "1") == files(tmp_path / "2")
    told = [(folder / "templates.json").read_text() for folder in (tmp_path / "1", result)]
    assert len(json.loads(told[0])["templates"]) == len(json.loads(told[1])["templates"])


def test_an_interrupted_job_goes_on_and_another_one_clears_it_away(
    archive: Path, ten: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(parts, "SIZE", 50)
    out = tmp_path / "out"
    words = ["cluster", str(archive), "-o", str(out), "--method", "md5"]

    def interrupt(now: object) -> None:
        raise KeyboardInterrupt

    def left() -> list[Path]:
        return list(out.glob(".part-*"))

    with monkeypatch.context() as patch:
        patch.setattr(cluster, "_progress", interrupt)
        assert main(words) == 130
    assert len(left()) == 1
    with Store(left()[0], write=False) as store:
        assert 0 < len(store.pages) <= 50
    assert main(words) == 0
    assert not left()
    assert main([*words[:3], str(tmp_path / "fresh"), *words[4:]]) == 0
    for name in ("pages.jsonl", "templates.json", "report.html"):
        assert (out / name).read_bytes() == (tmp_path / "fresh" / name).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(cluster, "_progress", interrupt)
        assert main(words) == 130
    assert left()
    assert main(["cluster", str(ten), *words[2:]]) == 0
    assert not left()


def test_two_jobs_for_one_directory_are_told_apart(
    ten: Path, tmp_path: Path, capsys: Capture
) -> None:
    with aside(tmp_path / "out", "other"):
        err = told(capsys, 1, ["cluster", str(ten), "-o", str(tmp_path / "out")])
    assert "another process" in err
