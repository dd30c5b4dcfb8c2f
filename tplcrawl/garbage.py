"""The collector of cyclic garbage, told what need not be looked at again.

A page makes thousands of small objects, none of them in cycles; by default, the collector walks
over all modules that are loaded again and again for them: a fifth of a crawl's CPU time.
"""

from __future__ import annotations

import gc

YOUNG = 10_000
"""Objects that are made between two looks at the youngest, instead of 700."""


def settle(*, often: bool) -> None:
    """Leave aside what is there when pages begin to come. Unless *often*, look seldom at the rest:
    a spider of somebody else's may make cycles that hold much."""
    gc.collect()
    gc.freeze()
    if not often:
        gc.set_threshold(YOUNG, 20, 50)
