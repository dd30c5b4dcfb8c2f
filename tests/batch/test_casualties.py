from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.batch import parts
from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.parts import Survey, survey
from tplcrawl.batch.workers import PARTS, profile_parts
from tplcrawl.errors import WorkerDied
from tplcrawl.page.limits import DEADLY
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State

if TYPE_CHECKING:
    from tests.batch.conftest import Archive

MakeArchive = Callable[..., "Archive"]
MakePage = Callable[..., bytes]

FAULTY = """
import os, signal, sys
from pathlib import Path
from tplcrawl.batch import parts
from tplcrawl.batch.parts import survey
from tplcrawl.batch.workers import profile_parts
from tplcrawl.errors import WorkerDied
from tplcrawl.page import profile

parse = profile.parse
archive, folder, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

def faulty(body, encoding, **options):
    deaths = archive.with_suffix(".deaths")
    died = len(deaths.read_text()) if deaths.exists() else 0
    if b"a fault" in body or (b"an accident" in body and died < 2):
        deaths.write_text("x" * (died + 1))
        os.kill(os.getpid(), signal.SIGSEGV)
    return parse(body, encoding, **options)

profile.parse = faulty
if __name__ == "__main__":
    parts.SIZE = 4
    try:
        profile_parts(folder, survey([archive]), jobs, save_html=True)
    except WorkerDied:
        sys.exit(1)
"""


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "SIZE", 4)


@pytest.fixture
def archived(
    archive: MakeArchive, page: MakePage, tmp_path: Path
) -> Callable[[dict[int, str]], Path]:
    """Fourteen pages that link to each other, some with a text of their own."""

    def make(texts: dict[int, str]) -> Path:
        made = archive(tmp_path / "a.warc.gz")
        for n in range(14):
            links = [f"/{(n * 5) % 14}", f"/{n + 1}", "/gone"]
            made.add(f"http://a.com/{n}", page(*links, text=texts.get(n, "text")), None)
        return made.write()

    return make


def run(tmp_path: Path, warc: Path, jobs: int) -> tuple[Path, int]:
    """The same command until it comes to its end; how often it died before."""
    script, folder = tmp_path / "faulty.py", tmp_path / str(jobs)
    script.write_text(FAULTY)
    folder.mkdir()
    for died in range(5):
        code = subprocess.run(
            [sys.executable, script, warc, folder, str(jobs)], stderr=subprocess.DEVNULL
        ).returncode
        if not code:
            return folder, died
        assert code in (1, -signal.SIGSEGV)
    raise AssertionError("it dies for ever")


def dumped(folder: Path) -> list[str]:
    with Store(folder, write=False) as store:
        return list(store.database._db.iterdump())


def test_pages_that_kill_their_reader_are_left_out_and_told_of(
    archived: Callable[[dict[int, str]], Path], tmp_path: Path
) -> None:
    """Catches a run that dies of the same page for ever, in whichever process; one that dies of the
    next page of a part; and a result that depends on who died."""
    warc = archived({5: "a fault", 6: "a fault", 12: "a fault"})
    results = []
    for jobs in (1, 2):
        folder, died = run(tmp_path, warc, jobs)
        assert died == 2 if jobs == 1 else died <= 2  # once for each part
        results.append(dumped(folder))
        with Store(folder, write=False) as store:
            assert len(store.pages) == 11
            assert store.lost == {DEADLY: 3}
            absent = {url: (reason, state) for url, *_, reason, state in store.urls.unfetched()}
        for n in (5, 6, 12):
            assert absent.pop(f"http://a.com/{n}") == (DEADLY, State.FAILED)
        assert set(absent.values()) == {(None, State.QUEUED)}
    assert results[0] == results[1]


def test_another_process_may_die_of_a_page_and_the_run_goes_on(
    archived: Callable[[dict[int, str]], Path], tmp_path: Path
) -> None:
    """Catches a run that ends where only another process is gone: that has the first part."""
    folder, died = run(tmp_path, archived({2: "a fault"}), 2)
    assert died == 0
    with Store(folder, write=False) as store:
        assert (len(store.pages), store.lost) == (13, {DEADLY: 1})


def test_a_page_at_which_somebody_killed_its_reader_stays(
    archived: Callable[[dict[int, str]], Path], tmp_path: Path
) -> None:
    """Catches calling a page deadly because a process happened to end there."""
    folder, died = run(tmp_path, archived({5: "an accident"}), 1)
    assert died == 1
    with Store(folder, write=False) as store:
        assert (len(store.pages), store.lost) == (14, {})


def test_what_was_begun_is_read_with_care_and_gives_the_same(
    archived: Callable[[dict[int, str]], Path], tmp_path: Path
) -> None:
    """Catches pages that are lost, doubled or in another order where a run was killed by its user,
    for each of whose parts that were begun another way is taken."""
    found = survey([archived({})])
    begun, fresh = tmp_path / "begun", tmp_path / "fresh"
    for folder in (begun, fresh):
        folder.mkdir()
    for number in (0, 2):
        Path(begun, PARTS, f"{number}.part").mkdir(parents=True)
    losses = [profile_parts(folder, found, 1, save_html=True) for folder in (begun, fresh)]
    assert losses[0].counts == losses[1].counts
    assert dumped(begun) == dumped(fresh)
    assert sorted(path.name for path in begun.iterdir()) == sorted(
        path.name for path in fresh.iterdir()
    )


@dataclass(frozen=True)
class Deadly:
    """Pages whose reading ends the process before it has any, or at the second one."""

    first: bool

    def documents(self, losses: Losses) -> Iterator[Document]:
        if not self.first:
            yield Document("http://a.com/", b"<p>text", "utf-8")
        os._exit(3)


@pytest.mark.parametrize("first", [True, False])
def test_it_ends_where_it_is_no_page_that_kills(tmp_path: Path, first: bool) -> None:
    """Catches processes that are started for ever where to leave a page out is of no use."""
    found = Survey([Deadly(first)], ["http://a.com/"], "key", Losses())
    Path(tmp_path, PARTS, "0.part").mkdir(parents=True)
    with pytest.raises(WorkerDied, match="goes on"):
        profile_parts(tmp_path, found, 1, save_html=True)
