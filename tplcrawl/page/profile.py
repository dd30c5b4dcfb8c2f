"""A page → its profile: the one entrance to this package."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Any
from zlib import crc32

from lxml import etree
from w3lib.encoding import DEFAULT_ENCODING_TRANSLATION, html_to_unicode

from tplcrawl.fingerprints import lzw
from tplcrawl.outline import Outline
from tplcrawl.page.guard import guarded
from tplcrawl.page.limits import DEFAULT, Limits
from tplcrawl.page.urls import Cleaner, is_plain
from tplcrawl.page.walk import RawLinks, walk
from tplcrawl.records import Links, Profile

# No page is written in them, and to decode them takes quadratic time: a minute for a megabyte.
DEFAULT_ENCODING_TRANSLATION.update(dict.fromkeys(("punycode", "idna"), "cp1252"))


def profile_of(
    url: str,
    body: bytes,
    cleaner: Cleaner | None,
    *,
    tree: Callable[[], Any] | None = None,
    encoding: str = "utf-8",
    limits: Limits = DEFAULT,
) -> Profile:
    """Profile the page that *url* answered with *body*.

    *tree* gives the parsed *body* where somebody else parses it too (Scrapy's selector); it is not
    asked for a page that must be cut first. Without a *cleaner*, links are not looked at.
    """
    plain, encoding_ = _plain(body, encoding)
    safe, cuts = guarded(plain, limits)
    root = tree() if tree is not None and safe is body else parse(safe, encoding_)
    walked = walk(root, limits)
    head = walked.head
    more = ["depth"] if cut_by_parser(root) else []
    links = Links()
    if cleaner is not None:
        urls = cleaner.clean(walked.links.hrefs, url, head.base, encoding)
        if "" in urls:
            more.append("url")
        if not _short(walked.outline, walked.links, urls, limits.location):
            more.append("location")
        links = _inner(walked.links, urls, walked.outline)
    return Profile(
        url=url,
        outline=walked.outline,
        lzw=lzw.fingerprint(body),
        links=links,
        title=head.title,
        canonical=head.canonical,
        lang=head.lang,
        json_ld=tuple(head.json_ld),
        cuts=tuple(dict.fromkeys((*cuts, *walked.cuts, *more))),
        digest=crc32(body),
    )


def _plain(body: bytes, encoding: str) -> tuple[bytes, str]:
    """*body* in an encoding in which tags are written as in ASCII, without NULs."""
    if not is_plain(encoding):
        text = decoded(body, encoding)
        body, encoding = text.encode("utf-8", "replace"), "utf-8"
    return body.replace(b"\0", b""), encoding


def decoded(body: bytes, encoding: str) -> str:
    """*body* as text, as Scrapy reads it; a byte order mark beats *encoding*."""
    try:
        text: str = html_to_unicode(f"text/html; charset={encoding}", body)[1]
    except (LookupError, ValueError):
        text = body.decode("utf-8", "replace")
    return text


def parse(body: bytes, encoding: str) -> Any:
    """Parse a page as Scrapy's selector does, and never fail: an empty tree is a tree too."""
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    text = decoded(body, encoding).replace("\0", "").strip()
    root = etree.fromstring(text.encode("utf-8", "replace") or b"<html/>", parser)
    return etree.Element("html") if root is None else root


def cut_by_parser(root: Any) -> bool:
    """Whether libxml2 has given up: on too deep a page it drops the rest, also of a drawing."""
    parser = root.getroottree().parser
    last = parser.error_log.last_error if parser is not None else None
    return last is not None and last.type_name == "ERR_RESOURCE_LIMIT"


def _short(outline: Outline, raw: RawLinks, urls: list[str | None], most: int) -> bool:
    """Take out the *urls* of links whose location is too long; return whether there are none."""
    if len(outline.steps) + sum(map(len, outline.steps)) <= most:
        return True  # so even one path of all steps and their classes is not
    lengths: list[int] = []
    for parent, tag in zip(outline.parents, outline.tags, strict=True):
        lengths.append(len(tag) + 1 + (lengths[parent] if parent >= 0 else 0))
    if max(lengths, default=0) <= most:
        return True
    short = True
    for number, index in enumerate(raw.paths):
        if lengths[index] > most and urls[number]:
            urls[number] = None
            short = False
    return short


def _inner(raw: RawLinks, urls: list[str | None], outline: Outline) -> Links:
    """The links that stay on the site."""
    keep = [bool(url) for url in urls]
    paths = list(compress(raw.paths, keep))
    locations = outline.paths(paths)
    return Links(
        tuple(filter(None, urls)),
        tuple(map(locations.__getitem__, paths)),
        tuple(compress(raw.positions, keep)),
        tuple(compress(raw.prose, keep)),
    )
