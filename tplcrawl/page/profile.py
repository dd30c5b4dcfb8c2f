"""A page → its profile: the one entrance to this package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lxml import etree

from tplcrawl.fingerprints import lzw
from tplcrawl.page.guard import guarded
from tplcrawl.page.limits import DEFAULT, Limits
from tplcrawl.outline import Outline
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
    parser = etree.HTMLParser(recover=True, encoding=encoding, huge_tree=True)
    root = etree.fromstring(body.replace(b"\0", b"").strip() or b"<html/>", parser)
    return etree.Element("html") if root is None else root


def _inner(raw: RawLinks, urls: list[str | None], outline: Outline) -> Links:
    """The links that stay on the site."""
    rows = [
        (url, path, positions, prose)
        for url, path, positions, prose in zip(
            urls, raw.paths, raw.positions, raw.prose, strict=True
        )
        if url is not None
    ]
    if not rows:
        return Links()
    inner, paths, positions, prose = zip(*rows, strict=True)
    locations = {path: outline.path(path) for path in set(paths)}
    return Links(inner, tuple(locations[path] for path in paths), positions, prose)
