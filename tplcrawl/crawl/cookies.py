"""Cookies without asking anybody outside.

Whether a cookie may count for a whole domain depends on the list of public suffixes. Scrapy has a
newer one fetched from two hosts when the first cookie comes, and the crawl stands still until they
answer: hosts that nobody named, for a list that comes with the library too.
"""

from __future__ import annotations

from scrapy.downloadermiddlewares import cookies
from tldextract import TLDExtract


def stay_offline() -> None:
    """Let Scrapy go by the list that comes with the library."""
    cookies._split_domain = TLDExtract(
        include_psl_private_domains=True, suffix_list_urls=(), cache_dir=None
    )
