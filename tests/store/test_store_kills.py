from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tplcrawl.errors import StoreError
from tplcrawl.store.store import Store
from tplcrawl.store.urls import State

CRAWL = """
import os, shutil, signal, sys
from pathlib import Path
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.records import Assignment
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery

PAGES, BATCH = int(sys.argv[2]), int(sys.argv[3])
cleaner = Cleaner(Site(["http://a.com/"]))


def links_of(n):
    return sorted({(2 * n + 1) % PAGES, (2 * n + 2) % PAGES, (n * n + 3) % PAGES})


def crawl(folder, kill_at=0, tell=False):
    "Crawl to the end, or to death just before call number kill_at of the database."
    calls = 0

    def count(frame, event, function):
        nonlocal calls
        if event == "c_call" and function.__name__ in ("execute", "executemany", "executescript"):
            calls += 1
            if calls == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    if kill_at:
        sys.setprofile(count)
    store = Store(folder)
    store.claim("a.com")
    store.urls.discover([Discovery("http://a.com/0", 0)])
    store.commit()
    done = len(store.pages)
    while queued := store.urls.waiting(0, 1):
        id_, url, depth = queued[0].id, queued[0].url, queued[0].depth
        n = int(url.rpartition("/")[2])
        html = "".join(f"<p><a href=/{k}>{k}</a></p>" for k in links_of(n)).encode()
        store.add_page(
            id_,
            depth=depth,
            status=200,
            profile=profile_of(url, html, cleaner),
            features=b"",
            assignment=Assignment(None, 0.0, "none"),
            items=[Item("A", str(n)) for _ in range(n % 4)],
            body=(html, "ascii"),
        )
        done += 1
        if done % BATCH == 0:
            store.commit()
        if tell:
            os.write(1, b".")
    sys.setprofile(None)
    store.close()


def apart(*arguments):
    "Call crawl in a process of its own; return what it died of."
    pid = os.fork()
    if not pid:
        crawl(*arguments)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


root = Path(sys.argv[1])
if len(sys.argv) == 4:
    crawl(root, tell=True)
else:
    for kill_at in range(1, int(sys.argv[4])):
        killed = root / str(kill_at)
        assert apart(killed, kill_at) == -signal.SIGKILL
        if kill_at % 3 == 0:
            shutil.copytree(killed, root / f"{kill_at}-resumed")
            assert apart(root / f"{kill_at}-resumed") == 0
"""


def start(*arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", CRAWL, *map(str, arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)


def finish(*arguments: object) -> None:
    with start(*arguments) as process:
        process.communicate()
    assert process.returncode == 0


def everything(store: Store) -> list[object]:
    """What a crawl knows, in the order in which it learnt it."""
    return [
        list(store.urls.all()),
        list(store.pages.rows()),
        [
            (docid, seen.targets.tolist(), seen.locations.tolist(), seen.positions)
            for docid, seen in store.pages.sightings()
        ],
        list(store.pages.items()),
        [store.pages.body(docid) for docid in store.pages.docids()],
        store.urls.counts(),
        store.site,
    ]


def check_whole(store: Store) -> int:
    """Every page is there with all that belongs to it, or not at all; returns how many are."""
    names = dict(store.urls.all())
    pages = store.pages.docids()
    linked = {"http://a.com/0"} if names else set()
    for docid, seen in store.pages.sightings():
        body = store.pages.body(docid)
        assert body is not None
        targets = [names[id_] for id_ in seen.targets.tolist()]
        assert body[0].count(b"<a ") == len(targets)
        assert all(f"<a href=/{url[13:]}>".encode() in body[0] for url in targets)
        linked.update(targets)
        assert store.pages.item_count(docid) == int(names[docid][13:]) % 4
    assert set(names.values()) == linked
    assert [id_ for id_ in names if store.urls.state(id_) is State.FETCHED] == pages
    assert store.pages.bodies() == pages
    assert len(list(store.pages.rows())) == len(pages)
    assert store.pages.item_count() == sum(int(names[docid][13:]) % 4 for docid in pages)
    return len(pages)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], list[object]]:
    """What a crawl of so many pages ends with."""

    def crawl(pages: int) -> list[object]:
        folder = tmp_path_factory.mktemp("undisturbed")
        finish(folder, pages, 1)
        with Store(folder, write=False) as store:
            assert check_whole(store) == pages
            return everything(store)

    return crawl


def test_death_before_any_write_leaves_whole_pages_and_a_crawl_that_can_go_on(
    tmp_path: Path, undisturbed: Callable[[int], list[object]]
) -> None:
    """One process for each place between two writes, over the first pages and two commits."""
    finish(tmp_path, 12, 3, 90)
    expected = undisturbed(12)
    counts = set()
    for kill_at in range(1, 90):
        try:
            with Store(tmp_path / str(kill_at), write=False) as store:
                counts.add(check_whole(store))
        except StoreError:
            assert not counts, "there were tables already"
        if kill_at % 3 == 0:
            with Store(tmp_path / f"{kill_at}-resumed", write=False) as store:
                assert everything(store) == expected
    assert {0, 3} <= counts <= {0, 3, 6, 9}


def test_death_at_any_moment_again_and_again_ends_with_the_same_set(
    tmp_path: Path, undisturbed: Callable[[int], list[object]]
) -> None:
    for pages in (1, 40, 90, 7):
        with start(tmp_path, 400, 5) as process:
            assert process.stdout is not None
            assert process.stdout.read(pages) == b"." * pages
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        with Store(tmp_path, write=False) as store:
            assert check_whole(store) < 400
    finish(tmp_path, 400, 5)
    with Store(tmp_path, write=False) as store:
        assert everything(store) == undisturbed(400)
