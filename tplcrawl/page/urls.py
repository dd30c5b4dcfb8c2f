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
    rf"((?:/|{_FIRST}+/|(?={_FIRST}+(?:[?#]|\Z)))(?:{_SEGMENT}+/)*+{_SEGMENT}*+)"
    r"(\?[\w.~/%!$&()*+,:;=?@-]++)?(?:#[^\x00-\x1f\x7f\ud800-\udfff]*+)?",
    re.ASCII,
).fullmatch
"""A path and a query in which there is nothing to quote and nothing to repair; a fragment goes
whatever it is."""
_FOREIGN = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|\Z)").match


@lru_cache(maxsize=256)
def is_plain(encoding: str) -> bool:
    """Whether ASCII text is written in *encoding* as in ASCII."""
    text = "".join(map(chr, range(32, 127)))
    try:
        return text.encode(encoding) == text.encode()
    except (LookupError, ValueError):
        return False


_NOT_KNOWN = "\0"
"""No URL."""


class _Base(NamedTuple):
    """What the links of one page are resolved from."""

    url: str
    origin: str
    folder: str
    """Its path without the last segment and the slash before that."""
    encoding: str
    plain: bool
    """Whether plain links on it need no repair."""


class Cleaner:
    """Turns the links of pages into the URLs that are fetched for them.

    The same few hundred links stand on every page of a site, so answers are kept: *remember* of
    them at the most, then forgotten all at once. O(1) a known link, some 20 µs for a new one.
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
        self._answers: dict[tuple[str, ...], dict[str, str | None]] = {}
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
        everywhere = self._answers.setdefault((page.origin, encoding), {})
        here = self._answers.setdefault((page.origin + page.folder, encoding, "folder"), {})
        found: list[str | None] = []
        for href in hrefs:
            answer = everywhere.get(href, _NOT_KNOWN)
            if answer is _NOT_KNOWN:
                answer = here.get(href, _NOT_KNOWN)
            if answer is _NOT_KNOWN:
                answer = self._resolve(href, page)
                if href.startswith(_ABSOLUTE):
                    everywhere[href] = answer
                    self._count += 1
                elif _RELATIVE(href):
                    here[href] = answer
                    self._count += 1
            found.append(answer)
        return found

    def _from(self, url: str, encoding: str) -> _Base:
        parts = urlsplit(url)
        try:
            plain = normal_url(url) == url and "//" not in parts.path and self.site.covers(parts)
        except (ValueError, UnicodeError):
            plain = False
        origin = f"{parts.scheme}://{parts.netloc}"
        return _Base(url, origin, parts.path.rpartition("/")[0], encoding, plain)

    def _resolve(self, href: str, base: _Base) -> str | None:
        if base.plain and len(href) <= self._limits.url and "/(" not in href:
            within = href.startswith(base.origin + "/")
            match = _PLAIN(href, len(base.origin) if within else 0)
            if match is not None:
                return self._join(base, *match.groups())
        return self._resolve_any(href, base)

    def _join(self, base: _Base, path: str, query: str | None) -> str:
        """What :meth:`_resolve_any` answers where there is nothing to quote: nine in ten links, in
        a tenth of the time."""
        if path[:1] != "/":
            path = f"{base.folder}/{path}"
        if "/." in path:
            path = _without_dots(path)
        url = base.origin + path
        if query:
            cleaned = clean_query(query[1:], tracking=self._tracking)
            url = f"{url}?{cleaned}" if cleaned else url
        return url if len(url) <= self._limits.url else ""

    def forget(self) -> None:
        """Forget the answers: the site has changed, or they are too many."""
        self._answers.clear()
        self._count = 0

    def _resolve_any(self, href: str, base: _Base) -> str | None:
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
