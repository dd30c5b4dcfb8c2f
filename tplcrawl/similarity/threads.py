"""Threads of the libraries that multiply matrices.

By default these take every core. With the matrices of a round, some hundred rows and columns, their
threads wait for each other in loops: twice the CPU time, for no less by the clock, and other
processes have work for the other cores.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[object]:
    """While this is open, matrices are multiplied by the thread that wants it."""
    limits: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limits


@cache
def _libraries() -> ThreadpoolController:
    """Those that are loaded when this is asked for the first time; to look for them takes 1 ms."""
    return ThreadpoolController()
