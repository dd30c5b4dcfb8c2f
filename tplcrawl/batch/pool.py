"""Work that several processes do, its outcomes in the order of the tasks.

At most :data:`AHEAD` tasks for each process are begun or wait to be taken when they are done, so
that what they leave on disk stays bounded.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from tplcrawl import garbage
from tplcrawl.errors import WorkerDied

AHEAD = 4

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


def in_order(
    work: Callable[[Task], Outcome], tasks: Iterable[Task], jobs: int
) -> Iterator[Outcome]:
    """What *work* makes of each of *tasks*, by *jobs* processes: this one, which does what no other
    has begun when it would have to wait, and others where there are several. Those are told of
    *work*, which can be pickled, once. To start one takes as long as to skim thousands of pages."""
    garbage.settle(often=False)
    if jobs == 1:
        yield from map(work, tasks)
        return
    pool = ProcessPoolExecutor(
        jobs - 1, mp_context=get_context("spawn"), initializer=_begin, initargs=(work,)
    )
    pending: deque[tuple[Task, Future[Outcome]]] = deque()
    try:
        for task in tasks:
            with _one_thread_each():
                pending.append((task, pool.submit(_do, task)))
            if len(pending) >= jobs * AHEAD:
                yield _first(pending, work)
        while pending:
            yield _first(pending, work)
    except BrokenProcessPool:
        raise WorkerDied("a worker died: the same command goes on from here") from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """What is started now makes no threads to multiply matrices by, which nobody does there: they
    wait in a loop, for half as much CPU time again as it takes to start."""
    name = "OPENBLAS_NUM_THREADS"
    if name in os.environ:
        yield
        return
    os.environ[name] = "1"
    try:
        yield
    finally:
        del os.environ[name]


def _first(
    pending: deque[tuple[Task, Future[Outcome]]], work: Callable[[Task], Outcome]
) -> Outcome:
    """Take the first outcome of those that are *pending*; do others here until it is there."""
    while not pending[0][1].done():
        places = (place for place, (_, outcome) in enumerate(pending) if outcome.cancel())
        place = next(places, None)
        if place is None:
            break
        task = pending[place][0]
        pending[place] = task, _done(work, task)
    return pending.popleft()[1].result()


def _done(work: Callable[[Task], Outcome], task: Task) -> Future[Outcome]:
    """What *work* makes of a task, or the error that it raises: to be told when it is its turn."""
    outcome: Future[Outcome] = Future()
    try:
        outcome.set_result(work(task))
    except Exception as error:
        outcome.set_exception(error)
    return outcome


_work: Callable[[Any], Any]
"""What this process is for."""


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work
    parent = parent_process()
    if parent is not None:
        garbage.settle(often=False)
        # Ctrl-C reaches every process of a terminal; the parent is the one that answers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _do(task: Any) -> Any:
    return _work(task)


def _follow(parent: BaseProcess) -> None:
    """Do not outlive a parent that was killed: it could not say so."""
    parent.join()
    os._exit(1)
