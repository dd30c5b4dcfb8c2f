"""Links as a page writes them → URLs of the site, each page's under one form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit, urlunsplit

from w3lib.url import safe_url_string

from tplcrawl.page.limits import DEFAULT, Limits
from tplcrawl.page.sessions import clean_path, clean_query
from tplcrawl.page.site import DEFAULT_PORTS, Site

_OTHER_SCHEMES = ("javascript:", "mailto:", "tel:", "data:", "about:", "file:", "ftp:", "blob:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_RELATIVE = re.compile(r"[\w.~%-][^:/?#]*(?:[/?#]|\Z)").match
_ABSOLUTE = ("/", "http://", "https://")
_SEGMENT = r"[\w.~%!$&'()*+,:=@-]"
_FIRST = r"(?!\()[\w.~%!$&'()*+,=@-]"
_PLAIN = re.compile(
    rf"((?:/|{_FIRST}+/|(?={_FIRST}+(?:\?|\Z)))(?:{_SEGMENT}+/)*+{_SEGMENT}*+)"
    r"(\?[\w.~/%!$&()*+,:;=?@-]++)?",
    re.ASCII,
).fullmatch
"""A path and a query in which there is nothing to quote and nothing to repair."""
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?=/)").match
_FOREIGN = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|\Z)").match


@lru_cache(maxsize=256)
def is_plain(encoding: str) -> bool:
    """Whether ASCII text is written in *encoding* as in ASCII."""
    text = "".join(map(chr, range(32, 127)))
    try:
        return text.encode(encoding) == text.encode()
    except (LookupError, ValueError):
        return False


class _Base(NamedTuple):
    """What the links of one page are resolved from."""

    url: str
    above: tuple[str, ...]
    """Its origin; then the folder that it stands in and those above it, up to the root."""
    encoding: str
    plain: bool
    """Whether plain links on it need no repair."""


class _Target(NamedTuple):
    """Where a link leads to."""

    level: int
    """Which of :attr:`_Base.above` it begins with; 0 where *rest* is all."""
    rest: str | None


class Cleaner:
    """Turns the links of pages into the URLs that are fetched for them.

    The same few hundred links stand on every page of a site, so what they say is kept: *remember*
    of them at the most, then forgotten all at once. O(1) a known link, some 20 µs for a new one.
    """

    def __init__(
        self,
        site: Site,
        *,
        tracking: bool = False,
        limits: Limits = DEFAULT,
        remember: int = 50_000,
    ) -> None:
        self.site = site
        self._tracking = tracking
        self._limits = limits
        self._remember = remember
        self._targets: dict[tuple[object, ...], dict[str, _Target]] = {}
        """By where links are resolved from, an origin or a folder, and in which encoding. Links
        that lead elsewhere from each page are not kept."""
        self._count = 0

    def clean(
        self, hrefs: Iterable[str], page_url: str, base_href: str = "", encoding: str = "utf-8"
    ) -> list[str | None]:
        """Return the inner-site URL that each of *hrefs*, found on *page_url*, leads to; ``None``
        where it leaves the site or is no URL, and an empty one where it is too long."""
        if not is_plain(encoding):
            encoding = "utf-8"
        if self._count > self._remember:
            self.forget()
        page = self._from(_base(page_url, base_href), encoding)
        above, root, longest = page.above, len(page.above) - 1, self._limits.url
        everywhere = self._targets.setdefault((above[0], encoding, page.plain), {})
        here = self._targets.setdefault((above[1], encoding), {})
        found: list[str | None] = []
        for href in hrefs:
            target = everywhere.get(href) or here.get(href)
            if target is None:
                target = self._learn(href, page, everywhere, here)
            level, url = target
            if level and url is not None:
                url = above[level if level < root else root] + url
                if len(url) > longest:
                    url = ""
            found.append(url)
        return found

    def forget(self) -> None:
        """Forget the links: the site has changed, or they are too many."""
        self._targets.clear()
        self._count = 0

    def _from(self, url: str, encoding: str) -> _Base:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        try:
            plain = "//" not in parts.path and self.site.covers(parts) and _is_normal(url)
        except (ValueError, UnicodeError):
            plain = False
        folder = origin + parts.path[: parts.path.rfind("/") + 1]
        above = [origin, folder]
        while len(folder := folder[: folder.rfind("/", 0, -1) + 1]) > len(origin):
            above.append(folder)
        return _Base(url, tuple(above), encoding, plain)

    def _learn(
        self, href: str, base: _Base, everywhere: dict[str, _Target], here: dict[str, _Target]
    ) -> _Target:
        """Where a link that is not known leads to; kept if that is so on other pages too."""
        if len(href) > self._limits.url:
            return _Target(0, self._resolve(href, base))
        bare = href.partition("#")[0]
        target = everywhere.get(bare) or here.get(bare) or self._target(bare, base)
        if target.level or href.startswith(_ABSOLUTE):
            everywhere[href] = everywhere[bare] = target
        elif _RELATIVE(href):
            here[href] = here[bare] = target
        self._count += 1
        return target

    def _target(self, href: str, base: _Base) -> _Target:
        if not href:
            return _NOWHERE
        if base.plain and "/(" not in href:
            origin = base.above[0]
            within = href.startswith(origin + "/")
            match = _PLAIN(href, len(origin) if within else 0)
            if match is not None:
                return self._plain_target(origin, *match.groups())
        return _Target(0, self._resolve(href, base))

    def _plain_target(self, origin: str, path: str, query: str | None) -> _Target:
        """What :meth:`_resolve` would find where there is nothing to quote: nine in ten links, in
        a tenth of the time."""
        level, rest = 0, path
        if path[0] != "/":
            level, rest = _relative(path) if "." in path else (1, path)
        elif "/." in path:
            rest = _without_dots(path)
        if query:
            cleaned = clean_query(query[1:], tracking=self._tracking)
            rest = f"{rest}?{cleaned}" if cleaned else rest
        if level:
            return _Target(level, rest)
        return _Target(0, origin + rest if len(origin) + len(rest) <= self._limits.url else "")

    def _resolve(self, href: str, base: _Base) -> str | None:
        href = _CONTROL.sub("", href.strip())
        if not href or href[0] == "#" or href[:11].lower().startswith(_OTHER_SCHEMES):
            return None
        if len(href) > self._limits.url:
            return ""
        try:
            foreign = _FOREIGN(href)
            if foreign and not self.site.covers(urlsplit(f"http://{foreign[1]}")):
                return None
            joined = urljoin(base.url, href)
            try:
                url = normal_url(joined, encoding=base.encoding, tracking=self._tracking)
            except UnicodeEncodeError:
                url = normal_url(joined, tracking=self._tracking)
            if url is None or not self.site.covers(urlsplit(url)):
                return None
            if len(url) > self._limits.url:
                return ""
        except (ValueError, UnicodeError, LookupError):
            return None
        return url


_NOWHERE = _Target(0, None)


def _is_normal(url: str) -> bool:
    """Whether :func:`normal_url` has nothing to do, query and fragment left aside."""
    return _plain(url) is not None or normal_url(url) == url


def _plain(url: str) -> re.Match[str] | None:
    """The path and the query of a *url* in which nothing is to quote or to resolve."""
    origin = _ORIGIN(url)
    if origin is None or "/." in url or "/(" in url:
        return None
    return _PLAIN(url, origin.end())


def _base(page_url: str, base_href: str) -> str:
    """The URL that a page's links are resolved against (``<base href>``, HTML 4.2.3)."""
    if not base_href:
        return page_url
    try:
        base = urljoin(page_url, base_href.strip())
        return base if urlsplit(base).scheme in ("http", "https") else page_url
    except ValueError:
        return page_url


def normal_url(url: str, *, encoding: str = "utf-8", tracking: bool = False) -> str | None:
    """Return *url* as it is fetched: safely quoted, without fragment, session id, user and default
    port, its dot segments resolved; ``None`` where it is no http(s) URL. The order of the query's
    parts stays, since servers may care.

    >>> normal_url("HTTP://me@Example.com:80/a/../b?x=1#top")
    'http://example.com/b?x=1'
    """
    plain = _plain(url)
    if plain is not None:
        query = plain[2] or ""
        cleaned = clean_query(query[1:], tracking=tracking)
        if len(cleaned) == len(query[1:]):
            return url
        return url[: plain.start(2) + bool(cleaned)] + cleaned
    parts = urlsplit(safe_url_string(url, encoding=encoding))
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        return None
    host = parts.netloc.rpartition("@")[2].lower().removesuffix(":")
    if parts.port == DEFAULT_PORTS[parts.scheme]:
        host = host.rpartition(":")[0]
    path = clean_path(parts.path or "/")
    if "/." in path:
        path = _without_dots(path)
    query = clean_query(parts.query, tracking=tracking) if parts.query else ""
    return urlunsplit((parts.scheme, host, path, query, ""))


def _without_dots(path: str) -> str:
    """Resolve the dot segments of an absolute path (RFC 3986, 5.2.4).

    >>> _without_dots("/a/./b/../../c/.."), _without_dots("/../x")
    ('/', '/x')
    """
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[max(1, len(kept) - 1) :]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept) or "/"


def _relative(path: str) -> tuple[int, str]:
    """How many folders up from a page's own *path* leads, counted from 1, and where to from there.

    >>> _relative("../../a/./b"), _relative("a/../../x/.."), _relative("..")
    ((3, 'a/b'), (2, ''), (2, ''))
    """
    level = 1
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
            else:
                level += 1
        elif segment != ".":
            kept.append(segment)
    if kept and segments[-1] in (".", ".."):
        kept.append("")
    return level, "/".join(kept)
