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
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from tplcrawl import garbage
from tplcrawl.errors import WorkerDied

AHEAD = 4

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

Errand = tuple[Any, Future[Any]]
"""A task, and what is to become of it."""
Todo = SimpleQueue[Errand | None]
"""The tasks that nobody has begun."""


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
    pool = _pool(work, jobs - 1)
    todo: Todo = SimpleQueue()
    begun = 0
    pending: deque[Future[Outcome]] = deque()
    try:
        for task in tasks:
            pending.append(Future())
            errand = task, pending[-1]
            if begun < jobs - 1:
                begun += 1
                with _one_thread_each():
                    pool.submit(os.getpid)  # a process starts
                threading.Thread(target=_hand_on, args=(pool, todo, errand), daemon=True).start()
            else:
                todo.put(errand)
            if len(pending) >= jobs * AHEAD:
                yield _first(pending, todo, work)
        while pending:
            yield _first(pending, todo, work)
    except BrokenProcessPool:
        raise _died() from None
    finally:
        while _next(todo) is not None:
            pass
        for _ in range(begun):
            todo.put(None)
        pool.shutdown(cancel_futures=True)


def alone(work: Callable[[Task], Outcome], task: Task) -> Outcome:
    """What *work* makes of *task* in a process of its own, which may die of it."""
    with _one_thread_each(), _pool(work, 1) as pool:
        try:
            outcome: Outcome = pool.submit(_do, task).result()
        except BrokenProcessPool:
            raise _died() from None
    return outcome


def _pool(work: Callable[[Any], Any], processes: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(work,)
    )


def _died() -> WorkerDied:
    return WorkerDied("a worker died: the same command goes on from here")


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


def _hand_on(pool: ProcessPoolExecutor, todo: Todo, first: Errand) -> None:
    """Give a process of *pool* a *first* task, and another one whenever it has none: one that
    waited there for its turn could be done by nobody else."""

    def do(task: Any) -> Any:
        return pool.submit(_do, task).result()

    errand: Errand | None = first
    while errand is not None:
        _fulfil(do, *errand)
        errand = todo.get()


def _first(pending: deque[Future[Outcome]], todo: Todo, work: Callable[[Task], Outcome]) -> Outcome:
    """Take the first outcome of those that are *pending*; do others here until it is there."""
    while not pending[0].done() and (errand := _next(todo)) is not None:
        _fulfil(work, *errand)
    return pending.popleft().result()


def _next(todo: Todo) -> Errand | None:
    """A task that nobody has begun, if there is one."""
    try:
        return todo.get_nowait()
    except Empty:
        return None


def _fulfil(work: Callable[[Any], Any], task: Any, outcome: Future[Any]) -> None:
    """Note what *work* makes of a task, or the error that it raises, to be told when it is its
    turn."""
    try:
        outcome.set_result(work(task))
    except Exception as error:
        outcome.set_exception(error)


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
