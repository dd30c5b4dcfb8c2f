"""Pages → their profiles: the one entrance to this package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple
from zlib import crc32

from lxml import etree
from w3lib.encoding import DEFAULT_ENCODING_TRANSLATION, html_to_unicode

from tplcrawl.fingerprints import lzw
from tplcrawl.outline import Outline
from tplcrawl.page.guard import guarded
from tplcrawl.page.limits import DEFAULT, Limits
from tplcrawl.page.urls import Cleaner, is_plain
from tplcrawl.page.walk import RawLinks, Walk, walk
from tplcrawl.records import Links, Profile

# No page is written in them, and to decode them takes quadratic time: a minute for a megabyte.
DEFAULT_ENCODING_TRANSLATION.update(dict.fromkeys(("punycode", "idna"), "cp1252"))


class Source(NamedTuple):
    """A page as it was answered."""

    url: str
    body: bytes
    encoding: str = "utf-8"
    tree: Callable[[], Any] | None = None
    """Gives the parsed body where somebody else parses it too (Scrapy's selector); it is not asked
    for a page that must be cut first."""


def profile_of(
    url: str,
    body: bytes,
    cleaner: Cleaner | None,
    *,
    tree: Callable[[], Any] | None = None,
    encoding: str = "utf-8",
    said: bool = False,
    limits: Limits = DEFAULT,
) -> Profile:
    """Profile the page that *url* answered with *body*. Without a *cleaner*, links are not looked
    at; with *said*, what they say is noted."""
    return profiles_of([Source(url, body, encoding, tree)], cleaner, limits, said=said)[0]


def profiles_of(
    sources: Sequence[Source],
    cleaner: Cleaner | None,
    limits: Limits = DEFAULT,
    *,
    said: bool = False,
) -> list[Profile]:
    """Profile many pages, one step for all before the next one: what a step needs is near then,
    and a tenth of the time is saved. No more than one tree is held."""
    prints = [lzw.fingerprint(one.body) for one in sources]
    digests = [crc32(one.body) for one in sources]
    walks = [_walked(one, limits, said=said) for one in sources]
    urls = [
        [] if cleaner is None
        else cleaner.clean(walked.links.hrefs, one.url, walked.head.base, one.encoding)
        for one, walked in zip(sources, walks, strict=True)
    ]  # fmt: skip
    return [
        _profile(*known, limits)
        for known in zip(sources, walks, urls, prints, digests, strict=True)
    ]


def _walked(source: Source, limits: Limits, *, said: bool) -> Walk:
    """What one walk over a page finds, and all the limits that it reached."""
    _, body, encoding, tree = source
    plain, encoding = _plain(body, encoding)
    safe, cuts = guarded(plain, limits)
    root = tree() if tree is not None and safe is body else parse(safe, encoding, ids=False)
    walked = walk(root, limits, said=said)
    depth = ("depth",) if walked.elements >= DEEPEST and cut_by_parser(root) else ()
    return replace(walked, cuts=(*cuts, *walked.cuts, *depth)) if cuts or depth else walked


def _profile(
    source: Source,
    walked: Walk,
    urls: list[str | None],
    print_: bytes,
    digest: int,
    limits: Limits,
) -> Profile:
    """A page's profile, with the links of those *urls* that it has on its site."""
    outline, head = walked.outline, walked.head
    cuts = list(walked.cuts)
    if "" in urls:
        cuts.append("url")
    if urls and not _short(outline, walked.links, urls, limits.location):
        cuts.append("location")
    return Profile(
        url=source.url,
        outline=outline,
        lzw=print_,
        links=_inner(walked.links, urls, outline) if urls else Links(),
        title=head.title,
        canonical=head.canonical,
        lang=head.lang,
        json_ld=tuple(head.json_ld),
        cuts=tuple(dict.fromkeys(cuts)),
        digest=digest,
        asks=head.asks,
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


def parse(body: bytes, encoding: str, *, ids: bool = True) -> Any:
    """Parse a page as Scrapy's selector does, and never fail: an empty tree is a tree too. Without
    *ids*, XPath's ``id()`` finds nothing: to note them takes a tenth of the time."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=ids)
    plain = decoded(body, encoding).strip().encode("utf-8", "replace").replace(b"\0", b"")
    root = etree.fromstring(plain or b"<html/>", parser)
    return etree.Element("html") if root is None else root


DEEPEST = 2048
"""Levels of a tree, at which libxml2 gives up."""


def cut_by_parser(root: Any) -> bool:
    """Whether libxml2 has given up: on too deep a page it drops the rest, also of a drawing. To ask
    it copies all that it has to say of the page."""
    parser = root.getroottree().parser
    last = parser.error_log.last_error if parser is not None else None
    return last is not None and last.type_name == "ERR_RESOURCE_LIMIT"


def _short(outline: Outline, raw: RawLinks, urls: list[str | None], most: int) -> bool:
    """Take out the *urls* of links whose location is too long; return whether there are none."""
    if len(outline.tags) + sum(map(len, outline.tags)) <= most:
        return True  # so even one path of all of them is not
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
        tuple(compress(raw.said, keep)) if any(raw.said) else (),
    )
