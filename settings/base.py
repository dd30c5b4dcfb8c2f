"""The default: gentle with hosts on the network, unthrottled on loopback.

Try it: ``scrapy crawl site -a url=http://example.com/ -a max_pages=100``.
"""

from tplcrawl.crawl.defaults import *  # noqa: F403

AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.5
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0
DOWNLOAD_DELAY = 0.25
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 4
TPLCRAWL_HURRY_LOCAL = True
