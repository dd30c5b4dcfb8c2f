"""The queue that workers share, on a real Redis, with workers that die at any moment."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis

from tplcrawl.errors import ForeignStore, UsageError
from tplcrawl.page.site import Site
from tplcrawl.sharing.hub import Hub
from tplcrawl.sharing.queue import LOST, LeasedQueue
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, Place, QueuedUrl, State

if TYPE_CHECKING:
    from tests.conftest import RedisServer

HOME = "http://a.test/"
PREFIX = "t:"


def links_of(url: str, size: int) -> list[str]:
    """What the pages of a made-up site link to: all of them can be reached, most in many ways."""
    number = int(url.removeprefix(HOME) or 0)
    targets = (2 * number + 1, 2 * number + 2, (7 * number + 3) % size)
    return [f"{HOME}{target}" for target in targets if 0 < target < size]


class Worker:
    """A worker that fetches nothing: the links of a page are known."""

    def __init__(self, folder: Path, redis: RedisServer, max_pages: int | None = None) -> None:
        self._folder = folder
        self._url = redis.url
        self._max_pages = max_pages
        self.come()

    def come(self) -> None:
        self.store = Store(self._folder)
        self.hub = Hub(self._url, PREFIX, self._folder.name, 60)
        self.now = 0.0
        site = Site([HOME])
        self.queue = LeasedQueue(
            self.store, site, self.hub, self._max_pages, 10, clock=lambda: self.now
        )
        self.under_way: list[QueuedUrl] = []
        self.store.urls.discover([Discovery(HOME, 0)])
        self.queue.open([], [])

    def ask(self) -> bool:
        url = self.queue.first()
        if url is not None:
            self.queue.pop()
            self.under_way.append(url)
        return url is not None

    def write(self, size: int, pick: int = 0) -> None:
        """Let one of those under way have come; not committed yet."""
        if self.under_way:
            url = self.under_way.pop(pick % len(self.under_way))
            self.store.urls.settle(url.id, State.FETCHED, status=200)
            place = Place(self.store.locations.ids(["/html/body/a"])[0], "1.1.1", url.id)
            found = [Discovery(to, url.depth + 1, place) for to in links_of(url.url, size)]
            self.store.urls.discover(found)

    def die(self) -> None:
        """What was not committed is lost, and nobody is told."""
        self.hub.stop()
        self.store.database.abandon()

    @property
    def fetched(self) -> list[str]:
        rows = self.store.database.rows("SELECT url FROM url WHERE state = 1 ORDER BY id")
        return [url for (url,) in rows]


@pytest.fixture
def workers(redis_server: RedisServer, tmp_path: Path) -> Iterator[list[Worker]]:
    made = [Worker(tmp_path / f"w{number}", redis_server) for number in range(3)]
    yield made
    for worker in made:
        worker.die()


def drain(workers: list[Worker], size: int) -> None:
    """Work to the end, taking turns."""
    while any(worker.queue.waiting or worker.under_way for worker in workers):
        for worker in workers:
            worker.now += 100
            worker.ask()
            worker.write(size)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_whatever_happens_and_without_deaths_nothing_comes_twice(
    workers: list[Worker], redis_server: RedisServer, seed: int
) -> None:
    dice, size, calm = random.Random(seed), 150, seed < 2
    client = redis_server.client()
    for _ in range(250):
        worker = dice.choice(workers)
        act = dice.random()
        worker.now += dice.random()
        if act < 0.5:
            worker.ask()
        elif act < 0.9 or calm:
            worker.write(size, dice.randrange(9))
        elif act < 0.96:
            worker.die()
            worker.come()
        elif act < 0.98:
            # Its leases end although it lives: it was stopped for too long.
            client.zadd(f"{PREFIX}workers", {worker._folder.name: 1})
        else:
            client.flushall()
    drain(workers, size)
    fetched = [url for worker in workers for url in worker.fetched]
    assert set(fetched) == {HOME, *(f"{HOME}{number}" for number in range(1, size))}
    if calm:
        assert len(fetched) == len(set(fetched))
        assert client.hlen(f"{PREFIX}open") == client.zcard(f"{PREFIX}queue") == 0
        assert int(client.get(f"{PREFIX}pages") or 0) == size


def test_the_leases_of_one_that_never_comes_back_go_to_the_others(
    workers: list[Worker], redis_server: RedisServer
) -> None:
    dead, *others = workers
    assert dead.ask()
    dead.hub.stop()
    assert not others[0].ask()
    assert others[0].queue.waiting
    redis_server.client().zadd(f"{PREFIX}workers", {"w0": 1})
    drain(others, 20)
    assert len({url for worker in others for url in worker.fetched}) == 20


def test_the_most_pages_are_met_exactly(redis_server: RedisServer, tmp_path: Path) -> None:
    workers = [Worker(tmp_path / f"w{number}", redis_server, 10) for number in range(3)]
    drain(workers, 100)
    assert sum(len(worker.fetched) for worker in workers) == 10
    assert {worker.queue.stopped for worker in workers} == {"max-pages"}
    for worker in workers:
        worker.die()


def test_what_led_to_another_url_elsewhere_is_asked_for_again_here(workers: list[Worker]) -> None:
    """A site may set a cookie on the way from one to the other and back."""
    one, two, _ = workers
    one.ask()
    one.store.urls.settle(1, State.REDIRECTED, target=1)
    assert not one.ask()
    home = two.store.urls.known([HOME])[HOME]
    assert two.queue.led_on(home)
    assert not one.ask()
    assert one.queue.waiting
    two.store.urls.settle(home, State.FETCHED, status=200)
    drain(workers, 1)
    assert two.queue.pages == 1


def test_what_waits_is_looked_at_by_turns_and_had_when_it_is_needed(
    workers: list[Worker], redis_server: RedisServer
) -> None:
    one, two, _ = workers
    place = Place(one.store.locations.ids(["/html/body/a"])[0], "1.1.1", 1)
    one.store.urls.discover([Discovery(f"{HOME}{n}", 1, place) for n in range(1, 150)])
    seen = [[url.url for url in worker.queue.drain("budget")] for worker in (one, two)]
    # Some more are leased already.
    assert [len(urls) for urls in seen] == [100, 46]
    assert len({*seen[0], *seen[1]}) == 146
    assert two.queue.claim(two.store.urls.get(two.store.urls.last))
    assert not two.queue.claim(two.store.urls.get(1))


def test_what_is_held_is_for_others_when_its_worker_leaves_early(workers: list[Worker]) -> None:
    one, two, _ = workers
    one.ask()
    one.store.held.add([(1, 7)], "budget")
    assert not one.ask()
    assert not two.ask()
    assert not two.queue.waiting
    assert one.queue.claim(one.store.urls.get(1))
    one.store.held.add([(1, 7)], "budget")
    one.ask()
    one.hub.leave(done=False)
    assert two.ask()


def test_nobody_ends_while_another_has_yet_to_find_out_what_is_needed(
    workers: list[Worker],
) -> None:
    one, two, _ = workers
    for url in one.queue.drain("budget"):
        one.queue.first()
        assert not two.ask()
        assert two.queue.waiting, url
    assert one.queue.claim(one.store.urls.get(1))
    assert not two.ask()
    assert two.queue.waiting


def test_one_that_has_left_asks_for_nothing_more(workers: list[Worker]) -> None:
    one, two, _ = workers
    list(one.queue.drain("budget"))
    one.queue.close(sound=True)
    place = Place(two.store.locations.ids(["/html/body/a"])[0], "1.1.1", 1)
    two.store.urls.discover([Discovery(f"{HOME}5", 1, place)])
    two.ask()
    two.hub.leave(done=False)
    assert list(one.queue.drain("budget")) == []
    assert one.queue.first() is None


def test_redis_is_given_up_after_a_while(workers: list[Worker], redis_server: RedisServer) -> None:
    worker = workers[0]
    redis_server.stop()
    for now in (0, 1, 5, 9):
        worker.now = now
        assert not worker.ask()
        assert worker.queue.waiting
    worker.now = 30
    assert not worker.ask()
    assert not worker.queue.waiting
    assert worker.queue.stopped == LOST
    assert "goes on" in str(worker.queue.failure)


@pytest.mark.parametrize(
    "key", ["queue", "open", "seen", "workers", "led", "told", "hosts", "pages", "number"]
)
def test_what_somebody_else_has_written_is_told_and_not_worked_with(
    workers: list[Worker], redis_server: RedisServer, key: str
) -> None:
    """Catches a traceback about an answer that is no answer."""
    worker = workers[0]
    worker.ask()
    worker.write(200)
    worker.store.commit()
    with redis.Redis.from_url(redis_server.url) as other:
        other.set(f"{PREFIX}{key}", "boo")
    for now in range(0, 100, 10):
        worker.now = now
        if not worker.ask():
            worker.write(200)
    assert not worker.fetched[20:]
    assert worker.queue.failure is None or "cannot use Redis" in str(worker.queue.failure)


def test_keys_of_another_site_are_not_touched(workers: list[Worker]) -> None:
    with pytest.raises(ForeignStore, match="TPLCRAWL_REDIS_KEY"):
        workers[0].hub.join("b.test", 0)


def test_no_url_of_redis_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="TPLCRAWL_REDIS_URL"):
        Hub("http://a.test", PREFIX, "w", 60)
