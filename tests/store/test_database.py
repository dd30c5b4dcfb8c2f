from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tplcrawl.errors import ForeignStore, StoreError, StoreLocked, VersionMismatch
from tplcrawl.store.database import FILE, LOCK, Database
from tplcrawl.store.schema import APPLICATION_ID, VERSION


def contents(folder: Path) -> dict[str, bytes]:
    """Everything that is kept in *folder*: without the lock, and SQLite's scratch memory."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.name != LOCK and not path.name.endswith("-shm") and path.stat().st_size
    }


def fill(folder: Path) -> Path:
    """A database with a row."""
    database = Database(folder)
    database.write("INSERT INTO meta VALUES ('name', 'value')")
    database.close()
    return folder


def stamp(folder: Path, pragma: str) -> None:
    db = sqlite3.connect(folder / FILE)
    db.execute(f"PRAGMA {pragma}")
    db.close()


@pytest.fixture
def python() -> Callable[[str, Path], str]:
    """Runs code in a process of its own; gives its output."""

    def run(code: str, folder: Path) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        return done.stdout.strip()

    return run


OPEN = """
import sys
from pathlib import Path
from tplcrawl.store.database import Database
try:
    database = Database(Path(sys.argv[1]), write={write})
except Exception as error:
    sys.stdout.write(type(error).__name__)
else:
    sys.stdout.write(str(database.value("SELECT count(*) FROM meta")))
    database.close()
"""


def test_only_one_process_writes_and_others_may_read(
    tmp_path: Path, python: Callable[[str, Path], str]
) -> None:
    database = Database(tmp_path)
    database.write("INSERT INTO meta VALUES ('a', '1')")
    assert python(OPEN.format(write=True), tmp_path) == "StoreLocked"
    assert python(OPEN.format(write=False), tmp_path) == "0"
    database.commit()
    assert python(OPEN.format(write=False), tmp_path) == "1"
    assert python(OPEN.format(write=True), tmp_path) == "StoreLocked"
    database.close()
    assert python(OPEN.format(write=True), tmp_path) == "1"


def test_a_writer_that_is_refused_takes_nothing_away(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database.write("INSERT INTO meta VALUES ('a', '1')")
    for _ in range(2):
        with pytest.raises(StoreLocked):
            Database(tmp_path)
    database.close()
    with closing(Database(tmp_path, write=False)) as reader:
        assert reader.value("SELECT value FROM meta") == "1"


def test_an_error_while_opening_lets_go_of_the_lock(tmp_path: Path) -> None:
    fill(tmp_path)
    stamp(tmp_path, "user_version = 99")
    with pytest.raises(VersionMismatch):
        Database(tmp_path)
    stamp(tmp_path, f"user_version = {VERSION}")
    Database(tmp_path).close()


def make_foreign(folder: Path) -> None:
    db = sqlite3.connect(folder / FILE)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE meta (name, value)")
    db.close()


def make_other_application(folder: Path) -> None:
    stamp(fill(folder), f"application_id = {APPLICATION_ID + 1}")


def make_other_version(folder: Path) -> None:
    stamp(fill(folder), f"user_version = {VERSION + 1}")


def make_no_database(folder: Path) -> None:
    (folder / FILE).write_bytes(b"not a database\n" * 1000)


def make_torn(folder: Path) -> None:
    path = fill(folder) / FILE
    path.write_bytes(path.read_bytes()[:8192])


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize(
    ("make", "error"),
    [
        (make_foreign, ForeignStore),
        (make_other_application, ForeignStore),
        (make_other_version, VersionMismatch),
        (make_no_database, StoreError),
        (make_torn, StoreError),
    ],
)
def test_what_is_not_ours_is_refused_in_one_line_and_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], None], error: type[StoreError], write: bool
) -> None:
    make(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(error, match=FILE) as caught:
        Database(tmp_path, write=write)
    assert "\n" not in str(caught.value)
    assert contents(tmp_path) == before


def test_reading_needs_a_crawl_and_makes_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no crawl in"):
        Database(tmp_path / "none", write=False)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreError, match="cannot use the directory"):
            Database(folder)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["a b", "50%", "%41", "what?x=1", "c#d", "ü", "a&mode=memory"])
def test_a_folder_may_be_called_anything(tmp_path: Path, name: str) -> None:
    folder = fill(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    database = Database(folder, write=False)
    assert database.value("SELECT value FROM meta") == "value"
    database.close()


def test_a_relative_folder_is_meant_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(Path("here"))
    assert (tmp_path / "here" / FILE).is_file()


# Reading


def test_reading_changes_no_byte(tmp_path: Path) -> None:
    before = contents(fill(tmp_path))
    database = Database(tmp_path, write=False)
    assert not database.writes
    assert database.value("SELECT value FROM meta") == "value"
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        database.write("DELETE FROM meta")
    database.close()
    assert contents(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [LOCK, FILE]


KILLED = """
import os, signal, sys
from pathlib import Path
from tplcrawl.store.database import Database
database = Database(Path(sys.argv[1]))
database.write("INSERT INTO meta VALUES ('a', '1')")
database.commit()
database.write("INSERT INTO meta VALUES ('b', '2')")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_crawl_committed_can_be_read_and_changes_no_byte(tmp_path: Path) -> None:
    dead = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert dead.returncode == -9
    before = contents(tmp_path)
    for _ in range(2):
        database = Database(tmp_path, write=False)
        assert list(database.rows("SELECT * FROM meta")) == [("a", "1")]
        database.close()
    assert contents(tmp_path) == before
    database = Database(tmp_path)
    assert list(database.rows("SELECT * FROM meta")) == [("a", "1")]
    database.close()


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that other users can reach."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


AS_NOBODY = """
import os, sys
import urllib.parse  # what pathlib imports late may be out of the reach of nobody
from pathlib import Path
from tplcrawl.store.database import Database
if not os.geteuid():
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
folder = Path(sys.argv[1])
try:
    (folder / "x").touch()
except PermissionError:
    database = Database(folder, write=False)
    sys.stdout.write(database.value("SELECT value FROM meta"))
    database.close()
"""


def test_a_copy_that_nobody_may_write_to_can_be_read(
    tmp_path: Path, public: Path, python: Callable[[str, Path], str]
) -> None:
    before = (fill(tmp_path) / FILE).read_bytes()
    shutil.copy(tmp_path / FILE, public)
    public.chmod(0o555)
    assert python(AS_NOBODY, public) == "value"
    assert contents(public) == {FILE: before}


# Writing


def test_writes_are_seen_by_others_when_they_are_committed(tmp_path: Path) -> None:
    database = Database(tmp_path)
    other = Database(tmp_path, write=False)
    assert database.age == 0
    database.write_many("INSERT INTO meta VALUES (?, ?)", [("a", "1"), ("b", "2")])
    assert database.age > 0
    assert database.value("SELECT count(*) FROM meta") == 2
    assert other.value("SELECT count(*) FROM meta") == 0
    database.commit()
    assert database.age == 0
    assert other.value("SELECT count(*) FROM meta") == 2
    other.close()
    database.close()
    database.close()


def test_a_reader_that_holds_sees_one_moment_and_knows_who_writes(tmp_path: Path) -> None:
    """A report reads many times: a page that comes in between would be in one list only."""
    count = "SELECT count(*) FROM meta"
    database = Database(tmp_path)
    reader = Database(tmp_path, write=False)
    assert reader.busy
    reader.hold()
    assert reader.value(count) == 0
    database.write("INSERT INTO meta VALUES (?, ?)", ("a", "1"))
    database.commit()
    assert reader.value(count) == 0
    reader.close()
    database.close()
    reader = Database(tmp_path, write=False)
    assert reader.value(count) == 1
    assert not reader.busy
    reader.close()


def test_a_durable_database_waits_for_the_disk(tmp_path: Path) -> None:
    for durable, level in ((True, 2), (False, 1)):
        database = Database(tmp_path, durable=durable)
        assert database.value("PRAGMA synchronous") == level
        assert database.value("PRAGMA journal_mode") == "wal"
        database.close()


def test_a_copy_is_the_same(tmp_path: Path) -> None:
    source = Database(fill(tmp_path / "a"), write=False)
    copy = Database(tmp_path / "b")
    copy.write("INSERT INTO meta VALUES ('lost', '1')")
    copy.commit()
    source.copy_to(copy)
    source.close()
    copy.close()
    again = Database(tmp_path / "b")
    assert list(again.rows("SELECT * FROM meta")) == [("name", "value")]
    again.close()


# Discarding


def test_a_discarded_database_leaves_no_trace(tmp_path: Path) -> None:
    database = Database(tmp_path / "a" / "b" / "c")
    database.write("INSERT INTO meta VALUES ('a', '1')")
    database.discard()
    database.discard()
    assert list(tmp_path.iterdir()) == []


def test_discarding_takes_away_only_what_this_run_made(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    Database(tmp_path / "mine").discard()
    database = Database(tmp_path / "new" / "crawl")
    (tmp_path / "new" / "notes.txt").write_text("mine")
    database.discard()
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))
    assert left == ["mine", "new", "new/notes.txt"]


def test_nothing_is_written_after_sqlite_has_rolled_back(tmp_path: Path) -> None:
    """As it does by itself on a full disk: half of a page would last, and the other half not."""
    database = Database(tmp_path)
    database.write("INSERT INTO meta VALUES ('first', '1')")
    database._db.execute("ROLLBACK")
    with pytest.raises(sqlite3.OperationalError, match="rolled back"):
        database.write("INSERT INTO meta VALUES ('second', '2')")
    with pytest.raises(sqlite3.OperationalError, match="rolled back"):
        database.write_many("INSERT INTO meta VALUES (?, ?)", [("third", "3")])
    database.abandon()
    again = Database(tmp_path)
    assert list(again.rows("SELECT * FROM meta")) == []
    again.write("INSERT INTO meta VALUES ('fourth', '4')")
    again.close()
