"""A page → its profile: the one entrance to this package."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Any

from lxml import etree

from tplcrawl.fingerprints import lzw
from tplcrawl.outline import Outline
from tplcrawl.page.guard import guarded
from tplcrawl.page.limits import DEFAULT, Limits
from tplcrawl.page.urls import Cleaner
from tplcrawl.page.walk import RawLinks, walk
from tplcrawl.records import Links, Profile


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
    safe, cuts = guarded(body, limits)
    root = tree() if tree is not None and safe is body else parse(safe, encoding)
    walked = walk(root, limits)
    head = walked.head
    links = Links()
    if cleaner is not None:
        urls = cleaner.clean(walked.links.hrefs, url, head.base, encoding)
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
        cuts=(*cuts, *walked.cuts),
    )


def parse(body: bytes, encoding: str) -> Any:
    """Parse a page as Scrapy's selector does, and never fail: an empty tree is a tree too."""
    parser = etree.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
    text = body.decode(encoding, "replace").replace("\0", "").strip()
    root = etree.fromstring(text.encode("utf-8", "replace") or b"<html/>", parser)
    return etree.Element("html") if root is None else root


def _inner(raw: RawLinks, urls: list[str | None], outline: Outline) -> Links:
    """The links that stay on the site."""
    keep = [url is not None for url in urls]
    paths = list(compress(raw.paths, keep))
    locations = {path: outline.path(path) for path in set(paths)}
    return Links(
        tuple(url for url in urls if url is not None),
        tuple(map(locations.__getitem__, paths)),
        tuple(compress(raw.positions, keep)),
        tuple(compress(raw.prose, keep)),
    )
