"""For sites that must not notice: one request at a time, three seconds apart.

Try it: ``SCRAPY_PROJECT=polite scrapy crawl site -a url=http://example.com/``.
"""

from settings.base import *  # noqa: F403

AUTOTHROTTLE_START_DELAY = 3
AUTOTHROTTLE_TARGET_CONCURRENCY = 1.0
DOWNLOAD_DELAY = 3
CONCURRENT_REQUESTS_PER_DOMAIN = 1
TPLCRAWL_HURRY_LOCAL = False
