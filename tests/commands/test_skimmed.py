"""What other commands make of pages that were only skimmed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tplcrawl.batch.warc_records import response_record
from tplcrawl.commands import main
from tplcrawl.evaluation.sample.site import SampleSite, Sizes

Capture = pytest.CaptureFixture[str]

SITE = SampleSite(Sizes(categories=1, products=8, posts=8, threads=5, boards=1, users=4))
PRODUCT = next(path for path in SITE.pages if path.startswith("/product/"))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same pages skimmed, and with all that they show; not to be changed."""
    folder = tmp_path_factory.mktemp("results")
    html = [(b"Content-Type", b"text/html; charset=utf-8")]
    (folder / "a.warc.gz").write_bytes(
        b"".join(
            response_record(f"http://a.com{path}", 200, html, str(SITE.html(path)).encode())
            for path in SITE.pages
        )
    )
    archive = str(folder / "a.warc.gz")
    assert main(["cluster", archive, "-o", str(folder / "skimmed"), "--method", "lzw"]) == 0
    assert main(["cluster", archive, "-o", str(folder / "whole")]) == 0
    assert main(["wrap", str(folder / "whole")]) == 0
    (folder / "page.html").write_text(SITE.html(PRODUCT) or "")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "similar skimmed page.html", f"similar skimmed http://a.com{PRODUCT}", "wrap skimmed",
        "wrap skimmed --export web-poet", "extract skimmed", "extract skimmed page.html --json",
        "report skimmed", "report skimmed --json", "diff skimmed whole",
        "diff whole skimmed --fail-on any", "model skimmed -o model.json",
        "merge skimmed whole -o merged", "merge whole skimmed -o merged", "check whole skimmed",
        "cluster skimmed -o again", "cluster skimmed -o again --method lzw",
    ],
)  # fmt: skip
def test_what_needs_their_structure_says_so_and_how_to_keep_it(
    results: Path,
    tmp_path: Path,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    """Catches answers that take pages without structure for pages that are all alike: every cosine
    1, every template changed, a report whose map judges nothing."""
    shutil.copytree(results, tmp_path, dirs_exist_ok=True)
    before = sorted((path, path.stat().st_size) for path in tmp_path.rglob("*"))
    capsys.readouterr()
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 1
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        "tplcrawl: the pages in skimmed were only skimmed, nothing of their structure is known:"
        " tplcrawl cluster with --save-html all keeps it\n",
    )
    assert sorted((path, path.stat().st_size) for path in tmp_path.rglob("*")) == before


def test_pages_are_classified_by_how_they_begin(results: Path, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["classify", str(results / "skimmed"), str(results / "page.html")]) == 0
    out, err = capsys.readouterr()
    assert "a fingerprint of its template" in out
    assert err == ""
