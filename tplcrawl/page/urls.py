"""Links as a page writes them → URLs of the site, each page's under one form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
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
        self._answers: dict[str, dict[str, str | None]] = {}
        """By where links are resolved from: an origin, a folder or a page."""
        self._count = 0

    def clean(
        self, hrefs: Iterable[str], page_url: str, base_href: str = "", encoding: str = "utf-8"
    ) -> list[str | None]:
        """Return the inner-site URL that each of *hrefs*, found on *page_url*, leads to; ``None``
        where it leaves the site or is no URL, and an empty one where it is too long."""
        base = _base(page_url, base_href)
        parts = urlsplit(base)
        origin = f"{parts.scheme}://{parts.netloc}"
        folder = origin + parts.path.rpartition("/")[0]
        if not is_plain(encoding):
            encoding = "utf-8"
        if self._count > self._remember:
            self.forget()
        plain = self._is_plain(base)
        within = origin + "/" if plain else None
        everywhere = self._answers.setdefault(f"any page of {origin}", {})
        here = self._answers.setdefault(f"any page in {folder}", {})
        found: list[str | None] = []
        for href in hrefs:
            if href[:1] == "#":
                found.append(None)
                continue
            answers = everywhere if href.startswith(_ABSOLUTE) else here
            answer = answers.get(href, _NOT_KNOWN)
            if answer is _NOT_KNOWN:
                if answers is here and not _RELATIVE(href):
                    answers = self._answers.setdefault(base, {})
                key = href if href.isascii() else f"{encoding} {href}"
                answer = answers.get(key, _NOT_KNOWN)
                if answer is _NOT_KNOWN:
                    self._count += 1
                    target = href[len(within) - 1 :] if within and href.startswith(within) else href
                    match = _PLAIN(target) if plain and "/(" not in href else None
                    if match is None or len(href) > self._limits.url:
                        answer = self._resolve(href, base, encoding)
                    else:
                        answer = self._join(origin, folder[len(origin) :], *match.groups())
                    answers[key] = answer
            found.append(answer)
        return found

    def _is_plain(self, base: str) -> bool:
        """Whether plain links on *base* can be resolved by :meth:`_join`."""
        try:
            if normal_url(base) != base or "//" in urlsplit(base).path:
                return False
            return self.site.covers(urlsplit(base))
        except (ValueError, UnicodeError):
            return False

    def _join(self, origin: str, folder: str, path: str, query: str | None) -> str:
        """What :meth:`_resolve` answers where there is nothing to quote: nine in ten links, in a
        tenth of the time."""
        if path[:1] != "/":
            path = f"{folder}/{path}"
        if "/." in path:
            path = _without_dots(path)
        url = origin + path
        if query:
            cleaned = clean_query(query[1:], tracking=self._tracking)
            url = f"{url}?{cleaned}" if cleaned else url
        return url if len(url) <= self._limits.url else ""

    def forget(self) -> None:
        """Forget the answers: the site has changed, or they are too many."""
        self._answers.clear()
        self._count = 0

    def _resolve(self, href: str, base: str, encoding: str) -> str | None:
        href = _CONTROL.sub("", href.strip())
        if not href or href[0] == "#" or href[:11].lower().startswith(_OTHER_SCHEMES):
            return None
        if len(href) > self._limits.url:
            return ""
        try:
            foreign = _FOREIGN(href)
            if foreign and not self.site.covers(urlsplit(f"http://{foreign[1]}")):
                return None
            joined = urljoin(base, href)
            try:
                url = normal_url(joined, encoding=encoding, tracking=self._tracking)
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
