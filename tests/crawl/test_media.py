from __future__ import annotations

from pathlib import Path

import pytest

from tplcrawl.crawl.media import SKIPPED, TRIALS, MediaHabits, extension_of
from tplcrawl.planning.picker import LATER
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, Place, QueuedUrl, State


def queued(name: str, location: int | None = 1) -> QueuedUrl:
    return QueuedUrl(1, f"http://a.test/{name}", 1, Place(location, "1.1"), 0)


@pytest.mark.parametrize(
    ("url", "extension"),
    [
        ("http://a.test/x.pdf", "pdf"),
        ("http://a.test/x.tar.GZ", "gz"),
        ("http://a.test/wiki/File:Photo.jpg?page=2", "jpg"),
        ("http://a.test/x.html", None),
        ("http://a.test/pdf", None),
        ("http://a.test/x.pdf/", None),
        ("http://a.test/v1.2/page", None),
        ("http://a.test/page?file=x.pdf", None),
        ("http://pdf.zip/", None),
        ("http://a.test/.png", "png"),
    ],
)
def test_an_extension_is_that_of_the_last_part_of_the_path(url: str, extension: str | None) -> None:
    assert extension_of(url) == extension


def fetch(habits: MediaHabits, *urls: QueuedUrl, html: bool = False) -> None:
    for url in urls:
        habits.tried(url)
        habits.note(url, html=html)


def test_links_of_a_kind_are_tried_before_they_are_left_out(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        habits = MediaHabits(store)
        for number in range(TRIALS):
            assert habits.skip(queued(f"{number}.pdf")) is None
            fetch(habits, queued(f"{number}.pdf"))
        assert habits.skip(queued("9.pdf")) == SKIPPED
        assert habits.skip(queued("9.png")) is None, "another kind"
        assert habits.skip(queued("9.pdf", location=2)) is None, "another location"
        assert habits.skip(queued("9.pdf", location=None)) is None, "a start page"
        assert habits.skip(queued("9.html")) is None


def test_nothing_is_judged_while_trials_are_under_way(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        habits = MediaHabits(store)
        trials = [queued(f"{number}.pdf") for number in range(TRIALS)]
        for trial in trials:
            assert habits.skip(trial) is None
            habits.tried(trial)
        for trial in trials:
            assert habits.skip(queued("9.pdf")) == LATER
            assert habits.skip(queued("9.png")) is None
            habits.note(trial, html=False)
        assert habits.skip(queued("9.pdf")) == SKIPPED


def test_one_page_among_them_keeps_all_of_them(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        habits = MediaHabits(store)
        for number in range(10):
            fetch(habits, queued(f"{number}.jpg"), html=number == 1)
        assert habits.skip(queued("11.jpg")) is None


@pytest.mark.parametrize(
    ("state", "reason"), [(State.FAILED, "not html"), (State.FAILED, "http 404")]
)
def test_what_an_earlier_run_has_learnt_is_still_known(
    tmp_path: Path, state: State, reason: str
) -> None:
    """A crawl that goes on must try what it would have tried without the pause."""
    with Store(tmp_path) as store:
        place = Place(store.locations.ids(["/html/body/a"])[0], "1.1.1")
        urls = [f"http://a.test/{n}.zip" for n in range(TRIALS)]
        before = MediaHabits(store)
        for id_ in store.urls.discover([Discovery(url, 1, place) for url in urls]):
            store.urls.settle(id_, state, reason=reason, status=200)
            fetch(before, store.urls.get(id_))
        another = QueuedUrl(9, "http://a.test/9.zip", 1, place, 0)
        assert before.skip(another) == SKIPPED
        assert MediaHabits(store).skip(another) == SKIPPED
