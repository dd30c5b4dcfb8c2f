"""The collector of cyclic garbage, told what need not be looked at again.

A page makes thousands of small objects, none of them in cycles; by default, the collector walks
over all modules that are loaded again and again for them: a fifth of a crawl's CPU time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 10_000
"""Objects that are made between two looks at the youngest, instead of 700."""


def settle(*, often: bool) -> None:
    """Pages begin to come: look seldom at what is there. Where a spider of somebody else's may make
    cycles that hold much, which is to look *often*, what is there by now is left aside; else it is
    so seldom that this would take longer than it saves, as long as to skim a thousand pages."""
    if often:
        gc.collect()
        gc.freeze()
    else:
        gc.set_threshold(YOUNG, 20, 50)


@contextmanager
def none_sought() -> Iterator[None]:
    """For work whose objects all stay until its end, as those of a report: seeking garbage among
    some hundred thousand of them takes a tenth of the time, and finds none."""
    sought = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if sought:
            gc.enable()
