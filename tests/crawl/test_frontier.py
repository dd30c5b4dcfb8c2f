from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tplcrawl.crawl.failures import IGNORED, OFFSITE, ROBOTS
from tplcrawl.crawl.frontier import TRIES, Frontier
from tplcrawl.page.site import Site
from tplcrawl.planning.queue import WINDOW
from tplcrawl.store.redirects import sources
from tplcrawl.store.store import Store, fetch_all
from tplcrawl.store.urls import DENIED, Discovery, Place, QueuedUrl, State

HOME = "http://a.test/"


def no_private(url: str, depth: int) -> str | None:
    return DENIED if "private" in url else None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "crawl") as made:
        yield made


def frontier_of(store: Store, max_pages: int | None = None) -> Frontier:
    frontier = Frontier(store, Site([HOME]), fetch_all, max_pages)
    frontier.seed([HOME])
    return frontier


def discover(store: Store, *names: str, depth: int = 1) -> list[int]:
    place = Place(store.locations.ids(["/html/body/a"])[0], "1.1.1", 1)
    found = [Discovery(f"{HOME}{name}", depth, place) for name in names]
    return store.urls.discover(found)


def take(frontier: Frontier, most: int = 1000) -> list[QueuedUrl]:
    taken: list[QueuedUrl] = []
    while len(taken) < most and (queued := frontier.next()):
        taken.append(queued)
    return taken


def write(frontier: Frontier, store: Store, id_: int) -> None:
    """What the session does when a page has come."""
    store.urls.settle(id_, State.FETCHED, status=200)
    frontier.written(id_)


def test_urls_come_in_the_order_of_discovery_and_each_once(store: Store) -> None:
    frontier = frontier_of(store)
    ids = [1, *discover(store, *(f"p{n}" for n in range(200)))]
    taken = []
    while queued := frontier.next():
        taken.append(queued.id)
        write(frontier, store, queued.id)
    assert taken == ids
    assert not frontier.more


def test_no_more_are_under_way_than_the_window(store: Store) -> None:
    frontier = frontier_of(store)
    discover(store, *(f"p{n}" for n in range(2 * WINDOW)))
    assert len(take(frontier)) == WINDOW == frontier.under_way
    write(frontier, store, 1)
    assert len(take(frontier)) == 1


def test_the_most_pages_count_what_is_under_way_and_what_failed_makes_room(store: Store) -> None:
    frontier = frontier_of(store, max_pages=3)
    discover(store, "a", "b", "c", "d")
    assert [queued.id for queued in take(frontier)] == [1, 2, 3]
    assert frontier.full
    assert not frontier.more
    frontier.failed(1, "http 404", 404)
    assert [queued.id for queued in take(frontier)] == [4]
    for id_ in (2, 3, 4):
        write(frontier, store, id_)
    assert frontier.next() is None
    assert frontier.pages == 3
    assert store.urls.queued == 1


def test_a_failure_counts_once_and_only_for_what_is_under_way(store: Store) -> None:
    frontier = frontier_of(store)
    frontier.next()
    (other,) = discover(store, "other")
    frontier.failed(other, "http 404", 404)
    assert store.urls.state(other) is State.QUEUED
    frontier.failed(1, "http 500", 500)
    frontier.failed(1, "timeout")
    assert store.urls.reasons() == {"http 500": 1}


def test_a_failure_is_noted_when_it_is_its_turn_and_what_it_was_at_first(store: Store) -> None:
    """What is picked next would depend on how fast it came."""
    frontier = frontier_of(store)
    discover(store, "a", "b", "c")
    take(frontier)
    frontier.failed(3, "timeout")
    frontier.failed(2, "http 404", 404)
    frontier.failed(2, "not html", 404)
    assert not store.urls.reasons()
    write(frontier, store, 1)
    assert store.urls.reasons() == {"http 404": 1, "timeout": 1}
    assert frontier.under_way == 1


@pytest.mark.parametrize("reason", [ROBOTS, IGNORED])
def test_what_somebody_forbids_was_skipped_not_failed(store: Store, reason: str) -> None:
    frontier = frontier_of(store)
    frontier.next()
    frontier.failed(1, reason)
    assert store.urls.state(1) is State.SKIPPED


def test_a_redirect_leads_to_a_url_of_its_own_in_the_same_place(store: Store) -> None:
    frontier = frontier_of(store)
    (old,) = discover(store, "old", depth=4)
    take(frontier)
    write(frontier, store, 1)
    frontier.redirected(old, f"{HOME}new#top", 301)
    new = frontier.next()
    assert new is not None
    assert (new.url, new.depth) == (f"{HOME}new", 4)
    assert new.place == store.urls.get(old).place
    assert store.urls.state(old) is State.REDIRECTED
    assert sources(store.database) == {new.id: f"{HOME}old"}


def test_a_redirect_to_a_known_page_fetches_nothing(store: Store) -> None:
    frontier = frontier_of(store)
    (old,) = discover(store, "old")
    take(frontier)
    write(frontier, store, 1)
    frontier.redirected(old, HOME, 302)
    assert frontier.next() is None
    assert frontier.under_way == 0


def test_a_redirect_out_of_the_site_is_not_followed(store: Store) -> None:
    frontier = frontier_of(store)
    (old,) = discover(store, "old")
    take(frontier)
    frontier.redirected(old, "http://elsewhere.test/", 302)
    assert store.urls.reasons() == {OFFSITE: 1}
    assert frontier.next() is None


def test_a_start_page_may_lead_to_the_real_host(store: Store) -> None:
    frontier = frontier_of(store)
    frontier.next()
    frontier.redirected(1, "http://real.test/home", 301)
    queued = frontier.next()
    assert queued is not None
    assert queued.url == "http://real.test/home"


def test_what_leads_back_to_itself_is_fetched_a_few_times_more(store: Store) -> None:
    """A cookie may have been set; but not for ever."""
    frontier = frontier_of(store)
    fetched = 0
    while (queued := frontier.next()) is not None:
        fetched += 1
        assert fetched <= TRIES + 1
        frontier.redirected(queued.id, HOME, 302)
    assert fetched > 1
    assert frontier.under_way == 0
    assert not frontier.more


def test_a_denied_redirect_target_is_skipped(store: Store) -> None:
    frontier = Frontier(store, Site([HOME]), no_private)
    frontier.seed([HOME])
    (old,) = discover(store, "old")
    take(frontier)
    write(frontier, store, 1)
    frontier.redirected(old, f"{HOME}private", 302)
    assert frontier.next() is None
    assert store.urls.reasons() == {DENIED: 1}


def test_a_later_run_tries_again_what_may_pass_and_what_is_allowed_now(store: Store) -> None:
    frontier = Frontier(store, Site([HOME]), no_private)
    frontier.seed([HOME])
    names = ("slow", "busy", "gone", "private", "fine")
    slow, busy, gone, private, fine = discover(store, *names)
    take(frontier)
    frontier.failed(1, "timeout")
    frontier.failed(slow, "timeout")
    frontier.failed(busy, "http 503", 503)
    frontier.failed(gone, "http 404", 404)
    write(frontier, store, fine)
    again = frontier_of(store)
    assert [queued.id for queued in take(again)] == [1, slow, busy, private]
    assert store.urls.state(gone) is State.FAILED


def test_queued_urls_that_a_later_run_denies_are_skipped(store: Store) -> None:
    frontier_of(store)
    (private,) = discover(store, "private")
    again = Frontier(store, Site([HOME]), no_private)
    again.seed([HOME])
    assert [queued.id for queued in take(again)] == [1]
    assert store.urls.reasons() == {DENIED: 1}
    assert store.urls.state(private) is State.SKIPPED


def test_a_start_page_is_fetched_even_where_it_would_be_denied(store: Store) -> None:
    frontier = Frontier(store, Site([HOME]), no_private)
    frontier.seed([f"{HOME}private/start"])
    assert [queued.url for queued in take(frontier)] == [f"{HOME}private/start"]


def test_pages_of_earlier_runs_count_among_the_most(store: Store, tmp_path: Path) -> None:
    frontier = frontier_of(store, max_pages=2)
    discover(store, "a", "b")
    frontier.pages = 1
    assert len(take(frontier)) == 1


def test_who_vanished_does_not_wait_for_its_turn(store: Store) -> None:
    frontier = frontier_of(store)
    discover(store, "a", "b")
    take(frontier)
    passed: list[int] = []
    frontier.turn(3).addCallback(lambda _: passed.append(3))
    assert frontier.vanished() == [1, 2]
    for id_ in frontier.vanished():
        frontier.failed(id_, "lost")
    assert passed == [3]
