from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.batch import skim as skimming
from tplcrawl.batch.documents import Losses
from tplcrawl.batch.progress import Progress
from tplcrawl.batch.skim import Batch, Skimmed, plan_of, skim
from tplcrawl.batch.skimmed import SkimmedStore
from tplcrawl.batch.spans import cut_warc
from tplcrawl.batch.warc import read_warc
from tplcrawl.clustering.lzw import LZW
from tplcrawl.errors import InputError
from tplcrawl.fingerprints.lzw import fingerprint
from tplcrawl.store.keys import url_key
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.batch.conftest import Archive

MakeArchive = Callable[..., "Archive"]
MakePage = Callable[..., bytes]
Facts = tuple[list[str], list[int], list[bytes], dict[str, int]]


def facts(found: Skimmed) -> Facts:
    return found.urls, found.statuses, found.fingerprints, dict(found.losses.counts)


def made(folder: Path, *inputs: Path, jobs: int = 1) -> Facts:
    return facts(skim(folder, plan_of(inputs), jobs))


@pytest.fixture(params=[True, False], ids=["compressed", "plain"])
def warc(
    request: pytest.FixtureRequest, archive: MakeArchive, page: MakePage, tmp_path: Path
) -> Path:
    """Sixty pages, some requests, a URL that comes again, and one that is none."""
    made = archive(tmp_path / "a.warc", gzip=request.param)
    for n in range(60):
        made.add(f"http://a.com/{n}", page(*["/x"] * (n % 7), text=os.urandom(20).hex()))
        if n % 5 == 0:
            made.add(f"http://a.com/{n}", b"GET", {}, kind="request")
    made.add("http://a.com/3", page())
    made.add("http://[bad/", page())
    return made.write()


@pytest.mark.parametrize("size", [1, 50, 900, 10**9])
def test_spans_of_any_size_hold_every_page_once(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """A record that is longer than several spans is in one of them."""
    monkeypatch.setattr(skimming, "SPAN", size)
    losses = Losses()
    documents = list(read_warc(warc, losses))
    urls, statuses, fingerprints, counts = made(tmp_path / "parts", warc)
    assert urls == [one.url for one in documents][:60]
    assert fingerprints == [fingerprint(one.body) for one in documents][:60]
    assert statuses == [200] * 60
    assert counts == {"URL seen before": 1, "no http URL": 1}


def test_the_beginning_of_a_page_is_enough_only_where_it_leaves_no_doubt(
    archive: MakeArchive, tmp_path: Path
) -> None:
    """Its tags come late, a quote is closed late, or it is packed: then more of it is read."""
    made = archive(tmp_path / "a.warc.gz")
    tags = b"".join(b"<t%d>" % n for n in range(30))
    pages = [
        b"<html><script>" + b"x" * 20_000 + b"</script>" + tags,
        b"<html><p title='" + tags + b"x" * 20_000 + b"'>" + tags[::-1] + tags,
        b"<html>" + tags + b"x" * 20_000,
        b"<html><p>short</p>",
        b"<html><style>" + b"x" * 40_000 + b"</style>" + tags + b"x" * 40_000,
        b"<html><style>" + b"x" * 70_000 + b"</style>" + tags,
    ]
    html = {"Content-Type": "text/html"}
    for n, body in enumerate(pages):
        made.add(f"http://a.com/{n}", body, html)
        made.add(f"http://a.com/z{n}", gzip.compress(body), {**html, "Content-Encoding": "gzip"})
    warc = made.write()
    losses = Losses()
    wanted = [fingerprint(one.body) for one in read_warc(warc, losses)]
    _, _, fingerprints, counts = facts(skim(tmp_path / "parts", plan_of([warc]), 1))
    assert wanted == fingerprints == [fingerprint(body) for body in pages for _ in range(2)]
    assert not counts


@pytest.mark.parametrize("late", [20_000, 70_000])
@pytest.mark.parametrize("told", [True, False], ids=["told", "not told"])
def test_a_page_that_is_not_whole_is_counted_wherever_its_tags_stand(
    archive: MakeArchive, tmp_path: Path, late: int, told: bool
) -> None:
    """Catches a record that counts as whole because enough of it was seen."""
    tags = b"".join(b"<t%d>" % n for n in range(30))
    made = archive(tmp_path / "a.warc", gzip=False)
    made.add(
        "http://a.com/", b"<html><style>" + b"x" * late + b"</style>" + tags + b"x" * 90_000,
        warc={"WARC-Truncated": "length"} if told else {},
    )  # fmt: skip
    content = made.content if told else made.content[:-1000]
    warc = tmp_path / "a.warc.gz"
    warc.write_bytes(gzip.compress(content))
    losses = Losses()
    wanted = [fingerprint(one.body) for one in read_warc(warc, losses)]
    _, _, fingerprints, counts = facts(skim(tmp_path / "parts", plan_of([warc]), 1))
    assert fingerprints == wanted
    assert counts == losses.counts
    assert counts["truncated record"] == 1


def test_any_number_of_workers_finds_the_same(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skimming, "SPAN", 700)
    assert made(tmp_path / "one", warc) == made(tmp_path / "two", warc, jobs=2)


def test_an_archive_inside_an_archive_is_not_read(
    archive: MakeArchive, page: MakePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bytes stand there as they are: gzip stores what it cannot make smaller."""
    inner = archive(tmp_path / "inner.warc.gz")
    for n in range(20):
        inner.add(f"http://inner.com/{n}", page(text=os.urandom(99).hex()))
    outer = archive(tmp_path / "outer.warc.gz")
    outer.add("http://a.com/1", page())
    outer.add("http://a.com/inner.warc.gz", inner.content, {"Content-Type": "application/gzip"})
    outer.add("http://a.com/2", page())
    content = outer.content
    at, end = outer.ends[0], outer.ends[1]
    stored = gzip.compress(gzip.decompress(content[at:end]), 0)
    assert inner.content[:40] in stored
    outer.path.write_bytes(content[:at] + stored + content[end:])
    monkeypatch.setattr(skimming, "SPAN", 300)
    assert made(tmp_path / "parts", outer.path)[0] == ["http://a.com/1", "http://a.com/2"]


def test_an_archive_that_is_compressed_as_a_whole_is_one_part(
    archive: MakeArchive, page: MakePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = archive(tmp_path / "a.warc.gz", gzip=False)
    for n in range(30):
        plain.add(f"http://a.com/{n}", page(text=os.urandom(200).hex()))
    plain.path.write_bytes(gzip.compress(plain.content))
    monkeypatch.setattr(skimming, "SPAN", 1000)
    assert len(list(cut_warc(plain.path, 1000))) > 3
    urls = made(tmp_path / "parts", plain.path)[0]
    assert urls == [f"http://a.com/{n}" for n in range(30)]


@pytest.mark.parametrize("size", [400, 10**9])
def test_an_archive_that_broke_off_says_so(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(skimming, "SPAN", size)
    content = warc.read_bytes()
    warc.write_bytes(content[: len(content) // 2])
    losses = Losses()
    wanted = [one.url for one in read_warc(warc, losses)]
    urls, _, _, counts = made(tmp_path / "parts", warc)
    assert (urls, counts) == (wanted, losses.counts)
    assert counts.values()


def test_what_is_no_archive_is_told(tmp_path: Path) -> None:
    file = tmp_path / "not.warc"
    file.write_bytes(b"this is a text\n" * 100)
    with pytest.raises(InputError, match=r"not\.warc"):
        made(tmp_path / "parts", file)
    with pytest.raises(InputError, match=r"none\.warc"):
        made(tmp_path / "parts", tmp_path / "none.warc")


def test_parts_that_were_read_are_not_read_again(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skimming, "SPAN", 700)
    whole = made(tmp_path / "whole", warc)
    plan = plan_of([warc])

    class Stop(BaseException):
        pass

    def stop(now: Progress) -> None:
        if now.parts == 3:
            raise Stop

    read: list[object] = []
    real = skimming._skim_part

    def counted(task: object) -> object:
        if not task[0].exists():  # type: ignore[index]
            read.append(task)
        return real(task)  # type: ignore[arg-type]

    parts = tmp_path / "parts"
    if len(plan.parts) > 1:
        with pytest.raises(Stop):
            skim(parts, plan, 1, stop)
    monkeypatch.setattr(skimming, "_skim_part", counted)
    assert facts(skim(parts, plan, 1)) == whole
    assert len(read) == (len(plan.parts) - 3 if len(plan.parts) > 1 else 1)


def test_pages_are_given_as_they_come_each_once(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skimming, "SPAN", 700)
    batches: list[Batch] = []
    for jobs in (1, 2):
        batches.clear()
        found = skim(tmp_path / str(jobs), plan_of([warc]), jobs, take=batches.append)
        assert [url for batch in batches for url in batch.urls] == found.urls
        assert [key for batch in batches for key in batch.keys] == list(map(url_key, found.urls))
        assert [one for batch in batches for one in batch.fingerprints] == found.fingerprints
        assert [one for batch in batches for one in batch.statuses] == found.statuses
    assert len(batches) == len(plan_of([warc]).parts)


def test_what_an_interrupted_run_has_written_is_not_taken_for_the_pages_of_this_one(
    warc: Path, tmp_path: Path
) -> None:
    plan = plan_of([warc])
    with SkimmedStore(tmp_path) as store:
        store.take(Batch(["http://old.com/"], [7], [200], [b"old"]))
    for _ in range(2):
        with SkimmedStore(tmp_path) as store:
            found = skim(tmp_path / "parts", plan, 1, take=store.take)
            templates = store.finish(found, LZW(), by_host=False)
    with Store(tmp_path, write=False) as whole:
        assert [url for _, url in whole.urls.all()] == found.urls
        assert len(whole.pages) == sum(one.pages for one in templates) == 60
        assert len(whole.pages.templates()) == whole.pages.assigned() == 60
        indices = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        assert ("assignment_template",) in list(whole.database.rows(indices))
