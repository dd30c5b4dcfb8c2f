"""Which addresses the ``site`` spider may connect to.

A page may lead to any name, and a name to any address: only where names are resolved can be seen
what is really connected to, whether it was written ``127.0.0.1``, ``2130706433`` or as a name.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.resolver import CachingThreadedResolver
from twisted.internet.error import DNSLookupError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twisted.internet.defer import Deferred


class Guard:
    """Admits public addresses, the hosts that users named, and the addresses of these. As long as
    nobody has named any, no site is crawled, and it admits all.

    >>> guard = Guard()
    >>> guard.name(["http://intranet.test/"])
    >>> guard.admits("intranet.test", "10.0.0.5"), guard.admits("www.intranet.test", "10.0.0.5")
    (True, True)
    >>> guard.admits("evil.test", "10.0.0.6"), guard.admits("shop.test", "93.184.216.34")
    (False, True)
    """

    def __init__(self) -> None:
        self._named: set[str] = set()
        self._addresses: set[str] = set()
        self.refused: set[str] = set()
        """Hosts that were not admitted."""

    def name(self, urls: Iterable[str]) -> None:
        """Admit the hosts of *urls*, wherever they are."""
        for url in urls:
            host = urlsplit(url if "://" in url else f"http://{url}").hostname
            if host:
                self._named.add(host)

    def admits(self, host: str, address: str) -> bool:
        """Whether *host*, which has turned out to be at *address*, may be connected to."""
        if host.lower() in self._named:
            self._addresses.add(address)
            return True
        if not self._named or address in self._addresses or ip_address(address).is_global:
            return True
        self.refused.add(host)
        return False


GUARD = Guard()
"""Of this process, as there is one resolver for all of it."""


class GuardedResolver(CachingThreadedResolver):
    """Scrapy's resolver, for what :data:`GUARD` admits."""

    def getHostByName(  # noqa: N802
        self, name: str, timeout: Sequence[int] = ()
    ) -> Deferred[str]:
        return super().getHostByName(name, timeout).addCallback(_admitted, name)


def _admitted(address: str, name: str) -> str:
    if not GUARD.admits(name, address):
        raise DNSLookupError(f"{name} is at the private address {address}")
    return address
