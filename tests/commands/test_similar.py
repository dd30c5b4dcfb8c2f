"""``tplcrawl similar``."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.ingest import ingest
from tplcrawl.batch.likeness import branches_in, index_of
from tplcrawl.commands import main
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.similarity.branch_index import cosine
from tplcrawl.store.store import Store

Capture = pytest.CaptureFixture[str]

SITE = SampleSite(Sizes(categories=2, products=20, posts=15, threads=5, boards=1, users=5))
PATHS = list(SITE.pages)


def fill(folder: Path, paths: list[str]) -> None:
    """Let *folder* hold a crawl of these pages, besides what it holds."""
    documents = [
        Document(f"http://a.com{path}", (SITE.html(path) or "").encode(), "utf-8") for path in paths
    ]
    with Store(folder) as store:
        ingest(store, documents, Losses(), save_html=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl") / "sample"
    fill(folder, PATHS)
    return folder


@pytest.fixture
def crawl(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "crawl")
    return tmp_path / "crawl"


def rows(capsys: Capture, *words: object) -> list[dict[str, object]]:
    capsys.readouterr()
    assert main(["similar", *map(str, words), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


def ranked(folder: Path, docid: int) -> list[float]:
    """The cosines of all other pages, the largest first."""
    with Store(folder, write=False) as store:
        own = branches_in(store, docid)
        others = [one for one in store.pages.docids() if one != docid]
        return sorted((cosine(own, branches_in(store, one)) for one in others), reverse=True)


def test_the_nearest_of_all_pages_are_named_and_not_the_page_itself(
    crawl: Path, capsys: Capture
) -> None:
    path = next(path for path in PATHS if path.startswith("/product/"))
    found = rows(capsys, crawl, f"http://a.com{path}", "-k", 7)
    with Store(crawl, write=False) as store:
        docid = store.urls.known([f"http://a.com{path}"])[f"http://a.com{path}"]
    assert [row["cosine"] for row in found] == [round(one, 6) for one in ranked(crawl, docid)[:7]]
    assert docid not in {row["docid"] for row in found}
    assert all(set(row) == {"url", "docid", "template", "cosine"} for row in found)
    assert all("/product/" in str(row["url"]) for row in found)


def test_a_file_is_compared_with_every_page(crawl: Path, tmp_path: Path, capsys: Capture) -> None:
    path = next(path for path in PATHS if path.startswith("/product/"))
    (tmp_path / "saved.html").write_text(SITE.html(path) or "")
    found = rows(capsys, crawl, tmp_path / "saved.html", "-k", 1)
    assert found[0]["cosine"] == 1
    assert main(["similar", str(crawl), str(tmp_path / "saved.html")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert all(line.count("\t") == 2 for line in lines)


def test_pages_that_have_come_since_are_found_too(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "crawl"
    fill(folder, PATHS[:10])
    with Store(folder, write=False) as store:
        assert len(index_of(store)) == 10
    fill(folder, PATHS)
    read: list[int] = []
    with Store(folder, write=False) as store:
        index = index_of(store, lambda done, all_: read.append(all_))
        assert sorted(index.docids.tolist()) == store.pages.docids()
        # What was in it is not read again.
        assert set(read) == {len(PATHS) - 10}
        assert index_of(store, lambda done, all_: pytest.fail("read again")).docids.tolist()


def test_an_index_of_other_pages_is_not_used(tmp_path: Path, whole: Path) -> None:
    """Another crawl took the place of the one that it was made of."""
    fill(tmp_path / "other", PATHS[::-1])
    shutil.copytree(whole, tmp_path / "mixed")
    with Store(tmp_path / "other", write=False) as store:
        index_of(store)
    shutil.copytree(tmp_path / "other" / "index", tmp_path / "mixed" / "index")
    with Store(tmp_path / "mixed", write=False) as store:
        index = index_of(store)
        for row, docid in enumerate(index.docids.tolist()):
            assert index.branches(row).key == branches_in(store, docid).key


@pytest.mark.parametrize(
    ("words", "code"),
    [(["nothing.html"], 1), (["http://a.com/nothing"], 1), (["http://[bad/"], 1),
     (["nothing.html", "-k", "0"], 2)],
)  # fmt: skip
def test_what_cannot_be_done_is_told_in_one_line(
    crawl: Path, capsys: Capture, words: list[str], code: int
) -> None:
    assert main(["similar", str(crawl), *words]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


def test_a_page_like_no_other_is_told(crawl: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "odd.html").write_text("<frameset><frame><frame></frameset>")
    assert main(["similar", str(crawl), str(tmp_path / "odd.html"), "--json"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "no page of the crawl is like" in err


def test_clustering_anew_takes_the_old_index_away(
    tmp_path: Path, crawl: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    words = ["cluster", str(crawl), "-o", str(out), "--method", "md5"]
    for _ in range(2):
        assert main(words) == 0
        assert not (out / "index").exists()
        assert rows(capsys, out, f"http://a.com{PATHS[3]}")
        assert (out / "index").is_dir()


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2 - 1])


def _garbage(file: Path) -> None:
    file.write_bytes(b"\xa7" * file.stat().st_size)


PARTS = ["index.json", "docids", "hashes", "counts", "starts", "norms", "sketches", "marks", "rows"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "harm", [_cut, lambda file: file.write_bytes(b""), Path.unlink, _garbage],
    ids=["cut", "emptied", "taken away", "garbage"],
)  # fmt: skip
def test_a_damaged_index_is_told_or_not_used(
    crawl: Path, capsys: Capture, part: str, harm: Callable[[Path], object]
) -> None:
    """Catches tracebacks, and answers out of what is no index. One that is not known as such, or
    whose pages are others, is made anew."""
    asked = f"http://a.com{PATHS[3]}"
    wanted = rows(capsys, crawl, asked)
    harm(crawl / "index" / part)
    code = main(["similar", str(crawl), asked, "--json"])
    out, err = capsys.readouterr()
    if code == 0:
        assert harm is _garbage or part == "index.json"
        assert [json.loads(line) for line in out.splitlines()] == wanted
    else:
        told = f"tplcrawl: the index {crawl / 'index'} is damaged: delete it, and it is made anew"
        assert (code, out, err) == (1, "", told + "\n")
        shutil.rmtree(crawl / "index")
        assert rows(capsys, crawl, asked) == wanted
