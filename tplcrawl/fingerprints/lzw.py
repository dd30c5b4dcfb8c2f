"""The LZW template fingerprint of paper 000, section 3.1.

The prefix references of the first 25 entries of the LZW dictionary over the sequence of a page's
tags: a locality sensitive hash of the page's head and the beginning of its body.

The tags are read from the raw bytes and no further than 25 entries need (some 50 tags): 10 to 25
times faster than parsing the page. Raw and tree tags differ on broken HTML, so this is the one
definition, used everywhere: start and end tags count alike, void elements once, comments,
declarations and the insides of scripts and styles not at all.

Pages of a site have most of their first pieces, from one ``<`` to the next, in common, and but for
comments and raw text, what a piece tells does not depend on where it stands. So what pieces tell is
remembered, and the fingerprint that follows from it. Where that leaves a doubt, as a ``<`` in an
attribute does, a page is read tag by tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

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
_WHOLE = re.compile(
    rb"""(/?[a-zA-Z][^\s/>\0]*+)(?=[\s/>])[^>"'=]*+"""
    rb"""(?:=(?:"[^"]*+"|'[^']*+'|(?=[^\s"'>=]))[^>"'=]*+)*+>"""
).match
"""A tag that is whole and leaves no doubt, from its name on."""
_BEGUN = re.compile(rb"/?[a-zA-Z][^\s/>\0]*+").match
_COMMENT, _COMMENT_END = b"!--", re.compile(rb"--!?>").search
_CLOSING = (b"--", b"--!")
_OPENS, _ENDS, _DOUBT = b"!", b">", b"?"
"""What pieces of a page are told by besides the names of their tags: one that opens a comment, one
in which a comment could end, and one of which nothing is sure."""
_FAR = 1 << 16
"""Bytes in which tags are looked for."""
_FIRST, _MORE, _MOST = 52, 16, 128
"""Pieces that are looked at to begin with, more than the simplest pages need; by how many more each
time; and how many at once before it is given up."""
_LONG_NAME = 64
_LONGEST, _OWN, _ROOM = 4096, 256, 2 * 1024 * 1024
"""Bytes of the longest piece that is remembered, of each besides its own, and of all of them."""
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
    pieces = beginning[:_FAR].split(b"<", _FIRST)
    told = [b"".join(map(_telling, pieces[1:-1]))]
    more = _FIRST
    while (found := _of_told(b"".join(told))) is None and len(pieces) > more != _MOST:
        more = _MORE * len(told)
        pieces = pieces[-1].split(b"<", more)
        told.append(b"".join(map(_telling, pieces[:-1])))
    return found or None


class _Told(dict[bytes, bytes]):
    """What a page's piece between one ``<`` and the next tells, wherever it stands: the name of its
    tag, if it is one, and a space; nothing, if it tells nothing."""

    _size = 0

    def __missing__(self, piece: bytes) -> bytes:
        tag = _WHOLE(piece)
        if tag is not None:
            told = tag[1].lower() + b" "
        elif piece.startswith(_COMMENT):
            told = b"" if _COMMENT_END(piece, len(_COMMENT)) else _OPENS + b" "
        else:
            begun = _BEGUN(piece)
            told = _DOUBT + begun[0].lower() + b" " if begun else b""
        if len(told) > _LONG_NAME:
            told = _DOUBT + b" "
        if b"--" in piece and any(one.endswith(_CLOSING) for one in piece.split(b">")[:-1]):
            told = told[:-1] + _ENDS + b" "
        if len(piece) <= _LONGEST:
            self._size += len(piece) + _OWN
            if self._size > _ROOM:
                self.clear()
                self._size = 0
            self[piece] = told
        return told


_telling = _Told().__getitem__


@lru_cache(maxsize=4096)
def _of_told(told: bytes) -> Fingerprint | None:
    """The fingerprint of a page by what its first pieces *told*: ``None`` if they are not enough
    for it, and nothing if there is a doubt."""
    tags: list[bytes] = []
    raw = b""
    comment = doubt = False
    for one in told.split():
        name = one.rstrip(_ENDS)
        if comment:
            comment = not one.endswith(_ENDS)
        elif name.startswith(_DOUBT + raw):
            doubt = True
            break
        elif raw and name != raw:
            continue
        elif name == _OPENS:
            comment = True
        elif name:
            raw = b"/" + name if name in _RAW_TEXT else b""
            tags.append(name.lstrip(b"/"))
    found = compress(tags)
    if len(found) == LENGTH:
        return found
    return b"" if doubt else None
