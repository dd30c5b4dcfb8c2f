"""Damaged databases: what can be read is saved, and the crawl goes on to the same end."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.batch.repair import DAMAGED, Repair, repair
from tplcrawl.errors import StoreError, VersionMismatch
from tplcrawl.evaluation.corpus import ROOT
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.fingerprints.features import features_of
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.recollection import recalled
from tplcrawl.records import Assignment
from tplcrawl.store.database import FILE
from tplcrawl.store.salvage import Wreck
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery

SITE = SampleSite(Sizes(categories=2, products=40, posts=20, threads=20, boards=1, users=9, tags=3))
PAGE = 8192


def go_on(folder: Path) -> None:
    """Fetch whatever is queued, until nothing is."""
    cleaner = Cleaner(Site([ROOT]))
    with Store(folder) as store:
        store.claim("corpus.test")
        store.set_meta("method", "hybrid")
        store.set_meta("positional", False)
        if not len(store.pages):
            store.urls.discover([Discovery(ROOT + "/", 0)])
        while waiting := store.urls.waiting(0, 1):
            one = waiting[0]
            body = str(SITE.html(one.url.removeprefix(ROOT))).encode()
            profile = profile_of(one.url, body, cleaner)
            store.add_page(
                one.id,
                depth=one.depth,
                status=200,
                profile=profile,
                features=features_of(one.url, profile.outline, profile.lzw).encode(),
                assignment=Assignment(None, 0.0, "not yet"),
            )


def urls_of(folder: Path) -> set[str]:
    with Store(folder, write=False) as store:
        return {row.url for row in store.pages.rows()}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole crawl; not to be changed."""
    folder = tmp_path_factory.mktemp("sound")
    go_on(folder)
    assert len(urls_of(folder)) == len(SITE.pages)
    return folder


def damaged(sound: Path, folder: Path, seed: int, holes: int) -> Path:
    """A copy in which some pages of the file are overwritten, but the first."""
    shutil.copytree(sound, folder)
    chance = random.Random(seed)
    content = bytearray((folder / FILE).read_bytes())
    for _ in range(holes):
        at = chance.randrange(PAGE, len(content) - 200)
        content[at : at + chance.randrange(1, PAGE)] = chance.randbytes(chance.randrange(1, PAGE))
    (folder / FILE).write_bytes(content[: len(content) - len(content) % PAGE])
    return folder


def test_a_sound_database_is_left_as_it_is(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(sound, folder)
    before = (folder / FILE).read_bytes()
    assert repair(folder) == Repair((), len(SITE.pages), 0, len(SITE.pages))
    assert (folder / FILE).read_bytes() == before
    assert not (folder / DAMAGED).exists()


@pytest.mark.parametrize("seed", range(12))
def test_after_a_repair_the_crawl_goes_on_to_the_same_pages(
    sound: Path, tmp_path: Path, seed: int
) -> None:
    folder = damaged(sound, tmp_path / "copy", seed, holes=1 + seed % 4)
    wreck = Wreck(folder / FILE)
    problems = wreck.problems()
    wreck.close()
    broken = (folder / FILE).read_bytes()
    told, done = "", Repair(())
    try:
        done = repair(folder)
    except StoreError as error:
        told = str(error)
    if told:
        # All of the table of URLs may hang on one page of the file.
        assert "nothing can be read" in told
        assert (folder / FILE).read_bytes() == broken
        return
    assert bool(done.problems) == bool(problems)
    if done.problems:
        assert (folder / DAMAGED).read_bytes() == broken
    check = sqlite3.connect(folder / FILE)
    assert check.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    check.close()
    saved = urls_of(folder)
    assert saved <= urls_of(sound)
    go_on(folder)
    # What only lost pages linked to comes back with them.
    assert urls_of(folder) == urls_of(sound)
    with Store(folder, write=False) as store:
        assert len(recalled(store)) == len(SITE.pages)


def test_no_page_is_lost_but_those_that_cannot_be_read(sound: Path, tmp_path: Path) -> None:
    """One page of the file that holds rows of pages: nearly all others are saved."""
    folder = tmp_path / "copy"
    shutil.copytree(sound, folder)
    content = bytearray((folder / FILE).read_bytes())
    with Store(folder, write=False) as store:
        blob = store.database.value("SELECT sightings FROM page ORDER BY docid LIMIT 1 OFFSET 50")
    at = content.index(blob) // PAGE * PAGE
    content[at : at + PAGE] = bytes(PAGE)
    (folder / FILE).write_bytes(content)
    done = repair(folder)
    assert done.problems
    assert done.again >= 1
    assert len(SITE.pages) - 12 <= done.pages < len(SITE.pages)
    assert done.pages + done.again >= len(SITE.pages)


@pytest.mark.parametrize("column", ["outline", "features", "sightings"])
def test_a_page_that_cannot_be_read_is_asked_for_again(
    sound: Path, tmp_path: Path, column: str
) -> None:
    """Catches calling a file sound because SQLite does: what pages hold is compressed."""
    folder = tmp_path / "copy"
    shutil.copytree(sound, folder)
    with Store(folder) as store:
        store.database.write(f"UPDATE page SET {column} = x'789c0000' WHERE docid = 9")
    done = repair(folder)
    assert done == Repair(("page 9 cannot be read",), len(SITE.pages) - 1, 1, done.urls)
    assert repair(folder) == Repair((), len(SITE.pages) - 1, 0, done.urls)
    go_on(folder)
    assert urls_of(folder) == urls_of(sound)


def test_a_database_of_another_version_is_not_called_sound(sound: Path, tmp_path: Path) -> None:
    shutil.copytree(sound, tmp_path / "copy")
    with Store(tmp_path / "copy") as store:
        store.database.rows("PRAGMA user_version = 2")
    with pytest.raises(VersionMismatch):
        repair(tmp_path / "copy")


def test_what_is_no_database_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="nothing can be read"):
        repair(tmp_path)
    assert (tmp_path / FILE).read_bytes() == b"no database" * 1000
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    with pytest.raises(StoreError, match="no crawl in"):
        repair(tmp_path / "nowhere")


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(-5, 3000), max_size=40), st.booleans())
def test_a_sound_table_is_read_once_and_whole(
    tmp_path_factory: pytest.TempPathFactory, keys: set[int], pair: bool
) -> None:
    path = tmp_path_factory.mktemp("t") / "x.db"
    db = sqlite3.connect(path)
    key = ["a", "b"] if pair else ["a"]
    tail = f", PRIMARY KEY ({', '.join(key)})) {'WITHOUT ROWID' if pair else ''}"
    db.execute(f"CREATE TABLE t (a INTEGER, b TEXT{tail}")
    db.executemany("INSERT INTO t VALUES (?, ?)", [(n, "x") for n in sorted(keys)])
    db.commit()
    db.close()
    wreck = Wreck(path)
    assert list(wreck.rows("t", ["a", "b"], key)) == [(n, "x") for n in sorted(keys)]
    assert wreck.problems() == []
    wreck.close()
