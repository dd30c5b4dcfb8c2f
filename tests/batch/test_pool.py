from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from tplcrawl.batch.pool import AHEAD, in_order

WHILE = 0.01
"""Seconds that a task takes: others get something to do meanwhile."""


def number_and_process(task: int) -> tuple[int, int]:
    time.sleep(WHILE)
    if task == 5:
        raise ValueError("five")
    return task, os.getpid()


def taken(tasks: range, jobs: int) -> Iterator[tuple[int, int]]:
    return in_order(number_and_process, tasks, jobs)


@pytest.mark.parametrize("jobs", [2, 3])
def test_outcomes_come_in_order_and_this_process_works_too(jobs: int) -> None:
    """Catches outcomes in the order in which they are made, and a process that only waits while
    others start."""
    found = list(taken(range(10, 40), jobs))
    assert [number for number, _ in found] == list(range(10, 40))
    processes = {process for _, process in found}
    assert os.getpid() in processes
    assert 1 < len(processes) <= jobs


def threads_asked_for(task: int) -> tuple[bool, str | None]:
    time.sleep(WHILE)
    return os.getpid() == task, os.environ.get("OPENBLAS_NUM_THREADS")


def test_other_processes_make_no_threads_and_nobody_else_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Catches threads that wait in a loop in every process, and a setting that stays."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    found = set(in_order(threads_asked_for, [os.getpid()] * 10, 2))
    assert found == {(True, None), (False, "1")}
    assert "OPENBLAS_NUM_THREADS" not in os.environ


def test_an_error_is_told_when_its_task_comes_whoever_did_it() -> None:
    """Catches an error that is told before the outcomes of the tasks that stand before it."""
    found = taken(range(10), 2)
    assert [next(found)[0] for _ in range(5)] == list(range(5))
    with pytest.raises(ValueError, match="five"):
        next(found)


def test_no_more_is_begun_than_may_wait() -> None:
    """Catches tasks that are all taken up at once, whose outcomes then wait on disk."""
    asked: list[int] = []

    def tasks() -> Iterator[int]:
        for task in range(10, 60):
            asked.append(task)
            yield task

    found = in_order(number_and_process, tasks(), 2)
    next(found)
    assert len(asked) <= 2 * AHEAD
    found.close()  # type: ignore[attr-defined]
