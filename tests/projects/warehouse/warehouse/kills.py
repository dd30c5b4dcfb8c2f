from __future__ import annotations

import os
import signal
from functools import wraps
from importlib import import_module
from typing import Any

from scrapy.crawler import Crawler


class Kill:
    """Kills the process before or after the n-th call of a function, as in
    ``KILL_AT=tplcrawl.recording:Recording.write:before:25``."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Kill:
        module, name, when, number = crawler.settings["KILL_AT"].split(":")
        owner: Any = import_module(module)
        *path, last = name.split(".")
        for part in path:
            owner = getattr(owner, part)
        setattr(owner, last, deadly(getattr(owner, last), when, int(number)))
        return cls()


def deadly(function: Any, when: str, number: int) -> Any:
    calls = 0

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if when == "before" and calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        found = function(*args, **kwargs)
        if when == "after" and calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    return call
