"""Uniformly random URLs of a crawl, the same in every run: the only honest sample of a site.

Breadth-first order is none: what is near the start pages is unlike the rest. A draw names any URL
that is known; if it has been fetched already, its page counts as drawn at no cost.
"""

from __future__ import annotations

from hashlib import blake2b


def draw(seed: int, number: int, last: int) -> int:
    """The *number*-th draw out of 1 … *last*.

    A pure function, so that a crawl that is taken up again draws as if it had never stopped.

    >>> draw(0, 1, 1000) == draw(0, 1, 1000), draw(0, 1, 1)
    (True, 1)
    """
    text = f"{seed} {number}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") % last + 1
