from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.batch import parts, workers
from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.parts import Survey, joined, survey
from tplcrawl.batch.progress import Progress
from tplcrawl.batch.warc import read_warc
from tplcrawl.batch.workers import profile_parts
from tplcrawl.errors import WorkerDied
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.batch.conftest import Archive

MakeArchive = Callable[..., "Archive"]
MakePage = Callable[..., bytes]

KILLED = """
import os, signal, sys
from pathlib import Path
from tplcrawl.batch import parts
from tplcrawl.batch.parts import survey
from tplcrawl.batch.workers import profile_parts

def die(now):
    if now.parts == 3:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    parts.SIZE = 4
    profile_parts(Path(sys.argv[2]), survey([Path(sys.argv[1])]), 2, save_html=True, progress=die)
"""


@pytest.fixture
def warc(archive: MakeArchive, page: MakePage, tmp_path: Path) -> Path:
    """Thirty pages of two hosts that link to each other, one of them twice."""
    made = archive(tmp_path / "a.warc.gz")
    for n in range(30):
        links = [f"/{(n * 7) % 30}", f"http://b.com/{(n + 1) % 30}", "/gone", f"/{n}"]
        made.add(f"http://{'ab'[n % 2]}.com/{n}", page(*links), None)
    made.add("http://a.com/0", page("/9", text="another time"), None)
    return made.write()


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "SIZE", 4)


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def done(folder: Path, found: Survey, jobs: int = 1) -> tuple[dict[str, bytes], Losses]:
    folder.mkdir(exist_ok=True)
    losses = profile_parts(folder, found, jobs, save_html=True)
    return files(folder), losses


def test_any_number_of_workers_leaves_the_same_bytes(warc: Path, tmp_path: Path) -> None:
    found = survey([warc])
    assert len(found.parts) == 8
    one, losses = done(tmp_path / "one", found)
    several, more = done(tmp_path / "several", found, 3)
    assert several == one
    assert losses.counts == more.counts == {"URL seen before": 1}
    with Store(tmp_path / "one", write=False) as store:
        assert len(store.pages) == 30


def test_links_between_hosts_count_wherever_they_stand(warc: Path, tmp_path: Path) -> None:
    """The first page links to a host whose first page comes later."""
    done(tmp_path / "out", survey([warc]))
    with Store(tmp_path / "out", write=False) as store:
        names = dict(store.urls.all())
        links = {names[docid]: {names[t] for t in s.targets.tolist()}
                 for docid, s in store.pages.sightings()}  # fmt: skip
        assert "http://b.com/1" in links["http://a.com/0"]
        assert store.pages.any_inbound()
        assert store.site == "a.com, b.com"


def test_the_parts_of_an_archive_are_all_of_it(warc: Path) -> None:
    losses = Losses()
    ranged = [one for part in survey([warc]).parts for one in part.documents(losses)]
    assert ranged == list(read_warc(warc, losses))
    assert not losses.counts


@pytest.mark.parametrize("kind", ["plain", "one member"])
def test_an_archive_is_read_whole_where_its_records_cannot_be_found(
    archive: MakeArchive, page: MakePage, tmp_path: Path, kind: str
) -> None:
    import gzip

    made = archive(tmp_path / ("a.warc" if kind == "plain" else "a.warc.gz"), gzip=False)
    for n in range(10):
        made.add(f"http://a.com/{n}", page(f"/{n}"), None)
    path = made.write(made.content if kind == "plain" else gzip.compress(made.content))
    found = survey([path])
    assert len(found.parts) == (3 if kind == "plain" else 1)
    documents = [one for part in found.parts for one in part.documents(Losses())]
    assert [one.url for one in documents] == [f"http://a.com/{n}" for n in range(10)]


def test_files_of_a_folder_are_spread_too(
    fill: Callable[[dict[str, bytes]], Path], page: MakePage, tmp_path: Path
) -> None:
    folder = fill({f"{n:02}.html": page(f"{(n + 1) % 9:02}.html") for n in range(9)})
    found = survey([folder])
    assert len(found.parts) == 3
    one, _ = done(tmp_path / "one", found)
    assert done(tmp_path / "two", found, 2)[0] == one


def tables(folder: Path) -> dict[str, list[object]]:
    """All rows of a store; SQLite counts in its file how often it was opened for writing."""
    names = ("url", "page", "location", "item", "assignment", "body", "meta")
    with Store(folder, write=False) as store:
        return {
            name: list(store.database.rows(f"SELECT * FROM {name} ORDER BY 1, 2")) for name in names
        }


class Stop(BaseException):
    """As a signal would."""


@pytest.mark.parametrize("after", [1, 5])
def test_what_was_done_is_not_done_again(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    found = survey([warc])
    whole, losses = done(tmp_path / "whole", found)

    def stop(now: Progress) -> None:
        if now.parts == after:
            raise Stop

    folder = tmp_path / "cut"
    folder.mkdir()
    with pytest.raises(Stop):
        profile_parts(folder, found, 1, save_html=True, progress=stop)
    profiled: list[object] = []
    real = workers.take_in

    def counted(*words: object, **named: object) -> None:
        profiled.append(words)
        real(*words, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "take_in", counted)
    again, more = done(folder, found)
    assert tables(folder) == tables(tmp_path / "whole")
    assert again.keys() == whole.keys()
    assert more.counts == losses.counts
    assert len(profiled) == len(found.parts) - after


def alive(group: int) -> Iterator[int]:
    """The processes of a group that are no zombies."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, of = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            except (OSError, ValueError):
                continue
            if int(of) == group and state != "Z":
                yield int(entry.name)


def test_a_run_that_was_killed_goes_on_and_its_workers_end(warc: Path, tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    folder = tmp_path / "out"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, script, warc, folder], start_new_session=True, stderr=subprocess.DEVNULL
    )
    try:
        assert process.wait(120) == -signal.SIGKILL
        until = time.monotonic() + 60
        while list(alive(process.pid)) and time.monotonic() < until:
            time.sleep(0.05)
        assert not list(alive(process.pid))
    finally:
        for left in alive(process.pid):
            os.kill(left, signal.SIGKILL)
    found = survey([warc])
    with Store(folder, write=False) as store:
        assert 0 < len(store.pages) < 30
    again, losses = done(folder, found, 2)
    whole, more = done(tmp_path / "whole", found)
    assert tables(folder) == tables(tmp_path / "whole")
    assert losses.counts == more.counts
    assert again.keys() == whole.keys()


@dataclass(frozen=True)
class Deadly:
    """Pages whose reading ends the process."""

    def documents(self, losses: Losses) -> Iterator[Document]:
        os._exit(3)


def test_a_worker_that_dies_is_told(tmp_path: Path) -> None:
    found = Survey([Deadly()], ["http://a.com/"], "key", Losses())
    with pytest.raises(WorkerDied, match="goes on"):
        profile_parts(tmp_path, found, 2, save_html=True)


def test_another_input_is_another_job(
    warc: Path, archive: MakeArchive, page: MakePage, tmp_path: Path
) -> None:
    key = survey([warc]).key
    assert survey([warc]).key == key
    other = archive(tmp_path / "b.warc.gz")
    other.add("http://a.com/", page(), None)
    assert survey([warc, other.write()]).key != key
    warc.write_bytes(warc.read_bytes() + other.content)
    assert survey([warc]).key != key


def test_surveys_of_each_input_make_the_survey_of_all(
    warc: Path, archive: MakeArchive, page: MakePage, tmp_path: Path
) -> None:
    other = archive(tmp_path / "b.warc.gz")
    for host in ("c", "a"):
        other.add(f"http://{host}.com/", page("http://b.com/1"), None)
    inputs = [warc, other.write(), warc]
    whole, one = survey(inputs), joined(survey([path]) for path in inputs)
    assert (one.parts, one.origins, one.losses) == (whole.parts, whole.origins, whole.losses)
    assert one.key != joined(survey([path]) for path in inputs[:2]).key


def test_progress_tells_pages_and_what_remains(warc: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    profile_parts(tmp_path, survey([warc]), 1, save_html=False, progress=told.append)
    assert [now.parts for now in told] == list(range(1, 9))
    assert {now.all_parts for now in told} == {8}
    assert told[-1].pages == 30
    assert told[-1].seconds == 0
    assert all(now.rate > 0 for now in told)
