"""The tags of a whole document, read a character after the other: slow, and plain to see."""

from __future__ import annotations

SPACE = b" \t\n\r\x0b\x0c"
RAW = {b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"}


def plain_tags(body: bytes) -> list[bytes]:
    """The names of all tags of *body*, start and end tags alike, in lower case."""
    found: list[bytes] = []
    at = 0
    while at < len(body):
        if body.startswith(b"<!--", at):
            at = _after_comment(body, at + 4)
            continue
        closes = body.startswith(b"</", at)
        begin = at + 2 if closes else at + 1
        letter = body[begin : begin + 1]
        if body[at : at + 1] != b"<" or not (letter.isalpha() and letter.isascii()):
            at += 1
            continue
        end = begin
        while end < len(body) and body[end] not in SPACE + b"/>\0":
            end += 1
        name = body[begin:end].lower()
        found.append(name)
        at = _after_tag(body, end)
        if name in RAW and not closes:
            at = _raw_end(body, at, name)
    return found


def _after_comment(body: bytes, at: int) -> int:
    ends = [(body.find(mark, at), len(mark)) for mark in (b"-->", b"--!>")]
    return min((end + length for end, length in ends if end >= 0), default=len(body))


def _after_tag(body: bytes, at: int) -> int:
    """Behind the ``>`` that no quoted value holds: quotes open directly behind an equals sign."""
    while at < len(body):
        if body[at : at + 1] == b">":
            return at + 1
        if body[at : at + 1] == b"=":
            value = at + 1
            while value < len(body) and body[value] in SPACE:
                value += 1
            quote = body[value : value + 1]
            closing = body.find(quote, value + 1) if quote in (b'"', b"'") else -1
            # A quote that is never closed quotes nothing.
            at = closing if closing >= 0 else at
        at += 1
    return at


def _raw_end(body: bytes, at: int, name: bytes) -> int:
    """Where the text of a script and the like ends: at its own end tag, or never."""
    lower = body.lower()
    while (at := lower.find(b"</" + name, at)) >= 0:
        behind = body[at + 2 + len(name) :][:1]
        if behind and behind in SPACE + b"/>":
            return at
        at += 1
    return len(body)
