import sqlite3
from pathlib import Path

import pytest

from tplcrawl.store.salvage import Wreck

SIZE = 1024
COLUMNS = ["id", "text"]


def made(path: Path, count: int) -> bytes:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA page_size = {SIZE}")
    db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    rows = [(3 * n, f"row {n} " * 8) for n in range(1, count + 1)]
    db.executemany("INSERT INTO t VALUES (?, ?)", rows)
    db.commit()
    db.close()
    return path.read_bytes()


def readable(path: Path, count: int) -> list[int]:
    """The rows that can be read by themselves."""
    db = sqlite3.connect(path)
    found = []
    for n in range(1, count + 1):
        try:
            found += [row[0] for row in db.execute("SELECT id, text FROM t WHERE id = ?", [3 * n])]
        except sqlite3.DatabaseError:
            continue
    db.close()
    return found


@pytest.mark.parametrize("count", [24, 31, 150])
def test_all_rows_around_a_page_that_cannot_be_read_are_found(tmp_path: Path, count: int) -> None:
    """Also the last few behind a long gap."""
    content = made(tmp_path / "sound", count)
    pages = len(content) // SIZE
    assert pages >= 4
    for page in range(2, pages):
        path = tmp_path / f"{page}"
        path.write_bytes(content[: page * SIZE] + bytes(SIZE) + content[(page + 1) * SIZE :])
        wreck = Wreck(path)
        found = [row[0] for row in wreck.rows("t", COLUMNS, ["id"])]
        wreck.close()
        assert found == readable(path, count)
