"""What is taken out of a page before it is parsed, so that parsing is bounded.

libxml2 compares each attribute of a tag with all earlier ones: a tag with 100,000 attributes takes
it 17 seconds. Pages of up to 64 kB cannot hold more than a second of that; in longer ones, tags
with too many attributes lose the rest of them.
"""

from __future__ import annotations

import re

from tplcrawl.page.limits import Limits

HARMLESS = 65_536
"""Bytes of a page that cannot hold a flood of attributes worth looking for."""

_TAG = re.compile(
    rb"""<[a-zA-Z](?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+(?:>|\Z)""",
)
_ATTRIBUTE = re.compile(rb"""[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+""")

_SEPARATORS = b" \n\t\r\f/\"'"


def guarded(body: bytes, limits: Limits) -> tuple[bytes, tuple[str, ...]]:
    """Return what of *body* may be parsed, and the names of the limits that it reached.

    O(bytes); a page that is not too long and has no such tag comes back as the same object.
    """
    cuts = []
    if len(body) > limits.body:
        body = body[: limits.body]
        cuts.append("body")
    if len(body) > HARMLESS and _floods(body, limits.attributes):
        body = _TAG.sub(lambda tag: _shortened(tag[0], limits.attributes), body)
        cuts.append("attributes")
    return body, tuple(cuts)


def _floods(body: bytes, most: int) -> bool:
    for tag in _TAG.findall(body):
        if len(tag) > 2 * most:
            separators = len(tag) - len(tag.translate(None, _SEPARATORS))
            if separators > most and len(_ATTRIBUTE.findall(tag, 1)) > most + 1:
                return True
    return False


def _shortened(tag: bytes, most: int) -> bytes:
    if len(tag) < 2 * most:
        return tag
    # The tag's own name is the first match.
    for count, attribute in enumerate(_ATTRIBUTE.finditer(tag, 1)):
        if count > most:
            return tag[: attribute.start()].rstrip() + b">"
    return tag
