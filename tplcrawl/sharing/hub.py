"""Redis, as far as a worker knows it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from tplcrawl.errors import ForeignStore, JobError, UsageError
from tplcrawl.sharing import scripts

if TYPE_CHECKING:
    from collections.abc import Callable

_TIMEOUT = 5.0
"""Seconds that Redis may take to answer."""
_CHUNK = 500
"""URLs that are told at once."""


_ENDED = "Redis has given this worker's leases to others"


class HubLost(JobError):
    """Redis cannot be reached, or refuses."""


class LeaseEnded(HubLost):
    """The leases were not renewed in time; a worker that joins again goes on."""


@dataclass(frozen=True, slots=True)
class News:
    """What became of a URL, or that there is one."""

    kind: str
    """``new``, ``again``, ``page``, ``led``, ``done`` or ``held``; see :mod:`.scripts`."""
    key: str | bytes
    task: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """What a worker is given, and how the crawl stands."""

    queued: int
    leased: int
    """By all workers, what is given now among them."""
    pages: int
    hosts: tuple[bytes, ...]
    given: tuple[tuple[bytes, bytes], ...]
    """Keys and tasks."""


class Hub:
    """The queue of a crawl that *worker* shares with others, below *prefix* in the Redis at *url*.

    Its leases last *lease* seconds and are renewed by a thread as long as the process lives: a
    round of clustering may take longer. Whatever goes wrong is :exc:`HubLost`; nothing is tried
    twice here, since what was sent may have happened.
    """

    def __init__(self, url: str, prefix: str, worker: str, lease: float) -> None:
        try:
            import redis
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        except ImportError:
            raise JobError('a shared crawl needs redis: pip install "tplcrawl[redis]"') from None
        try:
            self._redis = redis.Redis.from_url(
                url,
                socket_timeout=_TIMEOUT,
                socket_connect_timeout=_TIMEOUT,
                retry=Retry(NoBackoff(), 0),
            )
        except ValueError as error:
            raise UsageError(f"TPLCRAWL_REDIS_URL is no URL of Redis: {error}") from None
        self._errors = redis.RedisError
        self._prefix = prefix
        self._worker = worker
        self._lease = lease
        parts = urlsplit(url)
        self.name = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        """Where Redis is, without a password."""
        register: Callable[[str], Any] = self._redis.register_script
        self._join = register(scripts.JOIN)
        self._tell = register(scripts.TELL)
        self._take = register(scripts.TAKE)
        self._claim = register(scripts.CLAIM)
        self._leave = register(scripts.LEAVE)
        self._beat = register(scripts.BEAT)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise HubLost(f"cannot use Redis at {self.name}: {reason}") from error

    def _run(self, script: Any, *arguments: object) -> Any:
        with self._asking():
            return script(keys=[self._prefix], args=[self._worker, *arguments])

    def join(self, site: str, last: int, keys: Iterable[str] = ()) -> int:
        """Be a worker of the crawl of *site* that still has the leases *keys* and no others; *last*
        is the last id of its store. Return how far it has told what it has discovered."""
        answer = self._run(self._join, site, self._lease, last, *keys)
        if not isinstance(answer, int):
            other = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else "?"
            raise ForeignStore(
                f"the keys {self._prefix}… in Redis are of a crawl of {other!r}, not of {site!r}:"
                " name others with TPLCRAWL_REDIS_KEY"
            )
        if self._thread is None:
            self._thread = threading.Thread(target=self._keep_alive, daemon=True)
            self._thread.start()
        return answer

    def _keep_alive(self) -> None:
        while not self._stop.wait(self._lease / 4):
            # The crawl itself meets the same error, and knows what to do.
            with suppress(HubLost):
                self._run(self._beat, self._lease)

    def tell(self, news: list[News], since: int, until: int, counts: str = "") -> None:
        """Say what became of URLs. All ids of the store up to *since* were told before, and those
        up to *until* are told now."""
        for start in range(0, len(news) or 1, _CHUNK):
            words = [word for one in news[start : start + _CHUNK] for word in astuple(one)]
            reached = until if start + _CHUNK >= len(news) else since
            if not self._run(self._tell, since, reached, counts, *words):
                raise LeaseEnded(_ENDED)

    def take(self, most: int, max_pages: int | None) -> Share:
        """Lease up to *most* URLs."""
        answer = self._run(self._take, most, "" if max_pages is None else max_pages)
        if not answer:
            raise LeaseEnded(_ENDED)
        try:
            queued, leased, pages, hosts, given = answer
        except ValueError:
            # Lua ends a list at the first value that is none: somebody else wrote one.
            raise HubLost(
                f"cannot use Redis at {self.name}: {self._prefix}pages is no number"
            ) from None
        pairs = zip(given[::2], given[1::2], strict=True)
        return Share(queued, leased, pages, tuple(sorted(hosts)), tuple(pairs))

    def claim(self, key: str, task: str = "") -> bool:
        """Lease a certain URL; with its *task*, only one that had led to another one."""
        return bool(self._run(self._claim, key, task))

    def add_hosts(self, hosts: Iterable[str]) -> None:
        """Let *hosts* be part of the site for all workers."""
        with self._asking():
            self._redis.sadd(f"{self._prefix}hosts", *hosts)

    def counts(self) -> list[bytes]:
        """What the other workers have told of their pages."""
        with self._asking():
            found = cast("dict[bytes, bytes]", self._redis.hgetall(f"{self._prefix}counts"))
        found.pop(self._worker.encode(), None)
        return [*found.values()]

    def leave(self, *, done: bool) -> None:
        """Give back what is leased, and what is held too unless all is *done*."""
        try:
            self._run(self._leave, "1" if done else "")
        finally:
            self.stop()

    def stop(self) -> None:
        """Let the leases end by themselves, if they are not given back."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._redis.close()
