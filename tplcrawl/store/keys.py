"""The identity of URLs."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_BYTE = r"%[89A-F][0-9A-F]"
"""What is not ASCII, escaped."""
_SEGMENT = rf"(?:[\w~!$&*+,:=@-]|{_BYTE})(?:[\w.~!$&()*+,:=@-]|{_BYTE}|%20)*+"
_PAIR = rf"[\w.~-]+=(?:[\w.~+-]|{_BYTE}|%(?:2[1-9A-CF]|3[A-F]|40))*+"
PLAIN = re.compile(
    rf"https?://{_LABEL}(?:\.{_LABEL})*/(?:{_SEGMENT}/)*+(?:{_SEGMENT})?"
    rf"(?:\?({_PAIR}(?:&{_PAIR})*+))?",
    re.ASCII,
).fullmatch
"""A URL in which there is nothing to quote, to resolve or to leave out but for what its query says;
that is its first group."""


@lru_cache(maxsize=4096)
def url_key(url: str) -> int:
    """The identity of *url*: 64 bits of its canonical form, in which the query's order and the
    spelling of escapes do not count.

    >>> url_key("http://a.com/?b=1&a=2") == url_key("http://a.com/?a=2&b=1")
    True
    """
    return _key(_canonical(url))


def plain_key(url: str) -> int | None:
    """The same for a URL that is its own canonical form, as far as that is plain to see.

    >>> plain_key("http://a.com/b") == url_key("http://a.com/b"), plain_key("http://a.com/?a=1")
    (True, None)
    """
    plain = PLAIN(url)
    return None if plain is None or plain[1] else _key(url)


def _key(canonical: str) -> int:
    digest = blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _canonical(url: str) -> str:
    """What w3lib's ``canonicalize_url`` makes of *url*; of a plain one in a tenth of the time."""
    plain = PLAIN(url)
    if plain is None:
        return _canonicalized(url)
    query = plain[1]
    if not query or "&" not in query:
        return url
    if "%" in query:
        return _canonicalized(url)  # it sorts them unescaped
    pairs = sorted(pair.split("=") for pair in query.split("&"))
    return url[: plain.start(1)] + "&".join(map("=".join, pairs))


def _canonicalized(url: str) -> str:
    from w3lib.url import canonicalize_url  # with all of HTTP, which most URLs need not

    form: str = canonicalize_url(url)
    return form
