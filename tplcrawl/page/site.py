"""Which URLs belong to the site that is crawled."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from tplcrawl.errors import UsageError

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")
DEFAULT_PORTS = {"http": 80, "https": 443}


class Site:
    """The hosts of one site: those of its start URLs, with or without ``www.``, on their ports.

    With *subdomains*, hosts below them too. ``http`` and ``https`` on their default ports are one
    site; any other port counts only where a start URL names it.

    >>> site = Site(["http://www.example.com/"])
    >>> site.covers(urlsplit("https://example.com/a")), site.covers(urlsplit("http://a.example.com/"))
    (True, False)
    >>> site.covers(urlsplit("http://example.com:8080/"))
    False
    """

    def __init__(self, urls: Iterable[str], *, subdomains: bool = False) -> None:
        self.subdomains = subdomains
        self._hosts: dict[str, bool] = {}
        for url in urls:
            self.add(url)

    def add(self, url: str) -> bool:
        """Let the host of *url* be part of the site (a start page may redirect to its real host);
        return whether that is new."""
        if self.covers(urlsplit(url)):
            return False
        self._hosts[host_of(urlsplit(url))] = True
        return True

    @property
    def hosts(self) -> list[str]:
        """The hosts that were named, with their ports where these are not the default ones."""
        return sorted(self._hosts)

    def covers(self, url: SplitResult) -> bool:
        """Whether *url* is an inner-site URL. Raises :exc:`ValueError` for a malformed one."""
        host = host_of(url)
        if host in self._hosts:
            return True
        if not self.subdomains:
            return False
        _, _, parent = host.partition(".")
        while parent:
            if parent in self._hosts:
                return True
            _, _, parent = parent.partition(".")
        return False


def host_of(url: SplitResult) -> str:
    """*url*'s host in lower case without ``www.``, and its port where it is not a default one."""
    return _host(url.scheme, url.netloc)


@lru_cache(maxsize=1024)
def _host(scheme: str, netloc: str) -> str:
    """The same few are asked for with every page."""
    url = SplitResult(scheme, netloc, "", "", "")
    name = (url.hostname or "").removesuffix(".").removeprefix("www.")
    if ":" in name:
        name = f"[{name}]"
    port = url.port
    if port is None or port == DEFAULT_PORTS.get(scheme):
        return name
    return f"{name}:{port}"


def start_url(text: str) -> str:
    """Return what a user typed as a URL that can be fetched, or raise :exc:`UsageError`.

    >>> start_url("example.com")
    'http://example.com/'
    """
    url = text.strip()
    if not _SCHEME.match(url):
        url = f"http://{url}"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"not a URL: {text!r} ({error})") from None
    if parts.scheme not in ("http", "https"):
        raise UsageError(f"not an http or https URL: {text!r}")
    if not host or any(c.isspace() for c in parts.netloc):
        raise UsageError(f"not a URL with a host: {text!r}")
    return parts._replace(path=parts.path or "/").geturl()
