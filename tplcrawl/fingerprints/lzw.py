"""The LZW template fingerprint of paper 000, section 3.1.

The prefix references of the first 25 entries of the LZW dictionary over the sequence of a page's
tags: a locality sensitive hash of the page's head and the beginning of its body.

The tags are read from the raw bytes and no further than 25 entries need (some 50 tags): 10 to 25
times faster than parsing the page. Raw and tree tags differ on broken HTML, so this is the one
definition, used everywhere: start and end tags count alike, void elements once, comments,
declarations and the insides of scripts and styles not at all.

Most pages begin with ordinary tags, whose names one or two calls of the regular expression engine
list, and many begin with the same ones, whose fingerprint is known then. That is tried first;
whatever is out of the ordinary is read tag by tag.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache

LENGTH = 25
"""Entries of a fingerprint (paper 000, section 3.1: found on ten templates, 100 pages)."""

Fingerprint = bytes

_TAG = re.compile(
    rb"<(?:!--(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z)"
    rb"|(/?)([a-zA-Z][^\s/>\0]*+)"
    rb"""[^>"'=]*+(?:="[^"]*+"[^>"'=]*+)*+"""  # the next line alone would do, and be slower
    rb"""(?:(?:=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])[^>"'=]*+)*+(?:>|\Z))""",
    re.DOTALL,
)
_RAW_TEXT = frozenset(
    (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")
)
_NAME = rb"/?[a-zA-Z][^\s/>]*+"
_TEXT = rb"[^<]*+<(?:(?=[^a-zA-Z/!]|/[^a-zA-Z]|!(?!--))[^<]*+<)*+"
"""Up to and with what opens a tag or a comment."""
_COMMENT = rb"(?:[^-]++|-(?!-!?>))*+--!?>"
_REST = rb"""[^>"'=]*+(?:=(?:"[^"]*+"|'[^']*+'|(?=[^\s"'>=]))[^>"'=]*+)*+>"""
"""Of a comment, and of a tag that is whole and leaves no doubt, what stands behind the name."""


def _raw(name: bytes) -> bytes:
    """The same for a whole element of raw text, up to its end tag; its name stands before."""
    anyhow = b"".join(b"[%c%c]" % (c, c - 32) for c in name)
    inside = rb"[^<]*+(?:<(?!/" + anyhow + rb"[\s/>])[^<]*+)*+(?=<)"
    return rb"(?<=<" + anyhow + rb")" + _REST + inside


_ORDINARY = (
    _TEXT + rb"(?>(" + _NAME + rb"|!--)(?:(?<![eEtT-])" + _REST
    + rb"|(?<=[eEtT])(?:" + _raw(b"script") + rb"|" + _raw(b"style") + rb"|" + _REST + rb")"
    + rb"|(?<=-)(?<!<!--)" + _REST + rb"|(?<=<!--)" + _COMMENT + rb"))"
)  # fmt: skip
"""A tag, a comment, or a script or style up to its end tag."""
_FIRST, _MORE, _MOST = 35, 10, 640
"""Tags and comments that are listed at once: as many as the simplest pages need, then a few more
each time; and how many are listed before it is given up."""
_FAR = 1 << 16
"""Bytes in which they are looked for."""
RAW_END = {name: re.compile(rb"</(?i:" + name + rb")(?=[\s/>])") for name in _RAW_TEXT}


def raw_tags(body: bytes) -> Iterator[bytes]:
    """The names of *body*'s tags in order, start and end tags alike, in lower case. Lazy: reading
    ten of them costs the same on a page of any length.

    >>> list(raw_tags(b"<p class='a>b'>x<br/><!-- <b> --></p>"))
    [b'p', b'br', b'p']
    """
    at: int | None = 0
    while at is not None:
        begin, at = at, None
        for match in _TAG.finditer(body, begin):
            slash, name = match.groups()
            if name is None:
                continue
            name = name.lower()
            yield name
            if name in _RAW_TEXT and not slash:
                end = RAW_END[name].search(body, match.end())
                at = end.start() if end else None
                break


def compress(tags: Iterable[bytes], length: int = LENGTH) -> Fingerprint:
    """Return the prefix references of the first *length* dictionary entries (algorithm 1).

    As in table 1, an entry without a prefix has the reference 0 and is written when its tag is
    seen for the first time; the tag that completes an entry is consumed with it.

    >>> tags = "html body p b b p p strong strong p p big big p p em em p p i i p p small small p"
    >>> tags += " p sub sub sup sup p body html"
    >>> list(compress(tag.encode() for tag in tags.split()))
    [0, 0, 0, 0, 4, 3, 0, 3, 0, 9, 3, 0, 8, 0, 8, 0, 8, 0, 0, 19, 2]
    """
    entries: dict[tuple[int, bytes], int] = {}
    references = bytearray()
    prefix = 0
    for tag in tags:
        known = entries.get((prefix, tag))
        if known is not None:
            prefix = known
            continue
        references.append(prefix)
        entries[prefix, tag] = len(references)
        if len(references) >= length:
            break
        prefix = 0
    return bytes(references)


def fingerprint(body: bytes) -> Fingerprint:
    """The fingerprint of a page's bytes."""
    return sure_fingerprint(body) or compress(raw_tags(body))


def sure_fingerprint(beginning: bytes) -> Fingerprint | None:
    """The fingerprint of all pages that begin with these bytes; ``None`` where they leave a doubt.

    >>> sure_fingerprint(b"<p>" * 400) == fingerprint(b"<p>" * 400 + b"<b>")
    True
    """
    names: list[bytes] = []
    found = _listing(_FIRST)(beginning, 0, _FAR)
    while found is not None and len(names) < _MOST:
        names += found.groups()
        lzw = _of_listed(b" ".join(names).lower())
        if lzw is not None:
            return lzw
        found = _listing(_MORE)(beginning, found.end(), _FAR)
    return None


@cache
def _listing(count: int) -> Callable[..., re.Match[bytes] | None]:
    """Matches *count* ordinary tags and comments, and has the name of each."""
    return re.compile(_ORDINARY * count, re.DOTALL).match


@lru_cache(maxsize=8192)
def _of_listed(listed: bytes) -> Fingerprint | None:
    """The fingerprint of a page by the *listed* names of its first tags and comments, if they are
    enough for it, and sure: what stands between a script's tags must not look like a tag."""
    if not _NO_NAME.isdisjoint(listed):
        return None
    tags: list[bytes] = []
    end = b""
    for name in listed.split(b" "):
        if end and name != end:
            break
        end = b"/" + name if name in _RAW_TEXT else b""
        if name != b"!--":
            tags.append(name.lstrip(b"/"))
    found = compress(tags)
    return found if len(found) == LENGTH else None


_NO_NAME = frozenset(b"\0\"'=<")
"""Bytes that show where a name or an attribute is not what it seems."""
