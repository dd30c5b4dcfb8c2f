"""``tplcrawl merge``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.ingest import ingest
from tplcrawl.clustering.methods import make_method
from tplcrawl.commands import main
from tplcrawl.evaluation.crawls import score_crawl
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.recording import Recording
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import ReadCrawl

Capture = pytest.CaptureFixture[str]

SITE = SampleSite(Sizes(categories=2, products=30, posts=20, threads=15, boards=2, users=10))
PATHS = list(SITE.pages)


def crawled(folder: Path, paths: list[str], host: str = "a.com") -> Path:
    documents = [
        Document(f"http://{host}{path}", (SITE.html(path) or "").encode(), "utf-8")
        for path in paths
    ]
    with Store(folder) as store:
        ingest(store, documents, Losses(), save_html=True)
    Recording(folder, None, make_method("hybrid")).close()
    return folder


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two crawls of one site that share a few pages; not to be changed."""
    folder = tmp_path_factory.mktemp("workers")
    return [crawled(folder / "1", PATHS[::2]), crawled(folder / "2", PATHS[1::2] + PATHS[:8:2])]


def words(workers: list[Path], out: Path, *more: str) -> list[str]:
    return ["merge", *map(str, workers), "-o", str(out), *more]


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_one_crawl_is_made_of_several(
    workers: list[Path], tmp_path: Path, read_crawl: ReadCrawl, capsys: Capture
) -> None:
    before = [files(folder) for folder in workers]
    out = tmp_path / "out"
    assert main(words(workers, out)) == 0
    told = capsys.readouterr()
    assert told.err == "tplcrawl: left out 4: in several of the crawls\n"
    assert f"{len(PATHS)} pages, " in told.out
    found = read_crawl(out)
    assert sorted(found.targets) == sorted(PATHS)
    assert len(found.items) == len(PATHS)
    assert not {f"http://a.com{path}" for path in PATHS} & {
        line["url"] for line in found.lines("skipped.jsonl")
    }
    assert found.json("templates.json")["site"] == "a.com"
    assert [files(folder) for folder in workers] == before


def test_its_templates_are_those_that_one_worker_would_have_found(
    workers: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert main(words(workers, out)) == 0
    assert main(["cluster", str(crawled(tmp_path / "one", PATHS)), "-o", str(tmp_path / "o")]) == 0
    merged, one = (score_crawl(folder, SITE.truth()) for folder in (out, tmp_path / "o"))
    assert (merged.pages, merged.assigned) == (one.pages, one.assigned)
    assert merged.f1 >= one.f1 - 0.02


def test_the_same_crawls_give_the_same_bytes(workers: list[Path], tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main(words(workers, tmp_path / name)) == 0
    assert files(tmp_path / "a") == files(tmp_path / "b")
    # An earlier result is replaced.
    assert main(words(workers, tmp_path / "a")) == 0
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_the_method_is_that_of_the_first_crawl_or_another(
    workers: list[Path], tmp_path: Path, read_crawl: ReadCrawl, capsys: Capture
) -> None:
    for more, name in ([(), "hybrid"], [("--method", "md5"), "md5"]):
        assert main(words(workers, tmp_path / name, *more, "--json")) == 0
        assert read_crawl(tmp_path / name).json("templates.json")["method"] == name


def test_crawls_of_several_sites_become_one(
    workers: list[Path], tmp_path: Path, read_crawl: ReadCrawl
) -> None:
    other = crawled(tmp_path / "other", PATHS[:20], "b.com")
    assert main(words([workers[0], other], tmp_path / "out")) == 0
    found = read_crawl(tmp_path / "out")
    assert found.json("templates.json")["site"] == "a.com, b.com"
    assert len(found.pages) == len(PATHS[::2]) + 20


@pytest.mark.parametrize(
    ("kind", "code"),
    [("one", 2), ("twice", 2), ("into itself", 2), ("nothing", 1), ("over a crawl", 1),
     ("method", 2)],
)  # fmt: skip
def test_what_cannot_be_merged_is_told_and_nothing_is_made(
    workers: list[Path], tmp_path: Path, capsys: Capture, kind: str, code: int
) -> None:
    out = tmp_path / "out"
    mine = crawled(tmp_path / "mine", PATHS[:3])
    asked = {
        "one": words(workers[:1], out),
        "twice": words([workers[0], workers[0] / ".." / "1"], out),
        "into itself": words([mine, *workers], mine),
        "nothing": words([*workers, tmp_path / "none"], out),
        "over a crawl": words(workers, mine),
        "method": words(workers, out, "--method", "magic"),
    }[kind]
    before = files(tmp_path)
    capsys.readouterr()
    assert main(asked) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(r"tplcrawl: [^\n]+\n", told.err)
    assert files(tmp_path) == before
    assert not out.exists()
