"""Which site a spider crawls, and in which directory that is remembered."""

from __future__ import annotations

import re
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from scrapy import Spider

from tplcrawl.page.site import Site


def folder_name(host: str) -> str:
    """A directory name for a host: nothing but letters, digits, dots and dashes.

    >>> folder_name("Example.com:8080"), folder_name("../x")
    ('example.com_8080', 'x')
    """
    name = re.sub(r"[^a-z0-9.-]+", "_", host.lower()).strip("._-")
    return name[:100] or "site"


def host_of(url: str) -> str:
    """The host of *url*, with its port where one is named."""
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def is_local(url: str) -> bool:
    """Whether *url* names this machine."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def start_urls(spider: object) -> list[str]:
    """The pages that *spider* starts from, as far as it says so."""
    return [url for url in getattr(spider, "start_urls", None) or [] if isinstance(url, str)]


def site_of(spider: Spider) -> Site:
    """What counts as inner-site for *spider*: the hosts that it starts from, and those that it
    allows, with their subdomains as Scrapy has it."""
    domains = [d for d in getattr(spider, "allowed_domains", None) or [] if isinstance(d, str)]
    subdomains = bool(domains) or bool(getattr(spider, "subdomains", False))
    site = Site((), subdomains=subdomains)
    for url in [*start_urls(spider), *(f"http://{domain}/" for domain in domains)]:
        # Scrapy itself says what is wrong with a start URL, and goes on.
        with suppress(ValueError):
            site.add(url)
    return site


def crawl_folder(spider: Spider) -> Path:
    """Where *spider*'s crawl is remembered if no setting says so: ``crawls/<host>``."""
    urls = start_urls(spider)
    domains = getattr(spider, "allowed_domains", None) or []
    host = host_of(urls[0]) if urls else str(domains[0]) if domains else spider.name
    return Path("crawls") / folder_name(host)
