"""The identity of URLs."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from w3lib.url import canonicalize_url


@lru_cache(maxsize=4096)
def url_key(url: str) -> int:
    """The identity of *url*: 64 bits of its canonical form, in which the query's order and the
    spelling of escapes do not count.

    >>> url_key("http://a.com/?b=1&a=2") == url_key("http://a.com/?a=2&b=1")
    True
    """
    canonical = canonicalize_url(url).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(canonical, digest_size=8).digest(), "big", signed=True)
