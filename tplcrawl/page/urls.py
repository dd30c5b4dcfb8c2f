"""Links as a page writes them → URLs of the site, each page's under one form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit, urlunsplit

from tplcrawl.page.limits import DEFAULT, Limits
from tplcrawl.page.sessions import clean_path, clean_query
from tplcrawl.page.site import DEFAULT_PORTS, Site

_OTHER_SCHEMES = ("javascript:", "mailto:", "tel:", "data:", "about:", "file:", "ftp:", "blob:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_RELATIVE = re.compile(r"[\w.~%-][^:/?#]*(?:[/?#]|\Z)").match
_ALIKE = ("/", "http://", "https://", *_OTHER_SCHEMES)
"""How links begin that lead to the same from every page."""
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


class _Known(NamedTuple):
    """What is kept of links that are resolved from one origin, in one encoding."""

    urls: dict[str, str | None]
    """Where those lead to that lead there from every page."""
    folders: dict[str, dict[str, str | None]]
    """By the folder of a page, where the others lead to from there."""
    targets: dict[str, _Target]
    """The same in whatever folder."""


class Cleaner:
    """Turns the links of pages into the URLs that are fetched for them.

    The same few hundred links stand on every page of a site, so where they lead to is kept:
    *remember* of them at the most, then forgotten all at once. O(1) a known link, some 20 µs for a
    new one.
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
        self._known: dict[tuple[str, str, bool], _Known] = {}
        """Links that lead elsewhere from each page are not kept."""
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
        origin, folder = page.above[:2]
        known = self._known.setdefault((origin, encoding, page.plain), _Known({}, {}, {}))
        urls, here = known.urls, known.folders.get(folder)
        if here is None:
            here = known.folders[folder] = {}
            self._count += 1
        return [
            urls[href] if href in urls
            else here[href] if href in here
            else self._learn(href, page, known, here)
            for href in hrefs
        ]  # fmt: skip

    def forget(self) -> None:
        """Forget the links: the site has changed, or they are too many."""
        self._known.clear()
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
        self, href: str, base: _Base, known: _Known, here: dict[str, str | None]
    ) -> str | None:
        """Where a link that is not known leads to; kept if that is so on other pages too."""
        if len(href) > self._limits.url:
            return self._resolve(href, base)
        bare = href.partition("#")[0]
        if not bare:
            return None
        target = known.targets.get(bare) or self._target(bare, base)
        level, url = target
        if level and url is not None:
            known.targets[bare] = target
            url = base.above[min(level, len(base.above) - 1)] + url
            if len(url) > self._limits.url:
                url = ""
        if href.startswith(_ALIKE):
            known.urls[href] = known.urls[bare] = url
        elif level or _RELATIVE(href):
            here[href] = here[bare] = url
        self._count += 1
        return url

    def _target(self, href: str, base: _Base) -> _Target:
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
    from w3lib.url import safe_url_string  # with all of HTTP, which most URLs need not

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
