"""Work that several processes do, its outcomes in the order of the tasks.

At most :data:`AHEAD` outcomes for each process wait to be taken, so that what they leave on disk
stays bounded.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
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
    """What *work* makes of each of *tasks*: by this process, or by *jobs* others where there are
    several. Those are told of *work*, which can be pickled, once."""
    if jobs == 1:
        garbage.settle(often=False)
        yield from map(work, tasks)
        return
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(work,)
    )
    pending: deque[Future[Outcome]] = deque()
    try:
        for task in tasks:
            pending.append(pool.submit(_do, task))
            if len(pending) >= jobs * AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    except BrokenProcessPool:
        raise WorkerDied("a worker died: the same command goes on from here") from None
    finally:
        pool.shutdown(cancel_futures=True)


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
