"""What is taken out of a page before it is parsed, so that parsing is bounded.

libxml2 compares each attribute of a tag with all earlier ones: a tag with 100,000 attributes takes
it 17 seconds. Pages of up to 64 kB cannot hold more than a second of that; in longer ones, tags
with too many attributes lose the rest of them.
"""

from __future__ import annotations

import re
from functools import cache

from tplcrawl.fingerprints.lzw import RAW_END
from tplcrawl.page.limits import Limits

HARMLESS = 65_536
"""Bytes of a page that cannot hold a flood of attributes worth looking for."""

# As the HTML standard and libxml2 read tags: a quote opens a value only directly behind an equals
# sign. Comments, declarations and raw text are read over, as they hold no tags.
_ATTRIBUTE_TEXT = (
    rb"[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"
    rb"""(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+"""
    rb"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|(?!["'])[^ \t\n\f\r>]*+))?+"""
)
_ATTRIBUTE = re.compile(_ATTRIBUTE_TEXT)
_RAW = rb"(?i:script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[ \t\n\f\r/>])"
_START = re.compile(
    rb"<([a-zA-Z][^ \t\n\f\r/>]*+)((?:[ \t\n\f\r/]++|" + _ATTRIBUTE_TEXT + rb")*+)(?:>|\Z)"
)

_FEW = 200
"""Attributes that no tag has which :data:`_DOUBTFUL` leaves out: there is a name in each of its
twelve values and in every second byte of what stands between them."""
_DOUBTFUL = re.compile(
    rb"""<[a-zA-Z](?![^>"'=]{0,28}+"""
    rb"""(?:=(?:"[^"]*+"|'[^']*+'|(?=[^\s"'>=]))[^>"'=]{0,28}+){0,12}+>)"""
)
"""What may begin a tag of many attributes: nearly every tag is seen to be whole and short."""
_DOUBTS = 32
"""Of them, how many are looked at one by one."""


@cache
def _flood(most: int) -> re.Pattern[bytes]:
    """Matches the beginning of a tag with more than *most* attributes."""
    attribute = rb"(?:[ \t\n\f\r/]*+" + _ATTRIBUTE_TEXT + rb")"
    return re.compile(rb"<[a-zA-Z][^ \t\n\f\r/>]*+" + attribute + rb"{%d}+" % (most + 1))


@cache
def _harmless(most: int) -> re.Pattern[bytes]:
    """Matches as much of a page as has no raw text and no tag with more than *most* attributes."""
    return re.compile(
        rb"(?:[^<]++"
        rb"|<!--(?:-?>|.*?(?:--!?>|\Z))"
        rb"|</[a-zA-Z][^ \t\n\f\r/>]*+(?:[ \t\n\f\r/]++|" + _ATTRIBUTE_TEXT + rb")*+(?:>|\Z)"
        rb"|<(?!" + _RAW + rb")[a-zA-Z][^ \t\n\f\r/>]*+"
        rb"(?:[ \t\n\f\r/]*+" + _ATTRIBUTE_TEXT + rb"){0," + str(most).encode() + rb"}+"
        rb"[ \t\n\f\r/]*+(?:>|\Z)"
        rb"|<(?!!--|/[a-zA-Z])[!?/][^>]*+(?:>|\Z)"
        rb"|<(?![a-zA-Z!?/])"
        rb")*+",
        re.DOTALL,
    )


def guarded(body: bytes, limits: Limits) -> tuple[bytes, tuple[str, ...]]:
    """Return what of *body* may be parsed, and the names of the limits that it reached.

    O(bytes); a page that is not too long and has no such tag comes back as the same object.
    """
    cuts = []
    if len(body) > limits.body:
        body = body[: limits.body]
        cuts.append("body")
    if len(body) > HARMLESS and _may_flood(body, limits.attributes):
        parts = _parts(body, limits.attributes)
        if parts:
            body = b"".join(parts)
            cuts.append("attributes")
    return body, tuple(cuts)


def _may_flood(body: bytes, most: int) -> bool:
    """Whether something in *body* begins as a tag with more than *most* attributes does, be it in a
    comment or in a script. Most pages are seen to have none in a fifth of the time that it takes
    to tell tags from these."""
    if most < _FEW:
        return True
    at = 0
    for _ in range(_DOUBTS):
        doubt = _DOUBTFUL.search(body, at)
        if doubt is None:
            return False
        if _flood(most).match(body, doubt.start()):
            return True
        at = doubt.end()
    return True


def _parts(body: bytes, most: int) -> list[bytes]:
    """*body* without attributes beyond *most* of a tag, in parts; none if there is no such tag."""
    skip = _harmless(most).match
    parts: list[bytes] = []
    done = at = 0
    while (found := skip(body, at)) and (tag := _START.match(body, found.end())):
        at = tag.end()
        for count, attribute in enumerate(_ATTRIBUTE.finditer(body, *tag.span(2))):
            if count == most:
                parts += (body[done : attribute.start()], b" >")
                done = at
                break
        raw = RAW_END.get(tag[1].lower())
        if raw is not None:
            end = raw.search(body, at)
            if end is None:
                break
            at = end.start()
    return [*parts, body[done:]] if parts else parts
