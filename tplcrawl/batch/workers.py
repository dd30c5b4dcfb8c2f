"""Parts of an input profiled by several processes, each part into a store of its own.

A worker is told where pages are and leaves a store on disk; nothing of a page goes through a pipe.
The stores are absorbed in the order of the parts, so the outcome is the same for any number of
workers, and at most :data:`AHEAD` of them for each worker wait on disk. What is there of a run that
was killed is not done again.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.ingest import DOUBLE, site_name, take_in
from tplcrawl.batch.parts import Part, Survey
from tplcrawl.errors import WorkerDied
from tplcrawl.page.site import Site
from tplcrawl.store.database import FILE
from tplcrawl.store.merging import absorb, place_anew
from tplcrawl.store.store import Store

AHEAD = 4

_LOSSES = "losses.json"
_ABSORBED = "absorbed"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    pages: int
    parts: int
    """That are done, of all."""
    all_parts: int
    rate: float
    """Pages a second, in this run."""
    seconds: float
    """That remain, by that rate."""


def profile_parts(
    folder: Path,
    found: Survey,
    jobs: int,
    *,
    save_html: bool,
    progress: Callable[[Progress], None] = lambda now: None,
) -> Losses:
    """Let *folder* hold a store of all pages of *found*; return what could not be used."""
    scratch = folder / "parts"
    with Store(folder) as store:
        losses = Losses()
        losses.counts.update(dict(store.meta(_LOSSES, {})))  # type: ignore[call-overload]
        first = int(str(store.meta(_ABSORBED, 0)))
        scratch.mkdir(exist_ok=True)
        works = [(scratch / str(n), part) for n, part in enumerate(found.parts)][first:]
        clock = _Clock(len(store.pages), first, len(found.parts))
        with _pool(jobs, found.origins) as submit:
            made_parts = _in_order(works, submit, jobs, save_html=save_html)
            for done, (made, told) in enumerate(made_parts, first + 1):
                losses.counts.update(told)
                pages = _absorbed(store, made, losses)
                store.set_meta(_ABSORBED, done)
                store.set_meta(_LOSSES, losses.counts)
                store.commit()
                shutil.rmtree(made)
                progress(clock.now(pages, done))
        store.claim(site_name(found.site))
        place_anew(store)
        # A run that was killed later may have begun to give them.
        store.forget_templates()
    shutil.rmtree(scratch)
    losses.counts.update(found.losses.counts)
    return losses


def _absorbed(store: Store, made: Path, losses: Losses) -> int:
    """Take the pages of one part in; return how many there were."""
    if not (made / FILE).is_file():
        return 0
    with Store(made, write=False) as part:
        doubled = absorb(store, part)
        if doubled:
            losses.counts[DOUBLE] += doubled
        return len(part.pages) - doubled


class _Clock:
    """Knows how fast a run is."""

    def __init__(self, pages: int, first: int, parts: int) -> None:
        self._began = time.monotonic()
        self._pages = self._before = pages
        self._first, self._parts = first, parts

    def now(self, pages: int, done: int) -> Progress:
        """How far it is, after *pages* more."""
        self._pages += pages
        spent = max(time.monotonic() - self._began, 1e-3)
        left = spent / (done - self._first) * (self._parts - done)
        rate = (self._pages - self._before) / spent
        return Progress(self._pages, done, self._parts, rate, left)


Made = tuple[Path, dict[str, int]]
Submit = Callable[..., "Future[Made]"]


def _in_order(
    works: list[tuple[Path, Part]], submit: Submit, jobs: int, *, save_html: bool
) -> Iterator[Made]:
    pending: deque[Future[Made]] = deque()
    for made, part in works:
        pending.append(submit(made, part, save_html))
        if len(pending) >= jobs * AHEAD:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


@contextmanager
def _pool(jobs: int, origins: Sequence[str]) -> Iterator[Submit]:
    if jobs == 1:
        _begin(origins)
        yield _at_once
        return
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(origins,)
    )
    try:
        yield lambda *work: pool.submit(_profile, *work)
    except BrokenProcessPool:
        raise WorkerDied("a worker died: the same command goes on from here") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _at_once(made: Path, part: Part, save_html: bool) -> Future[Made]:
    future: Future[Made] = Future()
    future.set_result(_profile(made, part, save_html))
    return future


_origins: Sequence[str] = ()
"""Of the site that this process works on."""


def _begin(origins: Sequence[str]) -> None:
    global _origins
    _origins = origins
    parent = parent_process()
    if parent is not None:
        # Ctrl-C reaches every process of a terminal; the parent is the one that answers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    """Do not outlive a parent that was killed: it could not say so."""
    parent.join()
    os._exit(1)


def _profile(made: Path, part: Part, save_html: bool) -> Made:
    """Leave in *made* a store of the pages of *part*; where it is there already, it is whole."""
    if not made.is_dir():
        aside = made.with_suffix(".part")
        shutil.rmtree(aside, ignore_errors=True)
        losses = Losses()
        with Store(aside) as store:
            take_in(store, part.documents(losses), losses, Site(_origins), save_html=save_html)
        aside.mkdir(exist_ok=True)
        (aside / _LOSSES).write_text(json.dumps(losses.counts), encoding="utf-8")
        aside.replace(made)
    told: dict[str, int] = json.loads((made / _LOSSES).read_text(encoding="utf-8"))
    return made, told
